"""The report document: what every format shows, already counted, sorted and worded."""

from __future__ import annotations

from attrs import frozen

from conformance.evidence.record import Clause, Exhibit, Target
from conformance.evidence.verdict import Outcome, Verdict

#: Version of the document, as ``report.json`` carries it.
API_VERSION = "report.dra-conformance/v1"


@frozen(kw_only=True)
class Check:
    """One check that ran, and its evidence."""

    name: str
    outcome: Outcome
    message: str
    requirements: tuple[str, ...]
    parameters: dict[str, str]
    seconds: float
    virtual_seconds: float | None
    worker: str
    exhibits: tuple[Exhibit, ...]


@frozen(kw_only=True)
class Requirement:
    """One requirement, judged."""

    clause: Clause
    outcome: Outcome
    #: Why it has this outcome; empty for a pass.
    reason: str
    #: True where nothing was found out about the target: see ``group``.
    untested: bool
    #: Names of the checks that judged it, worst first.
    checks: tuple[str, ...]
    #: The command that judges it again; empty where no check exists.
    reproduce: str


@frozen(kw_only=True)
class Tally:
    """How the requirements of one profile, feature, role or level came out."""

    name: str
    sentence: str
    total: int
    #: Number of requirements by outcome, every outcome present.
    counts: dict[str, int]


@frozen(kw_only=True)
class Run:
    """How the run was made."""

    id: str
    tool_version: str
    command: str
    target: Target
    feature_gates: dict[str, bool]
    #: Profiles that were asked for; empty means all.
    profiles: tuple[str, ...]
    seed: int | None
    max_wait_seconds: float | None
    started: str
    #: Empty where the journal has no footer.
    finished: str
    #: From start to finish by the wall clock; nothing where the run has no finish.
    duration_seconds: float | None
    #: Sum of the real time of all checks; more than the duration where workers ran in parallel.
    check_seconds: float
    #: Sum of the time on the target's clock; nothing where no clock was virtual.
    virtual_seconds: float | None


@frozen(kw_only=True)
class Report:
    """A run, as a document."""

    verdict: Verdict
    #: The verdict in a sentence, with the numbers that it rests on.
    summary: str
    #: What a reader must know before believing the verdict: truncated, interrupted, narrowed.
    warnings: tuple[str, ...]
    run: Run
    #: Requirements by outcome, every outcome present.
    counts: dict[str, int]
    #: Checks by outcome, every outcome present.
    check_counts: dict[str, int]
    profiles: tuple[Tally, ...]
    features: tuple[Tally, ...]
    roles: tuple[Tally, ...]
    levels: tuple[Tally, ...]
    #: Worst first, then by id.
    requirements: tuple[Requirement, ...]
    #: In the order in which they ran.
    checks: tuple[Check, ...]
    notes: tuple[str, ...]
