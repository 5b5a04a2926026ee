"""A component takes its gates and runs on, or ends by itself."""

from __future__ import annotations

import pytest

from conformance.harness.errors import TargetMisconfigured, Undecided
from conformance.harness.programs import component
from conformance.harness.programs.component import CommandComponent

GATES = {"B": False, "A": True}


def test_the_gates_are_spelled_as_a_flag_wants_them() -> None:
    found = CommandComponent("sh -c 'echo {gates}; exit 2'").refusal(GATES)

    assert found == "A=true,B=false (it ended with 2)"


def test_what_runs_on_has_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(component, "_STARTED", 0.05)

    assert CommandComponent("sh -c ': {gates}; exec sleep 60'").refusal(GATES) == ""


def test_a_command_without_a_place_for_the_gates_is_refused() -> None:
    with pytest.raises(TargetMisconfigured, match="must say where the gates go"):
        CommandComponent("true")


def test_nothing_is_judged_where_the_component_never_starts() -> None:
    with pytest.raises(Undecided, match="does not start at all: nothing"):
        component.starts(CommandComponent("sh -c 'exit 1' {gates}"), GATES)
