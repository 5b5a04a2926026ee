"""Lint finds what is wrong in either direction, and says where.

The law of these tests is a small one, with a suite that judges the first two requirements, a gap
for the third and a policy for the fifth; each test breaks one thing.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from attrs import frozen

from conformance.catalogue import lint, loading

REQUIREMENTS = """# yaml-language-server: $schema=../requirements.schema.json
area: health
requirements:
- id: DRA-HLT-01
  level: MUST
  role: kubelet
  statement: The kubelet MUST do the first thing.
  source: {document: A Document, section: One}
  since: "1.34"
  feature: Health
  check: test
- id: DRA-HLT-02
  level: MAY
  role: driver
  statement: A driver MAY do the second thing.
  source: {document: A Document, section: One}
  since: "1.34"
  check: both
- id: DRA-HLT-03
  level: SHOULD
  role: admin
  statement: An administrator SHOULD do the third thing.
  source: {document: A Document, section: Two}
  since: "1.34"
  check: policy
- id: DRA-HLT-04
  level: INFO
  role: admin
  statement: The fourth thing is a fact.
  source: {document: A Document, section: Two}
  since: "1.34"
  check: none
- id: DRA-ADM-05
  level: SHOULD
  role: admin
  statement: An administrator SHOULD do the fifth thing.
  source: {document: A Document, section: Two}
  since: "1.34"
  check: policy
"""

FEATURES = """# yaml-language-server: $schema=features.schema.json
features:
- name: Health
  sentence: Health is reported.
  gates: [Health]
  stages:
    "1.34": {stage: ga, default: true, locked: false}
"""

PROFILES = """# yaml-language-server: $schema=profiles.schema.json
profiles:
- name: all
  sentence: Everything that there is.
  features: [Health]
  ids: [DRA-HLT-*, DRA-ADM-*]
  kep5970:
    registration: [DRA-HLT-01]
"""

GAPS = """# yaml-language-server: $schema=gaps.schema.json
gaps:
- id: DRA-HLT-03
  kind: policy
  reason: There are no policies here.
"""

WAITS = """# yaml-language-server: $schema=waits.schema.json
waits:
- name: object-served
  seconds: 5
  sentence: An object can be read.
"""

DOCUMENTS = """# yaml-language-server: $schema=documents.schema.json
documents:
- title: A Document
  original: A Document
  sections: {One: One, Two: Two}
"""

SUITE = """import pytest

@pytest.mark.requirement("DRA-HLT-01")
def test_first(): pass

@pytest.mark.requirement("DRA-HLT-02")
def test_second(): pass
"""

FAULTS = """# yaml-language-server: $schema=faults.schema.json
faults:
- name: lazy-kubelet
  sentence: The kubelet does nothing.
  seam: kubelet.work
  breaks: [DRA-HLT-01]
"""

RULES = """area: practice
policies:
- id: fifth-thing-is-done
  requirements: [DRA-ADM-05]
  message: Nobody does the fifth thing.
