"""What a probe wrote is read report by report."""

from __future__ import annotations

import base64

import pytest

from conformance.harness.errors import Violation
from conformance.harness.observe import probe

PATH = f"{probe.METADATA_ROOT}/resourceclaims/claim/gpu/d.example-metadata.json"


def lines(text: str, mode: str = "ro") -> str:
    content = base64.b64encode(text.encode()).decode()
    said = ["env A=1=2", "env EMPTY=", "device /dev/null"]
    said += [f"mount {PATH} {mode}", f"file {PATH} {content}", "end"]
    return "".join(f"{line}\n" for line in said)


def test_a_report_has_environment_devices_and_files() -> None:
    (report,) = probe.parse(lines('{"a": 1}'))

    assert report.environment == {"A": "1=2", "EMPTY": ""}
    assert report.devices == ("/dev/null",)
    assert report.file("resourceclaims/claim/gpu/d.example-metadata.json").mode == "ro"
    assert report.named("d.example-metadata.json").objects() == [{"a": 1}]


def test_a_report_tells_what_may_be_used() -> None:
    (report,) = probe.parse("limit memory 67108864\nlimit cpu max\noom -997\nend\n")

    assert report.limits == {"memory": "67108864", "cpu": "max"}
    assert report.oom == -997


def test_an_unfinished_report_is_not_there_yet() -> None:
    assert len(probe.parse(lines("{}") + "env LATE=1\n")) == 1


def test_a_stream_holds_several_objects() -> None:
    (report,) = probe.parse(lines('{"a": 1}\n{"b": 2}\n'))

    assert report.files[PATH].objects() == [{"a": 1}, {"b": 2}]


@pytest.mark.parametrize("text", ["{", "[1, 2", "nonsense"], ids=["cut off", "a list", "no JSON"])
def test_what_is_no_stream_accuses(text: str) -> None:
    (report,) = probe.parse(lines(text))

    with pytest.raises(Violation, match="a stream of JSON objects"):
        report.files[PATH].objects()


def test_a_missing_file_accuses_and_names_what_is_there() -> None:
    (report,) = probe.parse(lines("{}"))

    with pytest.raises(Violation, match="resourceclaims/claim/gpu"):
        report.named("other-metadata.json")
    with pytest.raises(Violation, match="expected a metadata file"):
        report.file("resourceclaims/other")


def test_the_command_is_the_probe_of_the_fixtures() -> None:
    shell, flag, script = probe.command()

    assert (shell, flag) == ("sh", "-c")
    assert "# dra-conformance-probe: report" in script
