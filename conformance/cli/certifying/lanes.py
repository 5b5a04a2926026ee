"""Which instance of the driver gets which checks, decided before the first one runs.

Nothing depends on who is done first: the same checks, seed and number of instances give every
instance the same checks in the same order, so that what went wrong can be had again.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import pytest
from xdist.scheduler.loadscope import LoadScopeScheduling

from conformance.cli.certifying.paces import Paces

if TYPE_CHECKING:
    from xdist.remote import Producer
    from xdist.workermanage import WorkerController


def spread(checks: Sequence[str], count: int, paces: Paces) -> list[list[str]]:
    """Return the checks of each instance: the longest first to whoever has least so far.

    Within one instance the order is the one that was given.
    """
    place = {check: number for number, check in enumerate(checks)}
    lanes: list[list[str]] = [[] for _ in range(count)]
    loads = [(0.0, number) for number in range(count)]
    for check in sorted(checks, key=lambda check: -paces.of(check)):
        load, number = heapq.heappop(loads)
        lanes[number].append(check)
        heapq.heappush(loads, (load + paces.of(check), number))
    return [sorted(lane, key=place.__getitem__) for lane in lanes if lane]


class Spreading:
    """A plugin of pytest that hands the checks to the instances."""

    def __init__(self, paces: Paces) -> None:
        self._paces = paces

    def pytest_xdist_make_scheduler(self, config: pytest.Config, log: Producer) -> Lanes:
        """Return who does so, in place of pytest-xdist's own."""
        return Lanes(config, log, lambda checks, count: spread(checks, count, self._paces))


class Lanes(LoadScopeScheduling):
    """Gives each worker of pytest-xdist one list of checks, all at once."""

    def __init__(
        self,
        config: pytest.Config,
        log: Producer,
        divide: Callable[[Sequence[str], int], list[list[str]]],
    ) -> None:
        super().__init__(config, log)
        self._divide = divide
        self._lane: dict[str, str] = {}

    def _split_scope(self, nodeid: str) -> str:
        return self._lane[nodeid]

    def schedule(self) -> None:
        """Give every worker its checks, or those of a worker that died to its successor."""
        if self.collection is not None:
            for node in self.nodes:
                self._reschedule(node)
        elif self._check_nodes_have_same_collection():
            self.collection = list(next(iter(self.registered_collections.values())))
            self._begin(self.collection)

    def _begin(self, checks: list[str]) -> None:
        workers = sorted(self.nodes, key=lambda node: number_of(node.gateway.id))
        for number, lane in enumerate(self._divide(checks, len(workers))):
            self.workqueue[str(number)] = dict.fromkeys(lane, False)
            self._lane.update(dict.fromkeys(lane, str(number)))
        for node in workers[: len(self.workqueue)]:
            self._assign_work_unit(node)
        for node in workers:
            # Nothing is left to wait for: it ends after its checks.
            self._reschedule(node)

    def remove_node(self, node: WorkerController) -> str | None:
        """Return the check with which a worker died; its others wait for a successor."""
        for lane, checks in self.assigned_work.pop(node).items():
            left = [check for check, done in checks.items() if not done]
            if left:
                checks[left[0]] = True
                if left[1:]:
                    self.workqueue[lane] = checks
                return left[0]
        return None


def number_of(worker: str) -> int:
    """Return the number in the name of a worker, such as ``gw3``."""
    return int(worker.removeprefix("gw"))
