"""The claims that are made for groups, and what groups and Pods say of them."""

from __future__ import annotations

import re
from typing import Any

import pytest

from conformance.harness import expect
from conformance.harness.world import World

pytestmark = pytest.mark.variant(
    gates={"GenericWorkload": True, "DRAWorkloadResourceClaims": True},
    serves=["scheduling.k8s.io/v1beta1"],
)

#: Says on a claim for which entry it was made.
ANNOTATION = "resource.kubernetes.io/pod-claim-name"


@pytest.mark.requirement("DRA-PGR-08")
@pytest.mark.requirement("DRA-PGR-14")
def test_each_entry_has_a_claim_without_a_pod(grouped: Any) -> None:
    """A group with two entries of one template and no Pods has two claims, and names both."""
    grouped.template()
    group = grouped.group("group", grouped.entry("one"), grouped.entry("two"))

    found = {grouped.generated(group, name)["metadata"]["name"] for name in ("one", "two")}

    names = {claim["metadata"]["name"] for claim in grouped.claims()}
    expect.same(found, names, path="ResourceClaims of the namespace")
    expect.same(len(found), 2, path="ResourceClaims of the group")


@pytest.mark.requirement("DRA-PGR-09")
def test_the_group_is_the_only_owner(grouped: Any) -> None:
    """The claim is owned by its group, as controller, and by nobody else."""
    grouped.template()
    group = grouped.group()
    grouped.pod()

    claim = grouped.generated(group)

    expect.same(
        claim["metadata"]["ownerReferences"],
        [grouped.owner(group)],
        path="metadata.ownerReferences",
    )


@pytest.mark.requirement("DRA-PGR-10")
def test_the_claim_says_for_which_entry_it_is(grouped: Any) -> None:
    """The annotation holds the name of the entry in the group."""
    grouped.template()
    group = grouped.group()

    claim = grouped.generated(group)

    expect.field(claim, f"metadata.annotations[{ANNOTATION}]", "shared")


@pytest.mark.requirement("DRA-PGR-11")
def test_the_claim_has_the_metadata_of_the_template(grouped: Any) -> None:
    """What the template says of labels and annotations stands on the claim."""
    labels = {"team": "blue"}
    grouped.template(labels=labels, annotations={"conformance.test/why": "because"})
    group = grouped.group()

    claim = grouped.generated(group)

    expect.field(claim, "metadata.labels.team", "blue")
    expect.field(claim, "metadata.annotations[conformance.test/why]", "because")


@pytest.mark.requirement("DRA-PGR-12")
def test_the_name_tells_the_group_and_its_entry(grouped: Any) -> None:
    """The claim of "group" for its entry "shared" is called group-shared-, and more."""
    grouped.template()
    group = grouped.group()

    name = grouped.generated(group)["metadata"]["name"]

    whole = name.startswith("group-shared-")
    expect.that(whole, "group-shared-…", path="metadata.name", observed=name)


@pytest.mark.requirement("DRA-PGR-13")
def test_long_names_are_shortened_alike(grouped: Any) -> None:
    """Of two names of 63 characters the claim's name holds the beginning of each."""
    grouped.template()
    group = grouped.group("g" * 63, grouped.entry("c" * 63))

    name = grouped.generated(group, "c" * 63)["metadata"]["name"]

    whole = re.fullmatch(r"g{10,}-c{10,}.+", name) is not None and len(name) <= 63
    expect.that(whole, "g…-c…, 63 characters at most", path="metadata.name", observed=name)


@pytest.mark.requirement("DRA-PGR-15")
def test_pods_name_the_claim_of_their_group(grouped: Any) -> None:
    """Two Pods with the entry of their group name its claim, and no other claim is made."""
    grouped.template()
    group = grouped.group()
    pods = [grouped.pod("first"), grouped.pod("second")]

    names = {grouped.generated(pod)["metadata"]["name"] for pod in pods}

    expect.same(names, {grouped.noted(group)["metadata"]["name"]}, path="resourceClaimStatuses")
    expect.same(len(grouped.claims()), 1, path="ResourceClaims of the namespace")


@pytest.mark.requirement("DRA-PGR-16")
@pytest.mark.parametrize(
    ("name", "template"),
    [
        pytest.param("shared", "other", id="of another template"),
        pytest.param("mine", "template", id="of another name"),
    ],
)
def test_an_entry_that_differs_is_the_pods_own(grouped: Any, name: str, template: str) -> None:
    """An entry that does not agree with one of the group has a claim that the Pod owns."""
    grouped.template()
    grouped.template("other")
    group = grouped.group()
    rows = [grouped.entry(name, template=template), *([grouped.entry()] * (name != "shared"))]
    pod = grouped.pod("pod", *rows)

    claim = grouped.generated(pod, name)

    expect.field(claim, "metadata.ownerReferences[0].kind", "Pod")
    expect.field(grouped.generated(group), "metadata.ownerReferences[0].kind", "PodGroup")


@pytest.mark.requirement("DRA-PGR-17")
def test_a_pod_whose_group_is_missing_waits_for_it(grouped: Any) -> None:
    """Without its group a Pod has no claims; with the group it shares the group's."""
    grouped.template()
    pod = grouped.pod()
    grouped.no_claims()

    group = grouped.group()

    name = grouped.generated(pod)["metadata"]["name"]
    expect.same(name, grouped.noted(group)["metadata"]["name"], path="resourceClaimStatuses")


@pytest.mark.requirement("DRA-PGR-18")
def test_a_template_may_come_later(grouped: Any) -> None:
    """A group without its template has no claim, and has one as soon as the template is there."""
    group = grouped.group()
    grouped.no_claims()

    grouped.template()

    grouped.generated(group)


@pytest.mark.requirement("DRA-PGR-19")
def test_a_claim_that_was_deleted_is_made_again(world: World, grouped: Any) -> None:
    """A group loses the claim that an earlier controller made, and gets another one."""
    group = grouped.group()
    metadata = {
        "name": "claim",
        "ownerReferences": [grouped.owner(group)],
        "annotations": {ANNOTATION: "shared"},
    }
    lost = world.apply("claim_controller/claim", metadata=metadata).of("ResourceClaim")
    grouped.template()
    expect.field(grouped.generated(group), "metadata.name", "claim")

    grouped.delete(lost)

    grouped.gone(lost)
    uid = grouped.generated(group)["metadata"]["uid"]
    expect.that(uid != lost["metadata"]["uid"], "another claim", path="uid", observed=uid)


@pytest.mark.requirement("DRA-PGR-20")
def test_the_claim_goes_with_its_group(grouped: Any) -> None:
    """When the group is gone, its claim goes."""
    grouped.template()
    group = grouped.group()
    claim = grouped.generated(group)

    grouped.delete(group)

    grouped.gone(claim)
