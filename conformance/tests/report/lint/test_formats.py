"""Every format of what policies said is valid, complete and stable."""

from __future__ import annotations

import json
from xml.etree import ElementTree as ET

import pytest
from jsonschema import Draft4Validator, Draft202012Validator

from conformance import data
from conformance.catalogue import loading as catalogue
from conformance.catalogue.model import Position
from conformance.cel import compile_expression
from conformance.evidence.verdict import Verdict
from conformance.policy.model import (
    VARIABLES,
    Excused,
    Finding,
    Judgement,
    Level,
    Match,
    Place,
    Policy,
    Trouble,
)
from conformance.report.lint.document import Findings, Scope, build
from conformance.report.lint.formats import FILES, FORMATS

MUST = Policy(
    id="heavy",
    area="small",
    requirements=("DRA-ADM-01", "DRA-ADM-02"),
    match=Match(kinds=("Pod",)),
    require=compile_expression("true", VARIABLES),
    message="Something heavy is wrong.",
    at=None,
    show=None,
    level=Level.MUST,
    position=Position(file="small.yaml", line=1, column=1),
)
WHOLE = Place(file="a b/pods.yaml", line=1, column=1)


def finding(level: Level, policy: str = "heavy", line: int = 7) -> Finding:
    return Finding(
        id="DRA-ADM-01",
        policy=policy,
        level=level,
        message="Something <b>heavy</b> is wrong.\x1b[31m",
        place=Place(file="a b/pods.yaml", line=line, column=3),
        whole=WHOLE,
        object="Pod one/a",
        path="spec",
    )


def document(
    *findings: Finding, troubles: tuple[Trouble, ...] = (), fail_on: Level = Level.SHOULD
) -> Findings:
    judgement = Judgement(
        findings=findings,
        excused=(Excused(finding=finding(Level.MUST), reason="Known.", by="annotation"),),
        troubles=troubles,
        applied={"heavy": 2},
        judged=2,
        ignored={"ConfigMap": 1},
    )
    scope = Scope(name="manifests", files=1, others=1, warnings=("Beware.",), notes=("Seen.",))
    return build(judgement, [MUST], catalogue.load(), scope, (fail_on, "1.2.3"))


EVERYTHING = document(
    finding(Level.ADVICE, line=9),
    finding(Level.MUST),
    finding(Level.SHOULD, policy="excuse", line=2),
    troubles=(Trouble(place=Place(file="b.yaml", line=3, column=1), sentence="is not YAML"),),
)
NOTHING = document()


@pytest.mark.parametrize(
    ("levels", "fail_on", "verdict"),
    [
        ((), Level.SHOULD, Verdict.CONFORMANT),
        ((Level.ADVICE,), Level.SHOULD, Verdict.CONFORMANT),
        ((Level.SHOULD,), Level.SHOULD, Verdict.NOT_CONFORMANT),
        ((Level.SHOULD,), Level.MUST, Verdict.CONFORMANT),
        ((Level.MUST,), Level.MUST, Verdict.NOT_CONFORMANT),
    ],
)
def test_the_verdict_is_that_of_the_level(
    levels: tuple[Level, ...], fail_on: Level, verdict: Verdict
) -> None:
    assert document(*map(finding, levels), fail_on=fail_on).verdict is verdict


def test_what_could_not_be_judged_leaves_the_verdict_open() -> None:
    trouble = Trouble(place=WHOLE, sentence="is not YAML")

    assert document(troubles=(trouble,)).verdict is Verdict.INCOMPLETE
    assert document(finding(Level.MUST), troubles=(trouble,)).verdict is Verdict.NOT_CONFORMANT


def test_the_summary_counts() -> None:
    assert EVERYTHING.summary == (
        "1 must, 0 should, 1 advice in 2 objects; 1 excuse to mend; 1 excused; 1 not judged; "
        "1 object of kinds without policies."
    )


def test_text_has_one_line_for_each_finding_in_the_order_of_files() -> None:
    lines = FORMATS["text"](EVERYTHING).splitlines()

    assert [line.split(" ")[1].split(":")[1] for line in lines] == ["2", "7", "9"]
    assert lines[1] == (
        "a b/pods.yaml:7:3: must DRA-ADM-01 heavy: Pod one/a: Something <b>heavy</b> is wrong."
    )


@pytest.mark.parametrize("what", [EVERYTHING, NOTHING], ids=["everything", "nothing"])
def test_json_has_the_shape_of_its_schema(what: Findings) -> None:
    schema = json.loads(data.schemas("policy", "findings.schema.json").read_text("utf-8"))
    Draft202012Validator.check_schema(schema)

    assert list(Draft202012Validator(schema).iter_errors(json.loads(FORMATS["json"](what)))) == []


@pytest.mark.parametrize("what", [EVERYTHING, NOTHING], ids=["everything", "nothing"])
def test_sarif_has_the_shape_of_its_standard(what: Findings) -> None:
    schema = json.loads(data.schemas("sarif", "sarif-schema-2.1.0.json").read_text("utf-8"))
    log = json.loads(FORMATS["sarif"](what))

    assert list(Draft4Validator(schema).iter_errors(log)) == []


def test_sarif_says_where_how_heavy_and_what_is_excused() -> None:
    (run,) = json.loads(FORMATS["sarif"](EVERYTHING))["runs"]

    assert [one["level"] for one in run["results"]] == ["warning", "error", "note", "error"]
    place = run["results"][1]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "a%20b/pods.yaml"
    assert place["region"] == {"startLine": 7, "startColumn": 3}
    assert run["results"][3]["suppressions"] == [{"kind": "inSource", "justification": "Known."}]
    assert run["tool"]["driver"]["rules"][run["results"][1]["ruleIndex"]]["id"] == "heavy"
    assert "\x1b" not in FORMATS["sarif"](EVERYTHING)


def test_junit_has_a_case_for_each_policy() -> None:
    root = ET.fromstring(FORMATS["junit"](EVERYTHING))

    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("2", "1", "1")
    failure = root.find(".//testcase[@name='heavy']/failure")
    assert failure is not None
    assert "a b/pods.yaml:7:3: Pod one/a" in (failure.text or "")


def test_html_shows_everything_and_runs_nothing() -> None:
    page = FILES["report.html"](EVERYTHING)

    assert "Something &lt;b&gt;heavy&lt;/b&gt; is wrong." in page
    assert "<script" not in page
    for text in ("a b/pods.yaml:7:3", "Beware.", "Seen.", "Known.", "is not YAML", "ConfigMap 1"):
        assert text in page


@pytest.mark.parametrize("name", list(FILES))
def test_the_same_findings_give_the_same_bytes(name: str) -> None:
    assert FILES[name](EVERYTHING) == FILES[name](EVERYTHING)
