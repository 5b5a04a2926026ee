"""Questions to the allocator, and answers in a form that two allocators can share.

A scenario is JSON: ``claims``, ``slices``, ``classes``, ``node``, ``inUse`` (allocation results
of other claims) and ``gates`` (feature gates that differ from the defaults of 1.37).

An answer is what was allocated, nothing where the claims do not fit, or the kind of an error.
Share ids are drawn by chance and therefore only noted as present.
"""

from __future__ import annotations

import json
import re
from typing import Any

from conformance.dra.allocation import AllocationError, InUse, allocate
from conformance.dra.features import GATES, Features

Scenario = dict[str, Any]
Answer = dict[str, Any]

#: What a message must contain to be of a kind; wording beyond that may differ.
_KINDS = {
    "feature disabled": r"feature is disabled",
    "class missing": r"could not retrieve device class",
    "too many devices": r"exceeds the claim limit",
    "capacity cannot be counted": r"cannot be represented in the device's range arithmetic",
    "negative capacity": r"capacity value is negative",
    "derived attribute does not compile": r"compile derived attribute",
    "derived attribute fails": r"evaluate derived attribute",
    "expression does not compile": r"CEL compile error",
    "expression fails": r"CEL runtime error",
    "all of a pool that is updated": r"asks for all devices, .* currently being updated",
    "all of a pool that is invalid": r"asks for all devices, .* currently invalid",
    "all against a constraint": r"constraint would not be satisfied",
}
#: Upstream reports a contradictory pool as an error of one node, after which others are tried.
_NODE_ONLY = "invalid resource pools were encountered"


def features(scenario: Scenario) -> Features:
    return Features(gates=scenario.get("gates") or {})


def question(scenario: Scenario) -> str:
    """Return the line that the oracle reads."""
    asked = {key: value for key, value in scenario.items() if key != "gates"}
    known = features(scenario)
    return json.dumps({**asked, "features": [gate for gate in GATES if known.enabled(gate)]})


def ours(scenario: Scenario) -> Answer:
    """Ask our allocator."""
    # It may not change what it is asked about, nor may answers share objects with it.
    asked = json.loads(json.dumps(scenario))
    try:
        found = allocate(
            asked["claims"],
            slices=asked["slices"],
            classes={one["metadata"]["name"]: one for one in asked["classes"]},
            node=asked["node"],
            allocated=InUse.of(asked["inUse"]),
            features=features(asked),
        )
    except AllocationError as error:
        return {"error": kind(str(error))}
    return {"allocated": normal(found)}


def theirs(answer: dict[str, Any]) -> Answer:
    """Read what the oracle answered; raises ``ValueError`` where it did not understand."""
    if answer.get("malformed"):
        raise ValueError(f"the oracle does not understand: {answer['malformed']}")
    message = answer.get("error", "")
    if message and _NODE_ONLY not in message:
        return {"error": kind(message)}
    return {"allocated": normal(answer["result"])}


def kind(message: str) -> str:
    """Return the kind of an error; raises ``ValueError`` for one that is not known."""
    for name, pattern in _KINDS.items():
        if re.search(pattern, message):
            return name
    raise ValueError(f"an error of no known kind: {message}")


def normal(found: Any) -> Any:
    """Leave out empty fields, and the identity of shares."""
    if isinstance(found, list):
        return [normal(one) for one in found]
    if not isinstance(found, dict):
        return found
    named = {key: normal(value) for key, value in found.items()}
    kept = {key: value for key, value in named.items() if value not in (None, [], {}, "")}
    if "shareID" in kept:
        kept["shareID"] = "present"
    return kept
