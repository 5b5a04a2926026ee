"""The claims that are made from templates: their names, their owners, and who takes them."""

from __future__ import annotations

import re
from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.world import World

#: Says on a claim for which entry of a Pod it was made.
ANNOTATION = "resource.kubernetes.io/pod-claim-name"


def owner(pod: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return the reference by which a Pod owns a claim."""
    metadata = pod["metadata"]
    named = {"apiVersion": "v1", "kind": "Pod", "name": metadata["name"], "uid": metadata["uid"]}
    return {**named, "controller": True, **more}


@pytest.mark.requirement("DRA-RCC-01")
def test_the_name_tells_the_pod_and_its_entry(controlled: Any) -> None:
    """The claim of Pod "pod" for its entry "mine" is called pod-mine-, and something more."""
    controlled.template()
    controlled.pod()

    name = controlled.generated()["metadata"]["name"]

    expect.that(name.startswith("pod-mine-"), "pod-mine-…", path="metadata.name", observed=name)


@pytest.mark.requirement("DRA-RCC-02")
def test_long_names_are_shortened_alike(controlled: Any) -> None:
    """Of two names of 63 characters the claim's name holds the beginning of each."""
    controlled.template()
    controlled.pod("p" * 63, "c" * 63)

    name = controlled.generated("p" * 63, "c" * 63)["metadata"]["name"]

    whole = re.fullmatch(r"p{10,}-c{10,}.+", name) is not None and len(name) <= 63
    expect.that(whole, "p…-c…, 63 characters at most", path="metadata.name", observed=name)


@pytest.mark.requirement("DRA-RCC-03")
def test_the_claim_says_for_which_entry_it_is(controlled: Any) -> None:
    """The annotation holds the name of the entry in the Pod."""
    controlled.template()
    controlled.pod()

    claim = controlled.generated()

    expect.field(claim, f"metadata.annotations[{ANNOTATION}]", "mine")


@pytest.mark.requirement("DRA-RCC-04")
def test_the_pod_is_the_only_owner_and_holds_up_nothing(controlled: Any) -> None:
    """There is one owner, the Pod as controller, and its deletion is not blocked."""
    controlled.template()
    pod = controlled.pod()

    claim = controlled.generated()

    owners = claim["metadata"]["ownerReferences"]
    expect.same(owners, [owner(pod)], path="metadata.ownerReferences")


@pytest.mark.requirement("DRA-RCC-05")
def test_the_claim_has_the_metadata_of_the_template(controlled: Any) -> None:
    """What the template says of labels and annotations stands on the claim."""
    controlled.template(labels={"team": "blue"}, annotations={"conformance.test/why": "because"})
    controlled.pod()

    claim = controlled.generated()

    expect.field(claim, "metadata.labels.team", "blue")
    expect.field(claim, "metadata.annotations[conformance.test/why]", "because")


@pytest.mark.requirement("DRA-RCC-06a")
def test_each_entry_has_a_claim_of_its_own(controlled: Any) -> None:
    """A Pod with two entries of one template has two claims, and its status names both."""
    controlled.template()
    controlled.pod("pod", "one", "two")

    names = {controlled.generated("pod", entry)["metadata"]["name"] for entry in ("one", "two")}

    expect.same(names, set(controlled.names()), path="ResourceClaims of the namespace")
    expect.same(len(names), 2, path="ResourceClaims of the Pod")


@pytest.mark.requirement("DRA-RCC-06b")
def test_an_entry_stays_when_another_one_changes(world: World, controlled: Any) -> None:
    """When one of two claims is made again, the status goes on naming the other one."""
    pod = controlled.pod("pod", "one", "two")
    lost = controlled.claim(ownerReferences=[owner(pod)], annotations={ANNOTATION: "two"})
    controlled.template(labels={"team": "blue"})
    kept = controlled.generated("pod", "one")
    controlled.generated("pod", "two")

    world.withdraw(lost)

    controlled.gone("claim")
    controlled.generated("pod", "two")
    uid = kept["metadata"]["uid"]
    world.stays(
        "the status names the claim that was not touched",
        lambda: expect.field(controlled.noted("pod", "one"), "metadata.uid", uid),
        for_="claims-quiet",
    )


@pytest.mark.requirement("DRA-RCC-07a")
def test_a_claim_that_was_made_before_is_taken(controlled: Any) -> None:
    """A claim that the Pod owns and that names the entry is the Pod's: none is made beside it."""
    pod = controlled.pod()
    controlled.claim(ownerReferences=[owner(pod)], annotations={ANNOTATION: "mine"})

    controlled.template()

    expect.field(controlled.generated(), "metadata.name", "claim")
    expect.same(controlled.names(), ["claim"], path="ResourceClaims of the namespace")


@pytest.mark.requirement("DRA-RCC-07b")
@pytest.mark.parametrize(
    ("whose", "annotations"),
    [
        pytest.param("pod", {}, id="no entry named"),
        pytest.param("pod", {ANNOTATION: "other"}, id="another entry named"),
        pytest.param("other", {ANNOTATION: "mine"}, id="owned by another Pod"),
    ],
)
def test_a_claim_for_somebody_else_is_not_taken(
    controlled: Any, whose: str, annotations: dict[str, str]
) -> None:
    """Where owner or annotation do not fit, a claim is made."""
    pods = {"pod": controlled.pod(), "other": controlled.pod("other", "unrelated")}
    controlled.claim(ownerReferences=[owner(pods[whose])], annotations=annotations)

    controlled.template()

    name = controlled.generated()["metadata"]["name"]
    expect.that(name != "claim", "another claim", path="resourceClaimName", observed=name)


@pytest.mark.requirement("DRA-RCC-08")
def test_a_claim_is_made_when_its_template_appears(world: World, controlled: Any) -> None:
    """A Pod that came before its template has no claim, and gets one with the template."""
    controlled.pod()
    world.stays("no claim is made", lambda: controlled.names() == [], for_="claims-quiet")

    controlled.template()

    expect.same([controlled.generated()["metadata"]["name"]], controlled.names(), path="claims")


@pytest.mark.requirement("DRA-RCC-09")
def test_a_claim_that_was_deleted_is_made_again(world: World, controlled: Any) -> None:
    """A Pod that waits loses the claim that an earlier controller made, and gets another one."""
    pod = controlled.pod()
    lost = controlled.claim(ownerReferences=[owner(pod)], annotations={ANNOTATION: "mine"})
    controlled.template()
    expect.field(controlled.generated(), "metadata.name", "claim")

    world.withdraw(lost)

    controlled.gone("claim")
    uid = controlled.generated()["metadata"]["uid"]
    expect.that(uid != lost["metadata"]["uid"], "another claim", path="uid", observed=uid)


@pytest.mark.requirement("DRA-RCC-10")
def test_no_claim_is_made_where_none_is_needed(world: World, controlled: Any) -> None:
    """An entry of the status without a name says that there is no claim: none is made."""
    controlled.pod()
    controlled.note("pod", {"name": "mine"})

    controlled.template()

    world.stays("no claim is made", lambda: controlled.names() == [], for_="claims-quiet")


@pytest.mark.requirement("DRA-RCC-12")
def test_admin_access_is_not_had_through_an_old_template(
    world: World, controlled: Any, flow: Any
) -> None:
    """With the label of the namespace gone no claim is made; with it again, one is."""
    controlled.allow_admin_access(True)
    controlled.template({"devices": {"requests": [flow.exactly(adminAccess=True)]}})
    controlled.allow_admin_access(False)

    controlled.pod()

    world.stays("no claim is made", lambda: controlled.names() == [], for_="claims-quiet")
    controlled.allow_admin_access(True)
    expect.field(controlled.generated(), "spec.devices.requests[0].exactly.adminAccess", True)
