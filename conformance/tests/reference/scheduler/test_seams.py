"""Every seam that is offered is described, and every seam that is described is offered."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import conformance.reference
from conformance.reference.controllers.seams import SEAMS as CONTROLLERS
from conformance.reference.controllers.seams import SIMPLIFICATIONS as OF_CONTROLLERS
from conformance.reference.scheduler.seams import SEAMS as SCHEDULER
from conformance.reference.scheduler.seams import SIMPLIFICATIONS as OF_SCHEDULER

REFERENCE = Path(conformance.reference.__file__).parent


@pytest.mark.parametrize(
    ("component", "seams"), [("controllers", CONTROLLERS), ("scheduler", SCHEDULER)]
)
def test_seams_are_those_of_the_table(component: str, seams: dict[str, str]) -> None:
    offered = {
        name
        for path in (REFERENCE / component).rglob("*.py")
        for name in re.findall(r'wrap\(\s*"([^"]+)"', path.read_text("utf-8"))
    }

    assert offered == set(seams)


@pytest.mark.parametrize("sentences", [OF_CONTROLLERS, OF_SCHEDULER])
def test_simplifications_are_sentences(sentences: tuple[str, ...]) -> None:
    assert all(sentence.endswith(".") for sentence in sentences)
    assert len(set(sentences)) == len(sentences)
