"""Recorded answers of upstream: a corpus of drawn questions, and scenarios that once differed.

``python -m conformance.tests.differential.cel.recording`` draws the corpus anew, with the same
seed, and asks the oracle again about it and about every scenario file.
"""

from __future__ import annotations

import json
import lzma
import random
from pathlib import Path
from typing import Any

from conformance.tests.differential.cel import oracle
from conformance.tests.differential.cel.drawing import question
from conformance.tests.differential.cel.known import excuse
from conformance.tests.differential.cel.question import Answer, Question, ours
from conformance.tests.differential.inventory import Dice

CORPUS = Path(__file__).with_name("recordings") / "selectors.jsonl.xz"
SCENARIOS = Path(__file__).with_name("scenarios")
SIZE, _SEED = 1200, 1637


def corpus() -> list[tuple[Question, Answer]]:
    """Return the recorded questions with upstream's answers."""
    with lzma.open(CORPUS, "rt", encoding="utf-8") as lines:
        return [(one["question"], one["upstream"]) for one in map(json.loads, lines)]


def scenarios() -> dict[str, dict[str, Any]]:
    """Return the scenarios by their names."""
    return {
        path.stem: json.loads(path.read_text("utf-8")) for path in sorted(SCENARIOS.glob("*.json"))
    }


def drawn(upstream: oracle.Oracle) -> list[dict[str, Any]]:
    """Return questions with upstream's answers, but for those that may be answered otherwise."""
    source = random.Random(_SEED)
    found: list[dict[str, Any]] = []
    while len(found) < SIZE:
        asked = question(Dice(source.randrange))
        answer = upstream.ask(asked)
        mine = ours(asked)
        if mine == answer or not excuse(asked, mine, answer):
            found.append({"question": asked, "upstream": answer})
    return found


def main() -> None:
    with oracle.running() as upstream:
        found = drawn(upstream)
        for path in sorted(SCENARIOS.glob("*.json")):
            written = json.loads(path.read_text("utf-8"))
            written["upstream"] = upstream.ask(written["question"])
            path.write_text(json.dumps(written, indent=1) + "\n", "utf-8")
    CORPUS.parent.mkdir(exist_ok=True)
    with lzma.open(CORPUS, "wt", encoding="utf-8", preset=9) as lines:
        for one in found:
            lines.write(json.dumps(one) + "\n")
    print(f"{len(found)} questions, {CORPUS.stat().st_size} bytes; {len(scenarios())} scenarios")


if __name__ == "__main__":
    main()
