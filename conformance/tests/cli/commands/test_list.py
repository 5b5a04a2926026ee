"""``list`` as a person or a program uses it."""

from __future__ import annotations

import json

import pytest

from conformance.catalogue import loading
from conformance.cli.main import main


def test_text_has_one_line_for_each_requirement(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["list"])

    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert code == 0
    assert [line.split()[0] for line in lines] == list(loading.load().requirements)
    assert err == f"{len(lines)} of {len(lines)} requirements\n"


def test_json_has_everything_about_a_requirement(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["list", "--format", "json", "--only", "DRA-BND-05"])

    (row,) = json.loads(capsys.readouterr().out)
    assert code == 0
    assert row["id"] == "DRA-BND-05"
    assert (row["level"], row["role"], row["since"]) == ("MUST", "scheduler", "1.34")
    assert row["source"]["document"] == "How DRA Works"
    assert row["profiles"] == ["extended/DRADeviceBindingConditions"]
    assert {"statement", "feature", "checks", "saboteurs", "gap", "note"} <= row.keys()


def test_json_of_everything_is_one_array(capsys: pytest.CaptureFixture[str]) -> None:
    main(["list", "--format", "json"])

    assert len(json.loads(capsys.readouterr().out)) == len(loading.load().requirements)


def test_profile_and_skip_restrict(capsys: pytest.CaptureFixture[str]) -> None:
    main(["list", "--profile", "driver/core", "--skip", "DRA-WF-*"])

    names = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert names == [f"DRA-DRV-{number:02}" for number in range(1, 12)]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--profile", "cor"], "no profile is called 'cor'; did you mean 'core'?"),
        (["--only", "DRA-BDN-01"], "no requirement is called 'DRA-BDN-01'; did you mean"),
        (["--format", "yaml"], "'yaml' is not one of 'text', 'json'"),
    ],
)
def test_a_wrong_question_is_refused(
    options: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(["list", *options])

    out, err = capsys.readouterr()
    assert code == 2
    assert out == ""
    assert sentence in err
