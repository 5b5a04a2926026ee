"""Agreement is counted over what both targets decided, and over nothing else."""

from __future__ import annotations

import pytest

from conformance.tests.upstream.lane.journals import journal
from conformance.upstream.lane import agreement, pages


def compared(ours: dict[str, str], theirs: dict[str, str]) -> agreement.Agreement:
    return agreement.compare(journal(ours), journal(theirs))


@pytest.mark.parametrize(
    ("ours", "theirs", "agrees"),
    [
        ("passed", "passed", True),
        ("failed", "failed", True),
        ("passed", "failed", False),
        ("failed", "passed", False),
        ("passed", "unsupported", None),
        ("inconclusive", "passed", None),
        ("errored", "failed", None),
    ],
)
def test_one_check(ours: str, theirs: str, agrees: bool | None) -> None:
    found = compared({"DRA-X-1/c": ours}, {"DRA-X-1/c": theirs})

    assert [row.agrees for row in found.rows] == [agrees]
    assert (found.agreeing, found.comparable) == (int(agrees is True), int(agrees is not None))


def test_a_requirement_is_judged_by_the_checks_that_both_decided() -> None:
    found = compared(
        {"DRA-X-1/a": "passed", "DRA-X-1/b": "failed"},
        {"DRA-X-1/a": "passed", "DRA-X-1/b": "unsupported"},
    )

    (row,) = found.rows
    assert (row.agrees, row.shared) == (True, 1)
    assert row.reason == "bundled: it failed; upstream: it unsupported"


def test_a_requirement_that_one_target_never_met_can_not_be_compared() -> None:
    found = compared({"DRA-X-1/a": "passed"}, {})

    assert [(row.id, row.agrees, row.upstream) for row in found.rows] == [
        ("DRA-X-1", None, "notrun")
    ]


@pytest.mark.parametrize(
    ("now", "fell"),
    [
        ({"DRA-X-1/a": "passed", "DRA-X-2/b": "passed"}, False),
        ({"DRA-X-1/a": "passed", "DRA-X-2/b": "failed"}, True),
        ({"DRA-X-1/a": "passed", "DRA-X-2/b": "unsupported"}, True),
        ({"DRA-X-1/a": "passed", "DRA-X-2/b": "passed", "DRA-X-3/c": "failed"}, True),
    ],
    ids=["the same", "one differs", "one can not be told any more", "a new one differs"],
)
def test_it_may_not_fall(now: dict[str, str], fell: bool) -> None:
    theirs = {"DRA-X-1/a": "passed", "DRA-X-2/b": "passed", "DRA-X-3/c": "passed"}
    before = compared({"DRA-X-1/a": "passed", "DRA-X-2/b": "passed"}, theirs)

    assert compared(now, theirs).falls_below(before) is fell


def test_json_and_back() -> None:
    found = compared({"DRA-X-1/a": "passed"}, {"DRA-X-1/a": "failed", "DRA-X-2/b": "passed"})

    assert pages.from_json(pages.to_json(found)) == found


@pytest.mark.parametrize("text", ["[]", "{}", '{"format_version": 9}', "no json"])
def test_other_json_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"agreement|JSON|Expecting"):
        pages.from_json(text)


def test_what_differs_is_shown_first() -> None:
    found = compared(
        {"DRA-X-1/a": "passed", "DRA-X-2/b": "passed"},
        {"DRA-X-1/a": "passed", "DRA-X-2/b": "failed"},
    )

    markdown, html = pages.to_markdown(found), pages.to_html(found)

    assert "agrees with Kubernetes 1.37 on 1 of 2 comparable requirements" in markdown
    assert markdown.index("DRA-X-2") < markdown.index("DRA-X-1")
    assert html.index('id="DRA-X-2" class="differ"') < html.index('id="DRA-X-1" class="agree"')


def test_what_a_target_said_is_text_on_the_page() -> None:
    found = agreement.Agreement(
        version="1.37",
        rows=(
            agreement.Row(
                id="DRA-X-1",
                statement="<b>",
                bundled=agreement.Outcome.PASSED,
                upstream=agreement.Outcome.FAILED,
                agrees=False,
                shared=1,
                reason="<script>|</script>",
            ),
        ),
    )

    assert "<script>" not in pages.to_html(found)
    assert "<script>" not in pages.to_markdown(found)
