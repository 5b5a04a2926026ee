"""The document as JSON with stable bytes; shape: ``schemas/policy/findings.schema.json``."""

from __future__ import annotations

import json
from typing import Any

from conformance.policy.model import Finding, Place
from conformance.report.lint.document import API_VERSION, Findings


def to_json(document: Findings) -> str:
    """Return the document as text that ends with a newline."""
    text = json.dumps(to_document(document), indent=2, ensure_ascii=False, allow_nan=False)
    return f"{text}\n"


def to_document(document: Findings) -> dict[str, Any]:
    """Return the document as JSON values."""
    return {
        "apiVersion": API_VERSION,
        "kind": "Findings",
        "verdict": document.verdict.value,
        "summary": document.summary,
        "toolVersion": document.tool_version,
        "failOn": document.fail_on.value,
        "scope": {
            "name": document.scope.name,
            "files": document.scope.files,
            "others": document.scope.others,
            "warnings": list(document.scope.warnings),
            "notes": list(document.scope.notes),
        },
        "objects": document.objects,
        "findings": [_finding(one) for one in document.findings],
        "excused": [
            {**_finding(one.finding), "reason": one.reason, "by": one.by}
            for one in document.excused
        ],
        "troubles": [{**_place(one.place), "message": one.sentence} for one in document.troubles],
        "policies": [
            {
                "id": one.id,
                "level": one.level.value,
                "requirements": list(one.requirements),
                "message": one.message,
                "applied": one.applied,
                "found": one.found,
            }
            for one in document.rules
        ],
        "ignored": dict(document.ignored),
    }


def _finding(one: Finding) -> dict[str, Any]:
    return {
        **_place(one.place),
        "object": one.object,
        "path": one.path,
        "id": one.id,
        "policy": one.policy,
        "level": one.level.value,
        "message": one.message,
    }


def _place(place: Place) -> dict[str, Any]:
    return {"file": place.file, "line": place.line or None, "column": place.column or None}
