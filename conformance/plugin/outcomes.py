"""What an exception means: only a ``Violation`` accuses the target."""

from __future__ import annotations

import traceback
from collections.abc import Collection, Mapping

import attrs

from conformance.evidence.record import Exhibit
from conformance.evidence.verdict import Outcome
from conformance.harness.errors import HarnessError, Undecided, Unsupported

#: Lines of a traceback that are kept of what broke on our side.
_TRACE_LINES = 60


@attrs.frozen(kw_only=True)
class Finding:
    """What one check came to."""

    outcome: Outcome
    message: str = ""
    exhibits: tuple[Exhibit, ...] = ()


#: A check that ended without an exception.
PASSED = Finding(outcome=Outcome.PASSED)


def of(error: BaseException) -> Finding:
    """Return what an exception of a check means."""
    if isinstance(error, AssertionError):
        return Finding(outcome=Outcome.FAILED, message=_sentence(error))
    if isinstance(error, Unsupported):
        return Finding(outcome=Outcome.UNSUPPORTED, message=error.reason)
    if isinstance(error, Undecided):
        return Finding(outcome=Outcome.INCONCLUSIVE, message=_sentence(error))
    if isinstance(error, HarnessError):
        return Finding(outcome=Outcome.ERRORED, message=_sentence(error))
    lines = "".join(traceback.format_exception(error)).splitlines()[-_TRACE_LINES:]
    trace = Exhibit(kind="log", title="where it broke", body="\n".join(lines))
    message = f"{type(error).__name__}: {_sentence(error)}"
    return Finding(outcome=Outcome.ERRORED, message=message, exhibits=(trace,))


def because(finding: Finding, sources: Collection[str]) -> Finding:
    """Return a failure with the documents that it is a failure by."""
    if finding.outcome is not Outcome.FAILED or not sources:
        return finding
    cited = "; ".join(dict.fromkeys(sources))
    return attrs.evolve(finding, message=f"{finding.message}; because ({cited})")


def waived(finding: Finding, ids: Collection[str], reasons: Mapping[str, str]) -> Finding:
    """Return a failure as waived if every requirement that it accuses is."""
    if finding.outcome is not Outcome.FAILED or not all(one in reasons for one in ids):
        return finding
    why = "; ".join(dict.fromkeys(reasons[one] for one in ids))
    return attrs.evolve(
        finding, outcome=Outcome.WAIVED, message=f"waived: {why}; {finding.message}"
    )


def _sentence(error: BaseException) -> str:
    text = str(error).strip() or type(error).__name__
    return text.split("\n\n", maxsplit=1)[0]
