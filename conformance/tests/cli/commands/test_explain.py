"""``explain`` as a person uses it."""

from __future__ import annotations

import pytest

from conformance.catalogue import loading
from conformance.cli.main import main


@pytest.mark.parametrize("name", ["DRA-BND-03a", "dra-bnd-03a"])
def test_one_requirement_is_explained(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["explain", name])

    out = " ".join(capsys.readouterr().out.split())
    assert code == 0
    assert out.startswith("DRA-BND-03a MUST scheduler Where no other timeout is configured,")
    assert "source How DRA Works, section “Device binding conditions”" in out
    assert "1.35 alpha (off), 1.36 beta" in out
    assert "profiles extended/DRADeviceBindingConditions" in out


@pytest.mark.parametrize("name", ["DRA-BND-03", "dra-bnd-03"])
def test_a_family_explains_all_of_its_parts(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(["explain", name])

    out = capsys.readouterr().out
    assert out.startswith("DRA-BND-03a")
    assert "\n\nDRA-BND-03b  MUST  scheduler\n" in out


def test_a_gap_gives_its_reason_and_a_note_how_the_source_is_read(
    capsys: pytest.CaptureFixture[str],
) -> None:
    main(["explain", "DRA-HLT-19"])
    fact = capsys.readouterr().out
    main(["explain", "DRA-PST-07b"])
    gap = capsys.readouterr().out

    assert "note        kubectl 1.37.2 does not print the field" in fact
    assert "gap         not-testable: A 1.37.2 controller fails" in gap


@pytest.mark.parametrize("name", sorted(loading.load().requirements))
def test_every_requirement_can_be_explained(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", name]) == 0
    assert name in capsys.readouterr().out


def test_an_unknown_id_suggests_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["explain", "DRA-POR-02"])

    out, err = capsys.readouterr()
    assert code == 2
    assert out == ""
    assert "no requirement is called 'DRA-POR-02'; did you mean 'DRA-POR-01'?" in err


def test_policies_that_judge_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    main(["explain", "DRA-ADM-07b"])
    main(["list", "--only", "DRA-ADM-07b"])

    out = capsys.readouterr().out
    assert "policy      driver-liveness-probe: " in out
    assert "1 policy" in out


def test_help_shows_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "--help"]) == 0
    assert "dra-conformance explain DRA-BND-03" in capsys.readouterr().out
