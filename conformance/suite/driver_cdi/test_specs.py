"""What stands in a spec, and in which version of the specification."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.bench import cdi
from conformance.harness.bench.bench import Bench
from conformance.harness.bench.cdi import Spec
from conformance.harness.target import NODE_ACCESS

pytestmark = pytest.mark.needs(NODE_ACCESS)


@pytest.mark.requirement("DRA-CDI-01")
def test_a_spec_is_valid(bench: Bench) -> None:
    """What the specification allows, and nothing that a loader does not know."""
    answer = bench.prepared(bench.simple())

    specs = bench.folder.read().describing(cdi.ids_of(answer))

    cdi.valid(specs)


@pytest.mark.requirement("DRA-CDI-05")
def test_a_device_has_edits(specs: list[Spec]) -> None:
    """Each device changes something in a container, or no runtime loads its spec."""
    empty = cdi.empty(specs)

    expect.same(empty, [], path="devices[].containerEdits")


@pytest.mark.requirement("DRA-CDI-07")
def test_the_version_is_high_enough(specs: list[Spec]) -> None:
    """A spec says at least the version in which all of its fields are known."""
    wrong = cdi.too_low(specs)

    expect.same(wrong, [], path="cdiVersion")


@pytest.mark.requirement("DRA-CDI-08")
def test_the_version_is_no_higher_than_needed(specs: list[Spec]) -> None:
    """A spec says the lowest version, so that older runtimes load it too."""
    wrong = cdi.too_high(specs)

    expect.same(wrong, [], path="cdiVersion")
