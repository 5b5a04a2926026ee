"""An admission policy that changes claims, in its version of the API or in another one."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from conformance.harness import expect
from conformance.harness.access import permission
from conformance.harness.access.attempts import claim_in
from conformance.harness.access.permission import Act
from conformance.harness.apply import resource_for
from conformance.harness.client import path_of
from conformance.harness.errors import Violation
from conformance.harness.world import World
from conformance.kube.objects import Object
from conformance.kube.status import StatusError

GROUP = "resource.k8s.io"
_POLICIES = "admissionregistration.k8s.io"

pytestmark = pytest.mark.variant(serves=[f"{GROUP}/v1beta1"])

#: The version that a policy names, and the one of a write.
VERSIONS = pytest.mark.parametrize(
    ("named", "written"),
    [
        pytest.param("v1", "v1", id="policy and write of one version"),
        pytest.param("v1beta1", "v1", id="old policy, new write"),
        pytest.param("v1", "v1beta1", id="new policy, old write"),
    ],
)

#: Where the class of a claim's first request stands, by version, as a path of JSON patches.
CLASS = {
    "v1beta1": "/spec/devices/requests/0/deviceClassName",
    "v1": "/spec/devices/requests/0/exactly/deviceClassName",
}

#: What the administrator of a cluster must be allowed to do for these checks.
_RIGHTS = (
    Act(verb="create", plural="mutatingadmissionpolicies", group=_POLICIES),
    Act(verb="create", plural="mutatingadmissionpolicybindings", group=_POLICIES),
)

Bind = Callable[[str, str], None]


def propose(world: World, obj: Object) -> Object:
    """Return what the API server would store of a claim."""
    path = path_of(resource_for(obj), world.namespace)
    return world.api.ask("POST", path, obj, query={"dryRun": "All"})


@pytest.fixture
def bind(world: World) -> Bind:
    """Return what has a policy of a version give claims a class, and waits until it counts."""

    def bound(named: str, given: str) -> None:
        permission.demand(world.api, _RIGHTS)
        values = {"version": named, "path": CLASS[named], "value": given}
        world.apply("authorization/mutating_policy", **values)

        def look() -> bool:
            try:
                found = propose(world, claim_in(named, "some-class", "claim"))
            except StatusError as error:
                return error.code == 422
            inner = found["spec"]["devices"]["requests"][0]
            seen = inner.get("exactly", inner)["deviceClassName"]
            if seen != given:
                raise Violation(given, path="deviceClassName", observed=seen)
            return True

        world.until("the policy counts", look, bound="policy-counts")

    return bound


@pytest.mark.requirement("DRA-AUT-47")
@VERSIONS
def test_a_policy_changes_a_claim_of_any_version(
    world: World, bind: Bind, named: str, written: str
) -> None:
    """The policy names one version and the place in it; the claim is stored with its value."""
    bind(named, "given-class")

    world.create(claim_in(written, "some-class", "claim"))

    stored = world.claims.get("claim")
    path = "spec.devices.requests[0].exactly.deviceClassName"
    expect.field(stored, path, "given-class")


@pytest.mark.requirement("DRA-AUT-48")
def test_what_a_policy_makes_of_a_claim_is_validated(world: World, bind: Bind) -> None:
    """The policy gives the claim a class by a name that no class can have."""
    bind("v1", "no/class")

    with expect.refused(422, "spec.devices.requests[0].exactly.deviceClassName"):
        world.create(claim_in("v1", "some-class", "claim"))
