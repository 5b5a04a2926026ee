"""Lines of a journal: there and back, torn, cut short, or something else altogether."""

from __future__ import annotations

import json
from collections.abc import Iterable

import attrs
import pytest

from conformance.evidence.journal import JournalError, decode, encode
from conformance.evidence.record import (
    CheckRecord,
    Clause,
    Event,
    Exhibit,
    Footer,
    Header,
    Note,
    Target,
)

HEADER = Header(
    tool_version="0.0.0",
    run_id="test-run",
    target=Target(name="made up", kind="bundled", facts={"Nodes": "2"}),
    started="2026-01-02T03:04:05+00:00",
    command=("dra-conformance", "run"),
    feature_gates={"TestFeature": True},
    seed=7,
    clauses=(Clause(id="T-1", level="MUST", role="driver", statement="문장", source="document"),),
)
CHECK = CheckRecord(
    check="test_a",
    requirements=("T-1",),
    outcome="failed",
    message="line\u2028separator",
    exhibits=(Exhibit(kind="log", title="output", body="a\nb"),),
    parameters={"row": "first"},
    virtual_seconds=600.0,
)
NOTE = Note(message="clean-up took long")
FOOTER = Footer(finished="2026-01-02T03:04:06+00:00")


def text_of(*events: Event) -> str:
    return "".join(encode(event) for event in events)


def test_events_come_back_as_they_were() -> None:
    journal = decode(text_of(HEADER, CHECK, NOTE, FOOTER).split("\n"))

    assert journal.header == HEADER
    assert journal.checks == (CHECK,)
    assert journal.notes == (NOTE,)
    assert journal.footer == FOOTER
    assert journal.complete
    assert not journal.torn


def test_an_event_is_one_line_of_utf8() -> None:
    check = CheckRecord(check="a", requirements=(), outcome="errored", message="x\ny \udcff z")

    line = encode(check)

    assert line.count("\n") == 1
    assert line.encode("utf-8")


def test_secrets_never_reach_a_line() -> None:
    exhibit = Exhibit(kind="http", title="GET /", body="Authorization: Bearer aGlkZGVu")

    assert "aGlkZGVu" not in encode(
        CheckRecord(check="a", requirements=(), outcome="passed", exhibits=(exhibit,))
    )


def test_the_law_is_no_secret_whatever_it_is_called() -> None:
    header = attrs.evolve(HEADER, profile_sentences={"authorization": "Who may do what."})

    assert decode([encode(header)]).header.profile_sentences == header.profile_sentences


def test_a_missing_footer_means_cut_short() -> None:
    journal = decode(text_of(HEADER, CHECK).split("\n"))

    assert journal.truncated
    assert not journal.complete


def test_an_interrupted_run_is_not_complete() -> None:
    footer = Footer(finished="2026-01-02T03:04:06+00:00", interrupted=True, reason="Ctrl-C")

    journal = decode(text_of(HEADER, CHECK, footer).split("\n"))

    assert not journal.truncated
    assert not journal.complete


def test_a_torn_last_line_is_left_out_wherever_it_is_torn() -> None:
    whole = text_of(HEADER, CHECK)
    start = len(text_of(HEADER)) + 1

    for cut in range(start, len(whole) - 1, 7):
        journal = decode(whole[:cut].split("\n"))
        assert journal.torn
        assert journal.checks == ()


@pytest.mark.parametrize(
    ("lines", "line", "says"),
    [
        pytest.param([], 1, "empty", id="nothing"),
        pytest.param(["hello"], 1, "no JSON", id="a word"),
        pytest.param(["[1]"], 1, "expected an object", id="a list"),
        pytest.param([encode(CHECK)], 1, "starts with its header", id="no header"),
        pytest.param([encode(HEADER), encode(HEADER)], 2, "second header", id="two headers"),
        pytest.param([encode(HEADER), "{", encode(FOOTER)], 2, "no JSON", id="torn in between"),
        pytest.param([encode(HEADER), '{"event": "dance"}'], 2, "'dance'", id="unknown event"),
        pytest.param([encode(HEADER), '{"event": []}'], 2, "unknown event", id="event no name"),
        pytest.param(
            [encode(HEADER), '{"event": "footer", "finished": NaN}', ""], 2, "NaN", id="NaN"
        ),
        pytest.param(
            [encode(HEADER), '{"event": "footer"}'], 2, "wrong shape", id="a field is missing"
        ),
        pytest.param(
            [encode(HEADER), '{"event": "footer", "finished": 3}'], 2, "wrong shape", id="a type"
        ),
        pytest.param(
            [encode(HEADER), encode(CHECK).replace('"failed"', '"nice"')], 2, "nice", id="outcome"
        ),
        pytest.param(
            [encode(HEADER), encode(CHECK).replace('["T-1"]', '"T-1"')], 2, "T-1", id="no list"
        ),
    ],
)
def test_what_is_no_journal_is_refused_with_its_line(
    lines: Iterable[str], line: int, says: str
) -> None:
    with pytest.raises(JournalError) as caught:
        decode(lines)

    assert caught.value.line == line
    assert f"line {line}: " in str(caught.value)
    assert says in str(caught.value)


def test_another_version_is_refused_by_number() -> None:
    fields = {**json.loads(encode(HEADER)), "format_version": 2}

    with pytest.raises(JournalError, match="format version 2; this version of the tool reads 1"):
        decode([json.dumps(fields)])
