"""Caches that are kept up by single events, against a recount of everything."""

from __future__ import annotations

import random
from typing import Any

from conformance.kube.objects import Object, key_of
from conformance.reference.scheduler.cache.assumed import Assumed
from conformance.reference.scheduler.cache.ledger import Ledger
from conformance.reference.scheduler.cache.occupancy import Occupancy
from conformance.reference.scheduler.cache.parked import Parked
from conformance.reference.scheduler.claims import devices_in_use
from conformance.reference.scheduler.fit import Occupants

_TURNS = 400


def claim(name: str, *results: Object, version: int = 1, uid: str = "") -> Object:
    status = {"allocation": {"devices": {"results": list(results)}}} if results else {}
    meta = {
        "name": name,
        "namespace": "default",
        "uid": uid or name,
        "resourceVersion": str(version),
    }
    return {"metadata": meta, "status": status}


def result(device: str, **fields: Any) -> Object:
    return {"request": "r", "driver": "d.example", "pool": "p", "device": device, **fields}


def pod(name: str, node: str = "", cpu: str = "1", claims: tuple[str, ...] = ()) -> Object:
    container = {"name": "main", "resources": {"requests": {"cpu": cpu}}}
    named = [{"name": one, "resourceClaimName": one} for one in claims]
    spec: Object = {"containers": [container], "resourceClaims": named}
    if node:
        spec["nodeName"] = node
    return {"metadata": {"name": name, "namespace": "default", "uid": name}, "spec": spec}


def random_claim(draw: random.Random) -> Object:
    device = f"device-{draw.randrange(4)}"
    part = {"shareID": str(draw.random()), "consumedCapacity": {"memory": "1Gi"}}
    results = [
        (),
        (result(device),),
        (result(device, **part),),
        (result(device, adminAccess=True),),
    ]
    return claim(f"claim-{draw.randrange(6)}", *draw.choice(results))


def test_a_ledger_says_what_a_recount_says() -> None:
    draw, ledger, plain = random.Random(1), Ledger(), dict[str, Object]()
    for _ in range(_TURNS):
        one = random_claim(draw)
        if draw.random() < 0.3:
            ledger.drop(key_of(one))
            plain.pop(key_of(one), None)
        else:
            ledger.put(key_of(one), one)
            plain[key_of(one)] = one
        assert devices_in_use(ledger, []) == devices_in_use(plain.values(), [])
        assert {key_of(known) for known in ledger} == set(plain)


def test_what_is_in_flight_adds_to_a_ledger() -> None:
    ledger = Ledger()
    ledger.put("default/a", claim("a", result("one")))

    found = devices_in_use(ledger, [{"devices": {"results": [result("two")]}}])

    assert {device for *_, device in found.devices} == {"one", "two"}


def test_an_occupancy_says_what_a_recount_says() -> None:
    draw, occupancy, plain = random.Random(2), Occupancy(), dict[str, Object]()
    for _ in range(_TURNS):
        name, node = f"pod-{draw.randrange(8)}", f"node-{draw.randrange(3)}"
        one = pod(name, node, cpu=f"{draw.randrange(1, 9)}00m")
        if draw.random() < 0.3:
            occupancy.drop(one)
            plain.pop(name, None)
        else:
            occupancy.put(one, node)
            plain[name] = one
        there = [each for each in plain.values() if each["spec"]["nodeName"] == node]
        assert occupancy.on(node).count == len(there)
        counted = {k: v for k, v in occupancy.on(node).requested.items() if v}
        assert counted == Occupants.of(there).requested


def test_what_was_written_counts_until_the_informer_has_seen_it() -> None:
    assumed = Assumed()
    assumed.saw_claim("ADDED", claim("a", version=1))
    assumed.wrote(claim("a", result("one"), version=3))

    assumed.saw_claim("MODIFIED", claim("a", version=2))
    assert {device for *_, device in assumed.claims.in_use.devices} == {"one"}

    assumed.saw_claim("MODIFIED", claim("a", version=4))
    assert not assumed.claims.in_use.devices


def test_a_claim_that_is_gone_takes_nothing() -> None:
    assumed = Assumed()
    assumed.saw_claim("ADDED", claim("a", result("one"), version=1))
    assumed.saw_claim("DELETED", claim("a", result("one"), version=2))

    assert not assumed.claims.in_use.devices
    assert assumed.claims.find("default/a") is None


def test_a_pod_on_its_way_counts_on_its_node_unless_binding_failed() -> None:
    assumed = Assumed()
    assumed.saw_pod("ADDED", pod("p"))
    assumed.bound(pod("p"), "node-1")
    assumed.saw_pod("MODIFIED", pod("p"))
    assert assumed.occupancy.on("node-1").count == 1

    assumed.unbound(pod("p"))
    assert assumed.occupancy.on("node-1").count == 0


def test_a_failure_after_the_pod_was_seen_on_its_node_changes_nothing() -> None:
    assumed = Assumed()
    assumed.bound(pod("p"), "node-1")
    assumed.saw_pod("MODIFIED", pod("p", "node-1"))

    assumed.unbound(pod("p"))

    assert assumed.occupancy.on("node-1").count == 1


def test_waiting_pods_are_found_by_the_claims_they_name_or_own() -> None:
    parked = Parked()
    parked.add("default/p", pod("p", claims=("a", "b")))
    parked.add("default/q", pod("q", claims=("b",)))
    owned = claim("generated")
    owned["metadata"]["ownerReferences"] = [{"uid": "q", "controller": True}]

    assert parked.users(claim("a")) == ["default/p"]
    assert parked.users(claim("b")) == ["default/p", "default/q"]
    assert parked.users(owned) == ["default/q"]

    parked.discard("default/p")
    assert parked.users(claim("a")) == []
    assert list(parked) == ["default/q"]


def test_a_waiting_pod_may_name_one_claim_twice() -> None:
    parked = Parked()
    parked.add("default/p", pod("p", claims=("a", "a")))

    parked.discard("default/p")

    assert parked.users(claim("a")) == []


def test_what_devices_take_outlives_an_event_before_the_binding() -> None:
    row = {"resourceClaimName": "c", "mapping": [{"name": "cpu", "quantity": "4"}]}
    known, whole = Assumed(), pod("p")
    before = known.occupancy.on("node-1")
    known.bound({**whole, "status": {"nodeAllocatableResourceClaimStatuses": [row]}}, "node-1")
    counted = known.occupancy.on("node-1")

    known.saw_pod("MODIFIED", {**whole, "status": {"phase": "Pending"}})

    assert counted != before
    assert known.occupancy.on("node-1") == counted
