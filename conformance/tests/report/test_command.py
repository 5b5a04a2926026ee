"""``dra-conformance report``: from a journal on disk to documents, or one sentence."""

from __future__ import annotations

import json
import resource
import signal
from pathlib import Path

import pytest

from conformance.cli.main import main
from conformance.evidence.record import Footer
from conformance.plugin.journal_file import JournalFile, JournalFileError, load
from conformance.tests.report import sample

FOOTER = Footer(finished="2026-01-02T03:05:17.678+00:00")
DOCUMENTS = ["junit.xml", "report.html", "report.json", "report.md"]


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "run" / "journal.jsonl"
    with JournalFile(path) as file:
        for event in (sample.header(), *sample.CHECKS, FOOTER):
            file.append(event)
    return path


def test_all_documents_lie_beside_the_journal(
    journal: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", str(journal)]) == 0

    written = sorted(path.name for path in journal.parent.iterdir())
    assert written == ["journal.jsonl", *DOCUMENTS]
    assert "report.html" in capsys.readouterr().out


def test_a_folder_stands_for_the_journal_in_it(journal: Path, tmp_path: Path) -> None:
    assert main(["report", str(journal.parent), "--out", str(tmp_path / "new" / "folder")]) == 0

    assert sorted(path.name for path in (tmp_path / "new" / "folder").iterdir()) == DOCUMENTS


def test_a_single_format_goes_to_standard_output(
    journal: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", str(journal), "--format", "json"]) == 0

    assert json.loads(capsys.readouterr().out)["verdict"] == "not conformant"
    assert [path.name for path in journal.parent.iterdir()] == ["journal.jsonl"]


def test_several_formats_are_written_and_no_others(journal: Path) -> None:
    assert main(["report", str(journal), "--format", "json", "--format", "junit"]) == 0

    assert {path.name for path in journal.parent.iterdir()} == {
        "journal.jsonl",
        "report.json",
        "junit.xml",
    }


def test_a_journal_that_was_cut_short_renders_and_says_so(
    journal: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal.write_bytes(journal.read_bytes()[:-20])

    assert main(["report", str(journal), "--format", "markdown"]) == 0

    captured = capsys.readouterr()
    assert "The run was cut short" in captured.err
    assert "The run was cut short" in captured.out


@pytest.mark.parametrize(
    ("content", "says"),
    [
        pytest.param(None, "cannot be read: No such file or directory", id="missing"),
        pytest.param(b"", "is no journal: line 1: the journal is empty", id="empty"),
        pytest.param(b"\x89PNG\xff\x00\n\x01", "is no journal: line 1: no JSON", id="garbage"),
        pytest.param(b'{"event": "check"}\n', "is no journal: line 1: a check", id="no header"),
    ],
)
def test_what_is_no_journal_gets_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes | None, says: str
) -> None:
    path = tmp_path / "journal.jsonl"
    if content is not None:
        path.write_bytes(content)

    assert main(["report", str(path)]) == 2

    captured = capsys.readouterr()
    assert says in captured.err
    assert captured.err.count("\n") == 1
    assert captured.out == ""


def test_an_unknown_format_is_refused(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(journal), "--format", "pdf"]) == 2

    assert "'pdf' is not one of" in capsys.readouterr().err


def test_a_folder_that_cannot_be_written_gets_one_sentence(
    journal: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    blocked = journal.parent / "blocked"
    blocked.write_text("a file")

    assert main(["report", str(journal), "--out", str(blocked / "below")]) == 2

    assert capsys.readouterr().err.splitlines()[-1].startswith("dra-conformance: cannot write")


def test_a_full_disk_gets_one_sentence_and_leaves_no_half_document(
    journal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    folder = tmp_path / "full"
    folder.mkdir()
    (folder / ".report.html.part").symlink_to("/dev/full")

    assert main(["report", str(journal), "--format", "html", "--out", str(folder)]) == 2

    assert "No space left on device" in capsys.readouterr().err
    assert list(folder.iterdir()) == []


def test_a_journal_on_a_full_disk_says_so(tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    path = tmp_path / "journal.jsonl"
    path.symlink_to("/dev/full")

    with (
        JournalFile(path) as file,
        pytest.raises(JournalFileError, match=r"cannot be written: No space left on device"),
    ):
        file.append(sample.header())


def test_an_event_that_does_not_fit_is_taken_back(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        with JournalFile(path) as file:
            file.append(sample.header())
            resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 300, hard))
            with pytest.raises(JournalFileError, match="File too large"):
                file.append(sample.CHECKS[0])
            file.append(FOOTER)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, handler)

    journal = load(path)
    assert journal.checks == ()
    assert journal.footer == FOOTER
