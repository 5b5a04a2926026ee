"""Faults are rows with a saboteur; the honest reference pays nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.reference.faults import registry
from conformance.reference.faults.seams import NONE, Faults


def test_without_faults_a_seam_is_the_function_itself() -> None:
    assert NONE.wrap("any.seam", len) is len


def test_a_saboteur_gets_the_real_function_first() -> None:
    faults = Faults({"a.seam": [lambda real, text: real(text) + 1]})

    assert faults.wrap("a.seam", len)("four") == 5
    assert faults.wrap("other.seam", len)("four") == 4


def test_an_unknown_fault_is_refused() -> None:
    with pytest.raises(registry.UnknownFault, match="'nonsense'"):
        registry.activate(["nonsense"])


@pytest.mark.parametrize("name", sorted(registry.load()))
def test_every_fault_says_what_it_does_and_breaks_something(name: str) -> None:
    fault = registry.load()[name]

    assert fault.sentence.endswith(".")
    assert fault.breaks
    assert registry.activate([name]).wrap(fault.seam, len) is not len


def test_a_saboteur_that_remembers_is_new_for_each_use() -> None:
    first, second = (
        registry.activate(["health-second-pod-forgotten"]).wrap("kubelet.health_entries", len)
        for _ in range(2)
    )

    assert getattr(first, "func") is not getattr(second, "func")  # noqa: B009 - partials


def write(folder: Path, rows: dict[str, str]) -> None:
    """Write a table of independent faults, each with what its row says beside the usual."""
    usual = "sentence: It is wrong., seam: a.seam, breaks: [DRA-X-01]"
    lines = [f"- {{name: {name}, {usual}{more}}}\n" for name, more in rows.items()]
    (folder / "area.yaml").write_text("independent: true\nfaults:\n" + "".join(lines), "utf-8")


def test_what_hides_others_is_committed_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(registry.resources, "files", lambda _: tmp_path)
    write(tmp_path, {"one": "", "two": ", alone: true"})

    found = registry.load.__wrapped__()

    assert {fault.name: fault.group for fault in found.values()} == {"one": "area", "two": ""}


def test_what_needs_another_version_is_committed_in_it_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(registry.resources, "files", lambda _: tmp_path)
    write(tmp_path, {"new": "", "old": ', version: "1.36"'})

    found = registry.load.__wrapped__()

    placed = {fault.name: (fault.version, fault.group) for fault in found.values()}
    assert placed == {"new": ("", "area"), "old": ("1.36", "")}
