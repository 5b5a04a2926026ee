"""A made-up run with every outcome, for the tests of the report. It judges nothing real."""

from __future__ import annotations

import json

from conformance.evidence.journal import Journal
from conformance.evidence.record import (
    CheckRecord,
    Clause,
    Exhibit,
    Footer,
    Header,
    Note,
    Target,
)
from conformance.evidence.verdict import Outcome

DOCUMENT = "Test document, Section of the test"

FAILURE = """\
expected the condition type 'test.example/ready' at `status.devices[0].conditions`, observed none
because the test document says so
try: look at the claim below <script>alert("never runs")</script>"""

CLAIM = json.dumps(
    {"kind": "ResourceClaim", "metadata": {"name": "claim-test"}, "status": {"devices": []}},
    indent=1,
)

EXHIBITS = (
    Exhibit(
        kind="http",
        title="POST /apis/resource.k8s.io/v1/namespaces/test/resourceclaims → 201",
        body=f"> POST /apis/resource.k8s.io/v1\n{CLAIM}\n< 201 after 0.004 s\n{CLAIM}",
    ),
    Exhibit(kind="grpc", title="NodePrepareResources → OK", body='{"claims": []}'),
    Exhibit(kind="object", title="ResourceClaim claim-test as last read", body=CLAIM),
    Exhibit(kind="log", title="last output of the driver", body="\x1b[31mno device\x1b[0m\x00"),
    Exhibit(kind="note", title="captured before teardown"),
)


def clause(number: int, role: str = "scheduler", **changes: object) -> Clause:
    """Return a requirement that nobody wrote."""
    fields: dict[str, object] = {
        "id": f"DRA-TEST-{number:02}",
        "level": "MUST",
        "role": role,
        "statement": f"The {role} MUST keep the promise number {number} of the test document.",
        "source": DOCUMENT,
        "feature": "TestFeature" if number % 2 else "TestFeatureWithARatherLongNameOfItsOwn",
        "profiles": ("core",) if number % 3 else ("core", "extended/TestFeature"),
        "check": "test",
        "saboteurs": (f"break-promise-{number}",),
    }
    return Clause(**{**fields, **changes})


def check(outcome: Outcome, *numbers: int, **changes: object) -> CheckRecord:
    """Return a record of a check that never ran."""
    fields: dict[str, object] = {
        "check": f"conformance/suite/test_area/test_promise.py::test_number_{numbers[0]}",
        "requirements": tuple(f"DRA-TEST-{number:02}" for number in numbers),
        "outcome": outcome,
        "message": "" if outcome is Outcome.PASSED else f"made up to be {outcome}",
        "seconds": 0.034,
        "virtual_seconds": 600.0,
        "exhibits": EXHIBITS,
    }
    return CheckRecord(**{**fields, **changes})


CLAUSES = (
    *(clause(number) for number in range(1, 6)),
    clause(6, role="kubelet", level="SHOULD"),
    clause(7, role="driver", note="The document says one thing, a real cluster another."),
    clause(8, role="controller"),
    clause(9, role="apiserver"),
    clause(10, role="kubelet"),
    clause(11, role="admin", check="", gap="Nothing can violate it.", gap_kind="not-testable"),
    clause(12, role="admin", check="", gap="There are no policies yet.", gap_kind="policy"),
    clause(13, role="workload", level="INFO", check="", feature=""),
    clause(14, role="driver", selected=False),
)

CHECKS = (
    check(Outcome.PASSED, 1, 2),
    check(Outcome.PASSED, 3),
    check(Outcome.FAILED, 4, message=FAILURE, parameters={"condition": "missing"}),
    check(Outcome.ERRORED, 5, message="the connection was lost"),
    check(Outcome.INCONCLUSIVE, 6, message="needs 600 s, allowed are 60 s"),
    check(Outcome.WAIVED, 7, message="waived until the test is over"),
    check(Outcome.UNSUPPORTED, 8, message="the gate TestFeature is off", exhibits=()),
    check(Outcome.SKIPPED, 9, message="chosen by --skip", exhibits=()),
    check(
        Outcome.PASSED,
        4,
        check="conformance/suite/test_area/test_promise.py::test_number_4[present]",
        virtual_seconds=None,
    ),
)


def header(**changes: object) -> Header:
    """Return the header of the made-up run."""
    fields: dict[str, object] = {
        "tool_version": "0.0.0",
        "run_id": "test-run",
        "target": Target(
            name="Made-up cluster of the tests",
            kind="bundled",
            kubernetes_version="1.37",
            facts={"Nodes": "2"},
        ),
        "started": "2026-01-02T03:04:05.678+00:00",
        "command": ("/opt/tools/dra-conformance", "run", "--target", "bundled", "--out", "here"),
        "feature_gates": {"TestFeature": True, "AnotherTestFeature": False},
        "seed": 42,
        "max_wait": 60.0,
        "clauses": CLAUSES,
        "features": {"TestFeature": "A feature that only tests know (beta in 1.37)."},
        "profile_sentences": {"core": "What everybody owes to the tests."},
    }
    return Header(**{**fields, **changes})


def journal(**changes: object) -> Journal:
    """Return the made-up run."""
    fields: dict[str, object] = {
        "header": header(),
        "checks": CHECKS,
        "notes": (Note(message="a namespace of the test took long to go"),),
        "footer": Footer(finished="2026-01-02T03:05:17.678+00:00"),
    }
    return Journal(**{**fields, **changes})
