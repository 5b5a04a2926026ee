"""What is refused in the status of a claim."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.dra import validation
from conformance.dra.features import Features
from conformance.tests.dra.objects import DRIVER, changed, claim, exactly, opaque

_CONSUMER = {"resource": "pods", "name": "p", "uid": "u"}
_TIME = "2026-01-02T03:04:05Z"
_CONDITION = {"type": "Ready", "status": "True", "reason": "R", "lastTransitionTime": _TIME}
_UID = "01234567-89ab-cdef-0123-456789abcdef"
_RESULT = {
    "request": "gpu",
    "driver": DRIVER,
    "pool": "p",
    "device": "d",
    "bindingConditions": ["a"],
    "bindingFailureConditions": ["b"],
    "tolerations": [{"operator": "Exists"}],
    "shareID": _UID,
}
_STATUS: dict[str, Any] = {
    "allocation": {
        "devices": {
            "results": [_RESULT],
            "config": [{"source": "FromClass", "requests": ["gpu"], **opaque()}],
        },
        "nodeSelector": {
            "nodeSelectorTerms": [
                {"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["n"]}]}
            ]
        },
    },
    "reservedFor": [_CONSUMER],
    "devices": [
        {
            "driver": DRIVER,
            "pool": "p",
            "device": "d",
            "shareID": _UID,
            "conditions": [_CONDITION],
            "data": {"a": 1},
            "networkData": {
                "interfaceName": "eth0",
                "hardwareAddress": "00:11:22:33:44:55",
                "ips": ["10.9.8.7/24", "2001:db8::1/64"],
            },
        }
    ],
}
_OLD = claim(exactly("gpu"))
_NEW = {**_OLD, "status": _STATUS}
_R = "status.allocation.devices.results.0"
_D = "status.devices.0"
_AT = "status.allocation.devices.results[0]"
_COND = "status.devices[0].conditions"


def _said(new: dict[str, Any], old: dict[str, Any] = _OLD) -> list[tuple[str, str]]:
    errors = validation.update("resourceclaims", new, old, Features(), "status")
    return [(error.path, str(error.kind).removeprefix("FieldValue")) for error in errors]


def test_a_well_formed_status_is_accepted() -> None:
    assert _said(_NEW) == []
    assert _said({**_OLD, "status": {"allocation": {}}}) == []
    assert _said(_OLD, _NEW) == []


_ROWS = [
    ("a user without uid", "status.reservedFor.0", {"resource": "pods", "name": "p"},
        [("status.reservedFor[0].uid", "Required")]),
    ("a user twice", "status.reservedFor", [_CONSUMER, _CONSUMER],
        [("status.reservedFor[1]", "Duplicate")]),
    ("too many users", "status.reservedFor", [_CONSUMER] * 257,
        [("status.reservedFor", "TooMany")]),
    ("reserved, not allocated", "status", {"reservedFor": [_CONSUMER]},
        [("status.reservedFor", "Forbidden")]),
    ("too many results", "status.allocation.devices.results", [_RESULT] * 33,
        [("status.allocation.devices.results", "TooMany")]),
    ("an unknown request", f"{_R}.request", "x", [(f"{_AT}.request", "Invalid")]),
    ("no driver", "status", {"allocation": {"devices": {"results": [{**_RESULT, "driver": ""}]}}},
        [(f"{_AT}.driver", "Required")]),
    ("no pool", "status", {"allocation": {"devices": {"results": [{**_RESULT, "pool": ""}]}}},
        [(f"{_AT}.pool", "Required")]),
    ("no device", "status", {"allocation": {"devices": {"results": [{**_RESULT, "device": ""}]}}},
        [(f"{_AT}.device", "Invalid")]),
    ("a wrong share", "status", {"allocation": {"devices": {"results": [
        {**_RESULT, "shareID": _UID.upper()}]}}}, [(f"{_AT}.shareID", "Invalid")]),
    ("a wrong toleration", f"{_R}.tolerations", [{}],
        [(f"{_AT}.tolerations[0].operator", "Required")]),
    ("success alone", f"{_R}.bindingFailureConditions", [],
        [(f"{_AT}.bindingFailureConditions", "Invalid")]),
    ("an unknown operation", f"{_R}.skipNodeOperations", ["Dance"],
        [(f"{_AT}.skipNodeOperations[0]", "NotSupported")]),
    ("no source", "status.allocation.devices.config.0.source", "",
        [("status.allocation.devices.config[0].source", "Required")]),
    ("an unknown source", "status.allocation.devices.config.0.source", "FromSky",
        [("status.allocation.devices.config[0].source", "NotSupported")]),
    ("a configuration of an unknown request", "status.allocation.devices.config.0.requests", ["x"],
        [("status.allocation.devices.config[0].requests[0]", "Invalid")]),
    ("no term", "status.allocation.nodeSelector", {},
        [("status.allocation.nodeSelector.nodeSelectorTerms", "Required")]),
    ("a device that is not allocated", f"{_D}.device", "x", [("status.devices[0]", "Invalid")]),
    ("another share", f"{_D}.shareID", "1", [("status.devices[0].shareID", "Invalid"),
        ("status.devices[0]", "Invalid")]),
    ("a device twice", "status.devices", _STATUS["devices"] * 2,
        [("status.devices[1]", "Duplicate")]),
    ("too many conditions", f"{_D}.conditions",
        [{**_CONDITION, "type": f"C{i}"} for i in range(9)], [(_COND, "TooMany")]),
    ("a condition twice", f"{_D}.conditions", [_CONDITION] * 2, [(f"{_COND}[1]", "Duplicate")]),
    ("an empty condition", f"{_D}.conditions", [{}], [(f"{_COND}[0].{one}", "Required")
        for one in ("type", "status", "lastTransitionTime", "reason")]),
    ("a condition of no name", f"{_D}.conditions.0.type", "-", [(f"{_COND}[0].type", "Invalid")]),
    ("an unknown condition status", f"{_D}.conditions.0.status", "Maybe",
        [(f"{_COND}[0].status", "NotSupported")]),
    ("a reason in words", f"{_D}.conditions.0.reason", "no reason",
        [(f"{_COND}[0].reason", "Invalid")]),
    ("a long reason", f"{_D}.conditions.0.reason", "R" * 1025,
        [(f"{_COND}[0].reason", "TooLong")]),
    ("a long message", f"{_D}.conditions.0.message", "m" * 32769,
        [(f"{_COND}[0].message", "TooLong")]),
    ("data that is no object", f"{_D}.data", "x", [("status.devices[0].data", "Invalid")]),
    ("too much data", f"{_D}.data", {"a": "x" * 10240}, [("status.devices[0].data", "TooLong")]),
    ("a long interface", f"{_D}.networkData.interfaceName", "e" * 257,
        [("status.devices[0].networkData.interfaceName", "TooLong")]),
    ("a long hardware address", f"{_D}.networkData.hardwareAddress", "0" * 129,
        [("status.devices[0].networkData.hardwareAddress", "TooLong")]),
    ("an address without prefix", f"{_D}.networkData.ips", ["10.0.0.1"],
        [("status.devices[0].networkData.ips[0]", "Invalid")]),
    ("no address", f"{_D}.networkData.ips", ["x/8"],
        [("status.devices[0].networkData.ips[0]", "Invalid")]),
    ("an address in other words", f"{_D}.networkData.ips", ["2001:DB8::1/64"],
        [("status.devices[0].networkData.ips[0]", "Invalid")]),
    ("an address twice", f"{_D}.networkData.ips", ["10.0.0.1/8"] * 2,
        [("status.devices[0].networkData.ips[1]", "Duplicate")]),
    ("too many addresses", f"{_D}.networkData.ips", [f"10.0.0.{i}/8" for i in range(17)],
        [("status.devices[0].networkData.ips", "TooMany")]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("path", "value", "said"), [pytest.param(*row[1:], id=row[0]) for row in _ROWS]
)
def test_status(path: str, value: Any, said: list[tuple[str, str]]) -> None:
    assert _said(changed(_NEW, path, value)) == said


def test_what_is_left_out_is_not_wrong() -> None:
    bare = {"driver": DRIVER, "pool": "p", "device": "d"}
    status = {
        "allocation": {"devices": {"results": [{**bare, "request": "gpu"}]}},
        "devices": [bare],
    }

    assert _said({**_OLD, "status": status}) == []


def test_an_allocation_never_changes_but_may_go() -> None:
    other = changed(_NEW, f"{_R}.pool", "q")
    other["status"]["devices"] = []
    released = {**_OLD, "status": {}}

    assert _said(other, _NEW) == [("status.allocation", "Invalid")]
    assert _said(released, _NEW) == []


def test_a_claim_that_is_deleted_gets_no_new_users() -> None:
    deleted = changed(_NEW, "metadata.deletionTimestamp", _TIME)
    more = changed(deleted, "status.reservedFor", [_CONSUMER, {**_CONSUMER, "uid": "v"}])

    assert _said(more, deleted) == [("status.reservedFor", "Forbidden")]
    assert _said(deleted, deleted) == []