"""

FILES = {
    "law/requirements/health.yaml": REQUIREMENTS,
    "law/features.yaml": FEATURES,
    "law/profiles.yaml": PROFILES,
    "law/gaps.yaml": GAPS,
    "law/waits.yaml": WAITS,
    "law/documents/books.yaml": DOCUMENTS,
    "suite/test_health.py": SUITE,
    "faults/health.yaml": FAULTS,
    "rules/practice.yaml": RULES,
}


@frozen
class House:
    """A law, a suite and saboteurs in a folder of their own."""

    folder: Path

    def replace(self, file: str, old: str, new: str) -> None:
        """Put ``new`` where ``old`` stands first in a file."""
        path = self.folder / file
        text = path.read_text("utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), "utf-8")

    def findings(self) -> list[str]:
        """Return what lint says."""
        folders = (self.folder / name for name in ("law", "suite", "faults", "rules"))
        return [str(finding) for finding in lint.findings(*folders)]


@pytest.fixture
def house(tmp_path: Path) -> House:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    return House(tmp_path)


def test_a_law_in_order_has_no_findings(house: House) -> None:
    assert house.findings() == []


@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        (
            "suite/test_health.py",
            '"DRA-HLT-02"',
            '"DRA-HLT-02", "DRA-HTL-01"',
            (
                "suite/test_health.py:6:40: no requirement is called 'DRA-HTL-01'; "
                "did you mean 'DRA-HLT-01'?"
            ),
        ),
        (
            "suite/test_health.py",
            '"DRA-HLT-02"',
            '"DRA-HLT-02", "DRA-HLT-02"',
            "suite/test_health.py:6:40: test_second names DRA-HLT-02 twice",
        ),
        (
            "suite/test_health.py",
            '"DRA-HLT-02"',
            '"DRA-HLT-02", SOME_ID',
            "suite/test_health.py:6:40: a marker names its ids as literal texts",
        ),
        (
            "suite/test_health.py",
            '"DRA-HLT-02"',
            '"DRA-HLT-02", "DRA-HLT-04"',
            "suite/test_health.py:6:40: DRA-HLT-04 is not judged by tests: its check is none",
        ),
        (
            "suite/test_health.py",
            '@pytest.mark.requirement("DRA-HLT-02")\n',
            "",
            "law/requirements/health.yaml:12:7: DRA-HLT-02 has neither a check, a policy nor a gap",
        ),
        (
            "law/gaps.yaml",
            "gaps:\n",
            "gaps:\n- {id: DRA-HLT-01, kind: later, reason: Nobody wrote it yet.}\n",
            (
                "law/gaps.yaml:3:8: the gap is stale: suite/test_health.py::test_first judges "
                "DRA-HLT-01"
            ),
        ),
        (
            "law/gaps.yaml",
            "gaps:\n",
            "gaps:\n- {id: DRA-HLT-09, kind: later, reason: Nobody wrote it yet.}\n",
            "law/gaps.yaml:3:8: no requirement is called 'DRA-HLT-09'; did you mean 'DRA-HLT-04'?",
        ),
        (
            "law/gaps.yaml",
            "gaps:\n",
            "gaps:\n- {id: DRA-HLT-04, kind: later, reason: Nobody wrote it yet.}\n",
            "law/gaps.yaml:3:8: DRA-HLT-04 is a fact: it cannot have a gap",
        ),
        (
            "law/gaps.yaml",
            "gaps:\n",
            "gaps:\n- {id: DRA-HLT-03, kind: later, reason: Nobody wrote it yet.}\n",
            "law/gaps.yaml:4:7: the gap 'DRA-HLT-03' stands already at law/gaps.yaml:3:8",
        ),
        (
            "law/profiles.yaml",
            "ids: [DRA-HLT-*, DRA-ADM-*]",
            "ids: [DRA-HLT-0?, DRA-XYZ-*]",
            "law/profiles.yaml:3:9: no requirement matches 'DRA-XYZ-*'",
        ),
        (
            "law/profiles.yaml",
            "ids: [DRA-HLT-*, DRA-ADM-*]",
            "ids: [DRA-HLT-01]",
            "law/requirements/health.yaml:12:7: DRA-HLT-02 is in no profile",
        ),
        (
            "law/profiles.yaml",
            "features: [Health]",
            "features: [Wealth]",
            "law/profiles.yaml:3:9: no feature is called 'Wealth'",
        ),
        (
            "law/profiles.yaml",
            "registration: [DRA-HLT-01]",
            "registration: [DRA-HLT-10]",
            (
                "law/profiles.yaml:3:9: registration: no requirement is called 'DRA-HLT-10'; "
                "did you mean 'DRA-HLT-04'?"
            ),
        ),
        (
            "law/requirements/health.yaml",
            "section: One",
            "section: Three",
            (
                "law/requirements/health.yaml:4:7: DRA-HLT-01 cites 'Three', no section of "
                "'A Document'"
            ),
        ),
        (
            "law/requirements/health.yaml",
            "document: A Document",
            "document: A Book",
            ("law/requirements/health.yaml:4:7: DRA-HLT-01 cites 'A Book', which documents/ lacks"),
        ),
        (
            "law/documents/books.yaml",
            "Two: Two",
            "Two: Two, Three: Three",
            "law/documents/books.yaml:3:10: no requirement cites 'Three' of 'A Document'",
        ),
        (
            "law/requirements/health.yaml",
            "feature: Health",
            "feature: Wealth",
            (
                "law/requirements/health.yaml:4:7: DRA-HLT-01 belongs to 'Wealth', which "
                "features.yaml lacks"
            ),
        ),
        (
            "law/features.yaml",
            "gates: [Health]",
            "gates: [Health]\n  requires: [Wealth]",
            "law/features.yaml:3:9: no feature has the gate 'Wealth'",
        ),
        (
            "faults/health.yaml",
            "breaks: [DRA-HLT-01]",
            "breaks: [DRA-HLT-01, DRA-HLT-10]",
            (
                "faults/health.yaml:3:9: lazy-kubelet: no requirement is called 'DRA-HLT-10'; "
                "did you mean 'DRA-HLT-04'?"
            ),
        ),
        (
            "faults/health.yaml",
            "breaks: [DRA-HLT-01]",
            "breaks: [DRA-HLT-03]",
            "faults/health.yaml:3:9: lazy-kubelet breaks DRA-HLT-03, which no check judges",
        ),
        (
            "law/requirements/health.yaml",
            "MUST do the first",
            "must do the first",
            (
                "law/requirements/health.yaml:7:14: 'The kubelet must do the first thing.' does "
                "not match '\\\\bMUST\\\\b'"
            ),
        ),
        (
            "faults/health.yaml",
            "breaks: [DRA-HLT-01]",
            "breaks: [DRA-HLT-02]",
            "law/requirements/health.yaml:4:7: DRA-HLT-01 has a check that no saboteur fails",
        ),
        (
            "law/waits.yaml",
            "# yaml-language-server: $schema=waits.schema.json\n",
            "",
            "law/waits.yaml:1:1: the first line does not name a schema for editors",
        ),
        (
            "law/waits.yaml",
            "waits.schema.json",
            "wait.schema.json",
            "law/waits.yaml:2:1: no schema is called 'wait.schema.json'",
        ),
    ],
)
def test_each_fault_is_found_where_it_is(
    house: House, file: str, old: str, new: str, expected: str
) -> None:
    house.replace(file, old, new)

    assert expected in house.findings()


def test_other_minors_than_the_rest_are_found(house: House) -> None:
    other = (
        "- name: Other\n  sentence: Another feature.\n  gates: []\n  stages:\n"
        '    "1.35": {stage: ga, default: true, locked: false}\n'
    )
    house.replace("law/features.yaml", FEATURES, FEATURES + other)

    assert house.findings() == [
        "law/features.yaml:8:9: Other has other Kubernetes minors than 1.34"
    ]


def test_a_malformed_law_is_reported_once(house: House) -> None:
    house.replace("law/gaps.yaml", "gaps:\n", "gaps: [\n")

    assert len(house.findings()) == 1


def test_a_suite_that_is_not_python_is_a_finding(house: House) -> None:
    house.replace("suite/test_health.py", "def test_first():", "def test_first(")

    (finding,) = house.findings()
    assert finding.startswith("suite/test_health.py:4:")


def test_the_command_prints_findings_and_ends_with_1(
    house: House, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(house.folder / "suite", house.folder / "other")
    house.replace("other/test_health.py", "DRA-HLT-01", "DRA-XLT-01")
    options = ["--suite", str(house.folder / "other"), "--faults", str(house.folder / "faults")]

    code = lint.main(options)

    out = capsys.readouterr().out.splitlines()
    assert code == 1
    assert any(line.startswith("other/test_health.py:3:26: no requirement") for line in out)


def test_the_command_refuses_a_folder_that_does_not_exist(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        lint.main(["--suite", str(tmp_path / "none")])

    assert caught.value.code == 2
    assert "no such folder" in capsys.readouterr().err


def test_the_law_of_this_program_has_its_schemas_beside_it() -> None:
    first = [path.read_text("utf-8").partition("\n")[0] for path in loading.files()]

    for path, line in zip(loading.files(), first, strict=True):
        _, _, target = line.partition("$schema=")
        assert (path.parent / target).resolve().is_file(), path
