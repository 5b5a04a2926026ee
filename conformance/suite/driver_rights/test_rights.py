"""Too few rights, too many, and rights in the wrong place."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.bench.bench import Bench
from conformance.harness.bench.conduct import elsewhere, rights
from conformance.harness.target import NODE_ACCESS

pytestmark = pytest.mark.needs(NODE_ACCESS)


@pytest.mark.requirement("DRA-DRT-01")
def test_the_driver_may_do_what_it_does(bench: Bench) -> None:
    """Nothing that the driver tries is denied to its account."""
    acts = rights.tried(bench)

    expect.same(rights.denied(acts), [], path="acts of the driver that were denied")


@pytest.mark.requirement("DRA-DRT-02")
def test_the_driver_has_no_rights_that_it_does_not_use(bench: Bench) -> None:
    """Its account holds what its kind of driver needs, and what it was seen to use."""
    acts = rights.exercised(bench)

    unused = rights.unused(bench, acts)

    expect.same(unused, [], path="rights of the driver's account")


@pytest.mark.requirement("DRA-DRT-03")
def test_the_credentials_of_a_node_write_no_slice_of_another(bench: Bench) -> None:
    """What a token of the driver may do on its own node it may not do on another one."""
    with elsewhere.writer(bench) as writer:
        writer.writes_at_home()

        writer.is_refused_elsewhere()
