"""Hunt for scenarios that are answered differently; record some with upstream's answer.

``python -m conformance.tests.differential.hunt --count 20000 --seed 1`` prints how many
answers were compared, of what sort they were, and each difference, made as small as it goes.
``--record FILE...`` asks the oracle again for scenario files and writes down its answers.

120 000 scenarios (seeds 401 and 402, 60 000 each) were answered as the allocators of Kubernetes
1.37.2 answer them, none differently: 35 241 fits, 65 645 without one, 19 114 errors. They
mix classes, selectors, alternatives, constraints over single values and lists, derived
attributes, counts and all devices, administrative access, taints and tolerations, binding
conditions, partitions with counters and compatibility groups, shared devices with consumed
capacity, ranges with fractions and amounts that nobody can count in, opaque configurations,
incomplete, invalid and contradictory pools, devices in use (some of them shared no longer, or
not published any more), node operations that may be left out, and gates that are on or off.
"""

from __future__ import annotations

import argparse
import collections
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from conformance.tests.differential import oracle
from conformance.tests.differential.drawing import scenario
from conformance.tests.differential.inventory import Dice
from conformance.tests.differential.scenario import Answer, Scenario, ours

#: Fields that an object stays well-formed without.
OPTIONAL = [
    "adminAccess",
    "allowMultipleAllocations",
    "attributes",
    "bindingConditions",
    "bindingFailureConditions",
    "bindsToNode",
    "capacity",
    "config",
    "constraints",
    "compatibilityGroups",
    "consumesCounters",
    "consumedCapacity",
    "derivedAttributes",
    "requestPolicy",
    "selectors",
    "shareID",
    "skipNodeOperations",
    "taints",
    "tolerations",
    "DRAConsumableCapacity",
    "DRADeviceBindingConditions",
    "DRADeviceTaints",
    "DRAPartitionableDevices",
    "DRAOptionalNodeOperations",
    "model",
    "index",
    "firmware",
    "memory",
    "cores",
    "common.example.com/links",
    "common.example.com/numa",
    "DRADerivedAttributes",
    "DRADeviceCompatibilityGroups",
    "DRAFractionalCapacityRange",
    "DRAListTypeAttributes",
]


def differs(asked: Scenario, upstream: oracle.Oracle) -> bool:
    return ours(asked) != upstream.ask(asked)


def smallest(asked: Scenario, upstream: oracle.Oracle) -> Scenario:
    """Take away from the scenario what the difference does not need."""
    found = True
    while found:
        found = False
        for less in _smaller(asked):
            if differs(less, upstream):
                asked, found = less, True
                break
    return asked


def _smaller(asked: Scenario) -> Iterator[Scenario]:
    for path in [one for one in _paths(asked) if len(one) > 1]:
        less = json.loads(json.dumps(asked))
        target: Any = less
        for step in path[:-1]:
            target = target[step]
        del target[path[-1]]
        # What is needed may not become empty.
        if target or path[-2] not in {"requests", "firstAvailable", "claims", "values"}:
            yield less


def _paths(value: Any) -> Iterator[list[Any]]:
    """Return where something can be taken away, the large things first."""
    items: list[tuple[Any, Any]] = []
    if isinstance(value, list):
        items = list(enumerate(value))
    elif isinstance(value, dict):
        items = list(value.items())
    for key, _ in items:
        if isinstance(value, list) or key in OPTIONAL:
            yield [key]
    for key, below in items:
        for path in _paths(below):
            yield [key, *path]


def sort_of(answer: Answer) -> str:
    if "error" in answer:
        return f"error: {answer['error']}"
    return "no fit" if answer["allocated"] is None else "fit"


def hunt(count: int, seed: int, upstream: oracle.Oracle) -> list[Scenario]:
    """Return the smallest form of every scenario that is answered differently."""
    source = random.Random(seed)
    sorts: collections.Counter[str] = collections.Counter()
    different: list[Scenario] = []
    for done in range(count):
        if done and done % 1000 == 0:
            print(f"{done} compared, {len(different)} different", flush=True)
        asked = scenario(Dice(source.randrange))
        answer = upstream.ask(asked)
        sorts[sort_of(answer)] += 1
        if ours(asked) != answer:
            different.append(smallest(asked, upstream))
            print(json.dumps(different[-1]), flush=True)
    print(f"{count} compared, {len(different)} different; upstream: {dict(sorts)}")
    return different


def record(path: Path, upstream: oracle.Oracle) -> None:
    """Write upstream's answer into a scenario file."""
    written = json.loads(path.read_text("utf-8"))
    written["upstream"] = upstream.ask(written["scenario"])
    path.write_text(json.dumps(written, indent=1) + "\n", "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--record", type=Path, nargs="*", default=[])
    wanted = parser.parse_args()
    with oracle.running() as upstream:
        for path in wanted.record:
            record(path, upstream)
        if wanted.record:
            return
        for asked in hunt(wanted.count, wanted.seed, upstream):
            print("  ours:    ", json.dumps(ours(asked)))
            print("  upstream:", json.dumps(upstream.ask(asked)))


if __name__ == "__main__":
    main()
