"""Every format: valid, stable, complete, and safe with hostile evidence."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree as ET

import jsonschema
import pytest

from conformance import data
from conformance.evidence import journal as lines
from conformance.evidence.verdict import Outcome
from conformance.report import formats
from conformance.report.build import build
from conformance.report.model import Report
from conformance.tests.report import sample

VOID = {"br", "hr", "img", "input", "link", "meta", "wbr"}


@pytest.fixture(scope="module")
def report() -> Report:
    return build(sample.journal())


@pytest.mark.parametrize("name", formats.FORMATS)
def test_the_same_journal_gives_the_same_bytes(name: str) -> None:
    events = [sample.header(), *sample.CHECKS, *sample.journal().notes, sample.journal().footer]
    text = "".join(lines.encode(event) for event in events)

    one, other = (build(lines.decode(text.split("\n"))) for _ in range(2))

    assert formats.render(one, name) == formats.render(other, name)


@pytest.mark.parametrize("name", formats.FORMATS)
@pytest.mark.parametrize("changes", [{"footer": None}, {"checks": ()}], ids=["cut", "no check"])
def test_a_run_that_ended_early_has_every_format(name: str, changes: dict[str, Any]) -> None:
    assert formats.render(build(sample.journal(**changes)), name)


def test_json_keeps_to_its_schema(report: Report) -> None:
    schema = json.loads(data.schemas("report", "report.schema.json").read_text(encoding="utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    validator.check_schema(schema)

    document = json.loads(formats.render(report, "json"))

    validator.validate(document)
    assert document["requirements"][0]["id"] == "DRA-TEST-04"
    assert document["run"]["featureGates"] == {"AnotherTestFeature": False, "TestFeature": True}


def test_junit_accuses_of_failures_alone(report: Report) -> None:
    suite = ET.fromstring(formats.render(report, "junit").encode()).find("testsuite")
    found = {
        case.find("properties/property[@name='outcome']").get("value"): next(
            (child.tag for child in case if child.tag != "properties"), None
        )
        for case in suite.iter("testcase")
    }

    assert found == {
        "passed": None,
        "failed": "failure",
        "errored": "error",
        "inconclusive": "error",
        "waived": "skipped",
        "unsupported": "skipped",
        "skipped": "skipped",
    }
    numbers = {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")}
    assert numbers == {"tests": "9", "failures": "1", "errors": "2", "skipped": "3"}


def test_junit_names_the_requirements_of_each_check(report: Report) -> None:
    root = ET.fromstring(formats.render(report, "junit").encode())
    case = root.find("testsuite/testcase[@name='test_number_1']")
    ids = [each.get("value") for each in case.findall("properties/property[@name='requirement']")]

    assert case.get("classname") == "conformance.suite.test_area.test_promise"
    assert ids == ["DRA-TEST-01", "DRA-TEST-02"]


def test_junit_survives_what_xml_cannot_hold() -> None:
    hostile = "bell \x07 null \x00 surrogate \ud800 end ]]> <a>&\ufffe"
    broken = sample.check(Outcome.FAILED, 1, message=hostile)

    text = formats.render(build(sample.journal(checks=(broken,))), "junit")

    failure = ET.fromstring(text.encode("utf-8")).find("testsuite/testcase/failure")
    assert failure.text == "bell \ufffd null \ufffd surrogate \ufffd end ]]> <a>&\ufffd"


def test_markdown_lets_no_markup_through(report: Report) -> None:
    text = formats.render(report, "markdown")

    assert text.startswith("# DRA conformance: Made-up cluster of the tests is not conformant\n")
    assert "<script>" not in text.replace(r"\<script\>", "")
    rows = [line for line in text.splitlines() if line.startswith("| DRA-TEST-04")]
    assert len(re.findall(r"(?<!\\)\|", rows[0])) == 6


class Page(HTMLParser):
    """What the tests need to know about a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open = []
        self.ids = []
        self.links = []
        self.tags = []
        self.details_open = {}
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the element, its id and its links."""
        values = dict(attrs)
        self.tags.append(tag)
        self.links += [values[name] for name in ("src", "href") if name in values]
        if "id" in values:
            self.ids.append(values["id"])
            self.details_open[values["id"]] = "open" in values
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Expect the element that was opened last."""
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def page(report: Report) -> Page:
    return Page(formats.render(report, "html"))


def test_html_is_well_formed_with_unique_ids(page: Page) -> None:
    assert page.open == []
    assert len(page.ids) == len(set(page.ids))
    assert {"header", "nav", "main", "footer", "h1"} <= set(page.tags)


def test_html_fetches_nothing_and_every_link_has_its_place(page: Page, report: Report) -> None:
    assert all(link.startswith("#") for link in page.links)
    assert {link[1:] for link in page.links} <= set(page.ids)
    text = formats.render(report, "html")
    assert not re.search(r"@import|url\(|https?://", text)
    assert "default-src 'none'" in text


def test_html_shows_every_requirement_and_opens_the_failed(page: Page) -> None:
    cards = {name: is_open for name, is_open in page.details_open.items() if "DRA-" in name}

    assert sorted(cards) == [clause.id for clause in sample.CLAUSES]
    assert [name for name, is_open in cards.items() if is_open] == ["DRA-TEST-04"]


def test_html_runs_no_script_of_the_evidence(page: Page, report: Report) -> None:
    assert page.tags.count("script") == 1
    assert "&lt;script&gt;alert(" in formats.render(report, "html")


def test_html_tells_outcomes_in_words(report: Report) -> None:
    text = formats.render(report, "html")

    for outcome in ("passed", "failed", "errored", "inconclusive", "waived", "unsupported"):
        assert f"</span>{outcome}</span>" in text
    assert "</span>not run</span>" in text


@pytest.mark.parametrize("name", ["html", "junit", "markdown"])
def test_colours_of_a_terminal_are_left_out(name: str) -> None:
    coloured = sample.check(Outcome.FAILED, 1, message="\x1b[1;31mred\x1b[0m\x07 alert")

    text = formats.render(build(sample.journal(checks=(coloured,))), name)

    assert "red\ufffd alert" in text
    assert "\x1b" not in text


def test_html_says_that_a_run_was_cut_short() -> None:
    text = formats.render(build(sample.journal(footer=None)), "html")

    assert "The run was cut short: its journal has no footer." in text


def test_html_tells_which_faults_break_what_and_what_no_fault_breaks() -> None:
    clauses = (sample.clause(1), sample.clause(2, saboteurs=()), sample.clause(3, saboteurs=()))
    checks = tuple(sample.check(Outcome.PASSED, number) for number in (1, 2))

    text = formats.render(
        build(sample.journal(header=sample.header(clauses=clauses), checks=checks)), "html"
    )

    row = '<code>break-promise-1</code></th><td><a href="#DRA-TEST-01">DRA-TEST-01</a></td>'
    unproven = 'broken by no fault: <a href="#DRA-TEST-02">DRA-TEST-02</a></p>'
    assert row in text
    assert unproven in text


def test_html_keeps_the_evidence_of_a_pass_short_and_of_a_failure_whole() -> None:
    long = sample.Exhibit(kind="log", title="output", body="x" * 5000)
    checks = (
        sample.check(Outcome.PASSED, 1, exhibits=(long,) * 20),
        sample.check(Outcome.FAILED, 2, exhibits=(long,) * 20),
    )

    text = formats.render(build(sample.journal(checks=checks)), "html")

    assert text.count("x" * 5000) == 20
    assert "16 more in report.json." in text
