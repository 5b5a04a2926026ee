"""Questions to a compiler of device selectors, and answers that two of them can share.

A question is JSON: ``expression``, ``driver``, ``device`` (an entry of a ResourceSlice) and
``gates`` (``multi``, ``lists``: what admission knows). An answer says for ``new`` expressions
and for ``stored`` ones whether they compile, what the worst case costs, and what the device gets:
yes, no, or the kind of an error.
"""

from __future__ import annotations

import json
from typing import Any

from conformance import cel

Question = dict[str, Any]
Answer = dict[str, Any]

#: What a message must contain to be of a kind; wording beyond that may differ.
_KINDS = {
    "cost exceeded": "actual cost limit exceeded",
    "no such key": "no such key",
    "not a boolean": "could not be converted to bool",
}
LIMIT = 1_000_000


def line(asked: Question) -> str:
    """Return the line that the oracle reads."""
    gates = asked["gates"]
    features = {
        "EnableConsumableCapacity": gates["multi"],
        "EnableListTypeAttributes": gates["lists"],
    }
    return json.dumps({**{key: asked[key] for key in _ASKED}, "features": features})


_ASKED = ("expression", "driver", "device")


def ours(asked: Question) -> Answer:
    """Ask our compiler."""
    gates = asked["gates"]
    answer: Answer = {}
    try:
        fresh = cel.compile_selector(
            asked["expression"],
            multi_allocation=gates["multi"],
            list_attributes=gates["lists"],
        )
        answer["new"] = fresh.cost
    except cel.CompileError:
        answer["new"] = None
    try:
        stored = cel.compile_selector(asked["expression"])
    except cel.CompileError:
        return {**answer, "stored": False}
    answer["stored"] = True
    try:
        return {**answer, "matches": stored.matches(asked["driver"], asked["device"])}
    except cel.EvaluationError as error:
        return {**answer, "error": kind(str(error))}


def theirs(answer: dict[str, Any]) -> Answer:
    """Read what the oracle answered; raises ``ValueError`` where it did not understand."""
    if answer.get("malformed"):
        raise ValueError(f"the oracle does not understand: {answer['malformed']}")
    fresh, stored = answer["new"], answer["stored"]
    found: Answer = {"new": None if "error" in fresh else fresh["cost"]}
    found["stored"] = "error" not in stored
    if not found["stored"]:
        return found
    if answer["matches"] is None:
        return {**found, "error": kind(answer["error"])}
    return {**found, "matches": answer["matches"]}


def kind(message: str) -> str:
    """Return the kind of an error."""
    for name, part in _KINDS.items():
        if part in message:
            return name
    return "other"


def sort_of(answer: Answer) -> str:
    """Return the answer in a word, for counting."""
    if not answer["stored"]:
        return "does not compile"
    suffix = ""
    if answer["new"] is None:
        suffix = ", not for admission"
    elif answer["new"] > LIMIT:
        suffix = ", too costly for admission"
    if "error" in answer:
        return f"error: {answer['error']}{suffix}"
    return ("yes" if answer["matches"] else "no") + suffix
