"""Hunt for questions that are answered differently.

``python -m conformance.tests.differential.cel.hunt --count 20000 --seed 1`` prints how many
answers were compared, of what sort they were, and each difference.
"""

from __future__ import annotations

import argparse
import collections
import json
import random

from conformance.tests.differential.cel import oracle
from conformance.tests.differential.cel.drawing import question
from conformance.tests.differential.cel.known import excuse
from conformance.tests.differential.cel.question import Question, ours, sort_of, theirs
from conformance.tests.differential.inventory import Dice


def hunt(count: int, seed: int, upstream: oracle.Oracle, shown: int) -> list[Question]:
    """Return every question that is answered differently, without excuse."""
    source = random.Random(seed)
    sorts: collections.Counter[str] = collections.Counter()
    excuses: collections.Counter[str] = collections.Counter()
    different: list[Question] = []
    for _ in range(count):
        asked = question(Dice(source.randrange))
        raw = upstream.raw(asked)
        answer, mine = theirs(raw), ours(asked)
        sorts[sort_of(answer)] += 1
        if mine == answer:
            continue
        reason = excuse(asked, mine, answer)
        if reason:
            excuses[reason] += 1
            continue
        different.append(asked)
        if len(different) <= shown:
            _show(asked, raw, mine, answer)
    print(f"{count} compared, {len(different)} different")
    for title, counted in (("upstream", sorts), ("known differences", excuses)):
        print(f"{title}:")
        for name, number in counted.most_common():
            print(f"  {number:6} {name}")
    return different


def _show(asked: Question, raw: object, mine: object, answer: object) -> None:
    print(json.dumps(asked))
    print("  ours:    ", json.dumps(mine))
    print("  upstream:", json.dumps(answer))
    print("  raw:     ", json.dumps(raw), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--shown", type=int, default=20)
    wanted = parser.parse_args()
    with oracle.running() as upstream:
        different = hunt(wanted.count, wanted.seed, upstream, wanted.shown)
    raise SystemExit(1 if different else 0)


if __name__ == "__main__":
    main()
