"""An admission policy that names one version of the API, and writes in another one."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from conformance.harness import expect
from conformance.harness.access.attempts import claim_in
from conformance.harness.apply import resource_for
from conformance.harness.client import path_of
from conformance.harness.world import World
from conformance.kube.objects import Object
from conformance.kube.status import StatusError

GROUP = "resource.k8s.io"

pytestmark = pytest.mark.variant(serves=[f"{GROUP}/v1beta1", f"{GROUP}/v1beta2"])

#: The version that a policy names, and the one of a write.
VERSIONS = pytest.mark.parametrize(
    ("named", "written"),
    [
        pytest.param("v1beta1", "v1", id="old policy, new write"),
        pytest.param("v1", "v1beta1", id="new policy, old write"),
        pytest.param("v1beta1", "v1beta2", id="old policy, another old write"),
    ],
)

#: Where the class of a claim's first request stands, by version.
CLASS = {
    "v1beta1": "spec.devices.requests[0].deviceClassName",
    "v1": "spec.devices.requests[0].exactly.deviceClassName",
}

Bind = Callable[..., None]


def code_of(world: World, obj: Object, verb: str = "POST") -> int:
    """Return what the API server answers to a write that stores nothing."""
    name = {"PUT": obj["metadata"]["name"]}.get(verb, "")
    path = path_of(resource_for(obj), world.namespace, name)
    try:
        world.api.ask(verb, path, obj, query={"dryRun": "All"})
    except StatusError as error:
        return error.code
    return 200


@pytest.fixture
def bind(world: World) -> Bind:
    """Return what makes a policy about the world's claims, and waits until it counts."""

    def bound(named: str, *, policy: str | None = None, expression: str = "true") -> None:
        world.apply(
            "authorization/claim_policy", version=named, policy=policy, expression=expression
        )
        world.apply("authorization/slice_policy_binding")
        world.until(
            "the policy counts",
            lambda: expect.same(
                code_of(world, claim_in(named, "some-class", "refused")), 422, path="code"
            ),
            bound="policy-counts",
        )

    return bound


@pytest.mark.requirement("DRA-AUT-43")
@VERSIONS
def test_a_policy_is_asked_about_every_version(
    world: World, bind: Bind, named: str, written: str
) -> None:
    """What it refuses in the version that it names it refuses in another one, too."""
    bind(named)

    expect.same(code_of(world, claim_in(written, "some-class", "refused")), 422, path="code")


@pytest.mark.requirement("DRA-AUT-44")
@VERSIONS
@pytest.mark.parametrize(
    ("wanted", "code"),
    [pytest.param("allowed", 200, id="allowed"), pytest.param("other", 422, id="refused")],
)
def test_a_policy_reads_the_version_that_it_names(
    world: World, bind: Bind, named: str, written: str, wanted: str, code: int
) -> None:
    """The class of a request stands where the policy's version has it."""
    bind(named, expression=f'object.{CLASS[named]} == "allowed"')

    expect.same(code_of(world, claim_in(written, wanted, "claim")), code, path="code")


@pytest.mark.requirement("DRA-AUT-44")
@VERSIONS
def test_a_policy_reads_old_objects_so(world: World, bind: Bind, named: str, written: str) -> None:
    """So does what stood there before an update."""
    made = world.create(claim_in(written, "allowed", "claim"))
    bind(
        named, expression=f'request.operation == "CREATE" || oldObject.{CLASS[named]} == "allowed"'
    )

    expect.same(code_of(world, made, "PUT"), 200, path="code")


@pytest.mark.requirement("DRA-AUT-45")
@VERSIONS
def test_an_exact_policy_is_asked_about_its_version(
    world: World, bind: Bind, named: str, written: str
) -> None:
    """What it refuses in the version that it names passes in another one."""
    bind(named, policy="Exact")

    expect.same(code_of(world, claim_in(written, "some-class", "refused")), 200, path="code")


@pytest.mark.requirement("DRA-AUT-46")
@VERSIONS
@pytest.mark.parametrize("what", ["Kind", "Resource"])
def test_a_policy_is_told_both_versions(
    world: World, bind: Bind, named: str, written: str, what: str
) -> None:
    """The request names the policy's version and, beside it, that of the write."""
    told = f'request.{what.lower()}.version == "{named}"'
    requested = f'request.request{what}.version == "{written}"'
    bind(named, expression=f"{told} && {requested}")

    expect.same(code_of(world, claim_in(written, "some-class", "claim")), 200, path="code")
