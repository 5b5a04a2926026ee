"""How the checks are spread over several instances of a driver."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from conformance.catalogue import proofs
from conformance.cli.certifying import paces
from conformance.cli.certifying.lanes import Lanes, spread
from conformance.cli.certifying.paces import KNOWN, Paces
from conformance.evidence.record import Footer
from conformance.evidence.verdict import Outcome
from conformance.report.build import build
from conformance.tests.report import sample

SUITE = "conformance/suite/"
LONG = f"{SUITE}driver_lifecycle/test_credentials.py::test_another_token_is_taken_up"
SHORT = [f"{SUITE}driver/test_claims.py::test_{number}" for number in range(8)]


def expecting(*checks: str) -> Paces:
    """Return what is expected of a run in which all of these were asked for."""
    return Paces(asked=frozenset(check.partition("[")[0] for check in checks))


class Worker:
    """A worker of pytest-xdist, as far as a scheduler knows one."""

    def __init__(self, number: int) -> None:
        self.gateway = SimpleNamespace(id=f"gw{number}")
        self.shutting_down = False
        self.sent: list[int] = []

    def send_runtest_some(self, indices: list[int]) -> None:
        self.sent += indices

    def shutdown(self) -> None:
        self.shutting_down = True


def scheduled(checks: list[str], *workers: Worker) -> Lanes:
    """Return a scheduler that has given its checks to workers, each of which collected all."""
    config = cast("Any", SimpleNamespace(getvalue=lambda _name: ["popen"] * len(workers)))
    lanes = Lanes(config, None, lambda given, count: spread(given, count, expecting(*given)))
    for one in cast("Any", workers):
        lanes.add_node(one)
        lanes.add_node_collection(one, checks)
    lanes.schedule()
    return lanes


def test_a_long_check_has_an_instance_to_itself() -> None:
    found = spread([*SHORT, LONG], 2, expecting(*SHORT, LONG))

    assert found == [[LONG], SHORT]


def test_every_check_is_run_once_and_by_the_same_instance_again() -> None:
    checks = [*SHORT[4:], LONG, *SHORT[:4]]

    found = spread(checks, 3, expecting(*checks))

    assert sorted(check for lane in found for check in lane) == sorted(checks)
    assert found == spread(checks, 3, expecting(*checks))


def test_the_given_order_is_kept_within_an_instance() -> None:
    checks = SHORT[::-1]

    found = spread(checks, 3, expecting(*checks))

    assert all(lane == sorted(lane, key=checks.index) for lane in found)


def test_what_was_not_asked_for_weighs_nothing() -> None:
    found = spread([LONG, *SHORT], 2, expecting(*SHORT))

    assert sorted(map(len, found)) == [4, 5]


def test_an_earlier_run_knows_what_is_long() -> None:
    checks = (sample.check(Outcome.PASSED, 1), sample.check(Outcome.PASSED, 2))
    slow = checks[0].check
    then = build(sample.journal(checks=checks, footer=Footer(finished="")))

    known = Paces(asked=frozenset({slow}), earlier=then)

    assert known.of(slow) == checks[0].seconds
    assert expecting(slow).of(slow) == paces.USUAL


def test_fewer_checks_than_instances_leave_some_out() -> None:
    assert spread(SHORT[:1], 3, expecting(*SHORT)) == [SHORT[:1]]


def test_every_worker_gets_its_checks_and_ends() -> None:
    first, second = Worker(0), Worker(1)

    # Which of them was ready first decides nothing.
    scheduled([*SHORT, LONG], second, first)

    assert (first.sent, second.sent) == ([8], [0, 1, 2, 3, 4, 5, 6, 7])
    assert first.shutting_down
    assert second.shutting_down


def test_the_successor_of_a_worker_runs_what_is_left() -> None:
    workers = Worker(0), Worker(1)
    lanes = scheduled([*SHORT, LONG], *workers)
    broken, successor = cast("Any", workers[1]), cast("Any", Worker(2))
    lanes.mark_test_complete(broken, 0)

    crashed = lanes.remove_node(broken)
    lanes.add_node(successor)
    lanes.add_node_collection(successor, [*SHORT, LONG])
    lanes.schedule()

    assert crashed == SHORT[1]
    assert successor.sent == [2, 3, 4, 5, 6, 7]


def test_every_check_that_is_known_exists() -> None:
    checks = {one.nodeid for one in proofs.collect().checks}
    modules = {one.partition("::")[0] for one in checks}
    named = {one.partition("[")[0] for one in KNOWN}

    assert named <= checks | modules
