"""What a driver may do, and what it did: its roles, and the API server's memory of its acts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from conformance.harness.bench.bench import Bench
from conformance.harness.errors import Undecided, Unsupported
from conformance.harness.target import Act
from conformance.kube.objects import Object

_RBAC = "/apis/rbac.authorization.k8s.io/v1"

#: What any driver may hold, seen in use or not: the library of upstream deletes slices that are
#: too many, and a status of devices is written where there is something to say.
_USUAL = {
    "resource.k8s.io/resourceslices",
    "resource.k8s.io/resourceclaims",
    "resource.k8s.io/resourceclaims/status",
    "resource.k8s.io/resourceclaims/driver",
    "nodes",
}


def account(bench: Bench) -> tuple[str, str]:
    """Return namespace and name of the ServiceAccount with whose rights the driver acts.

    Raises ``Unsupported`` for a driver that acts as an administrator.
    """
    if not bench.driver.account:
        raise Unsupported(
            "the driver acts as an administrator; say with --manifests which account it has"
        )
    *_, namespace, name = bench.driver.account.split(":")
    return namespace, name


def exercised(bench: Bench) -> Sequence[Act]:
    """Let a claim live with the driver, and return everything that it did or tried so far.

    Raises ``Unsupported`` for a driver that acts as an administrator.
    """
    account(bench)
    claim = bench.simple()
    bench.prepared(claim)
    bench.unprepared(claim)
    return _acts(bench)


def tried(bench: Bench) -> Sequence[Act]:
    """Return the same, also of a driver that a denial keeps from preparing a claim.

    Raises ``Undecided`` where it can't do so and nothing was denied to it.
    """
    try:
        return exercised(bench)
    except Undecided:
        acts = _acts(bench)
        if not denied(acts):
            raise
        return acts


def _acts(bench: Bench) -> Sequence[Act]:
    return [one for one in bench.world.cluster.access_log() if one.user == bench.driver.account]


def denied(acts: Iterable[Act]) -> list[str]:
    """Return what was denied, each once."""
    return sorted({f"{one.verb} {_resource(one)}" for one in acts if not one.allowed})


def unused(bench: Bench, acts: Iterable[Act]) -> list[str]:
    """Return the rights that the driver's account holds, were not used and are not usual."""
    used = {f"{one.verb} {_resource(one)}" for one in acts}
    held = {f"{verb} {name}" for name, verb in _held(bench) if name not in _USUAL}
    return sorted(held - used)


def _held(bench: Bench) -> Iterator[tuple[str, str]]:
    """Yield resource and verb of every rule of the account's roles."""
    for binding in _bindings(bench):
        if any(_is(bench.driver.account, one) for one in binding.get("subjects") or []):
            for rule in _role(bench, binding).get("rules") or []:
                yield from _parts(rule)


def _bindings(bench: Bench) -> list[Object]:
    ask = bench.world.api.ask
    return [
        one
        for kind in ("clusterrolebindings", "rolebindings")
        for one in ask("GET", f"{_RBAC}/{kind}")["items"]
    ]


def _is(account: str, subject: Object) -> bool:
    named = f"system:serviceaccount:{subject.get('namespace')}:{subject['name']}"
    return subject["kind"] == "ServiceAccount" and named == account


def _role(bench: Bench, binding: Object) -> Any:
    role = binding["roleRef"]
    below = "" if role["kind"] == "ClusterRole" else _below(binding)
    return bench.world.api.ask("GET", f"{_RBAC}{below}/{role['kind'].lower()}s/{role['name']}")


def _below(binding: Object) -> str:
    return f"/namespaces/{binding['metadata']['namespace']}"


def _parts(rule: Object) -> Iterator[tuple[str, str]]:
    for group in rule.get("apiGroups") or []:
        for resource in rule.get("resources") or []:
            for verb in rule.get("verbs") or []:
                yield (f"{group}/{resource}" if group else resource), verb


def _resource(act: Act) -> str:
    name = f"{act.resource}/{act.subresource}" if act.subresource else act.resource
    return f"{act.group}/{name}" if act.group else name
