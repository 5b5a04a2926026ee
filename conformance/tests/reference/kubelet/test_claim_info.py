"""What the kubelet knows of claims, in memory and on disk: no sockets needed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from conformance.reference.kubelet.claims.checkpoint import CheckpointError, load, save
from conformance.reference.kubelet.claims.info import (
    SKIP_ALL,
    SKIP_PREPARE,
    SKIP_UNPREPARE,
    ClaimInfo,
    ClaimNotUsable,
    DriverState,
    PreparedDevice,
    info_of,
)
from conformance.reference.kubelet.registration.plugin import ClaimRef


def claim(*results: dict[str, Any]) -> dict[str, Any]:
    full = [{"driver": "d", "pool": "p", "device": "x", "request": "r", **one} for one in results]
    return {
        "metadata": {"name": "c", "namespace": "n", "uid": "u"},
        "status": {"allocation": {"devices": {"results": full}}},
    }


@pytest.mark.parametrize(
    ("operations", "prepare", "unprepare"),
    [
        pytest.param([[]], False, False, id="none"),
        pytest.param([[SKIP_ALL]], True, True, id="all"),
        pytest.param([[SKIP_PREPARE]], True, False, id="prepare"),
        pytest.param([[SKIP_PREPARE], []], False, False, id="one-device-needs-it"),
        pytest.param([[SKIP_PREPARE], [SKIP_ALL]], True, False, id="all-includes-each"),
        pytest.param([[SKIP_UNPREPARE], [SKIP_ALL]], False, True, id="unprepare"),
    ],
)
def test_operation_is_skipped_where_every_device_allows_it(
    operations: list[list[str]], prepare: bool, unprepare: bool
) -> None:
    results = [{"skipNodeOperations": one} for one in operations]

    state = info_of(claim(*results), optional_operations=True).drivers["d"]

    assert (state.skipped(SKIP_PREPARE), state.skipped(SKIP_UNPREPARE)) == (prepare, unprepare)


def test_optional_operations_need_their_gate() -> None:
    with pytest.raises(ClaimNotUsable, match="DRAOptionalNodeOperations"):
        info_of(claim({"skipNodeOperations": [SKIP_ALL]}), optional_operations=False)


def test_claim_without_allocation_is_not_usable() -> None:
    with pytest.raises(ClaimNotUsable, match="not allocated"):
        info_of({"metadata": {"name": "c"}, "status": {}}, optional_operations=False)


def test_request_selects_its_devices_and_those_of_no_request() -> None:
    devices = [
        PreparedDevice(pool="p", device="a", requests=("one",), cdi_ids=("v/c=a",)),
        PreparedDevice(pool="p", device="b", requests=("two",), cdi_ids=("v/c=b", "v/c=m")),
        PreparedDevice(pool="p", device="c", cdi_ids=("v/c=c",)),
    ]
    info = ClaimInfo(
        ref=ClaimRef(namespace="n", name="c", uid="u"),
        drivers={"d": DriverState(devices=devices)},
    )

    assert info.cdi_ids("one") == ["v/c=a", "v/c=c"]
    assert info.cdi_ids("two/sub") == ["v/c=b", "v/c=m", "v/c=c"]
    assert info.cdi_ids("") == ["v/c=a", "v/c=b", "v/c=m", "v/c=c"]


def test_checkpoint_gives_back_what_was_saved(tmp_path: Path) -> None:
    info = info_of(claim({}), optional_operations=False)
    info.pods.add("pod")
    info.drivers["d"].devices.append(
        PreparedDevice(pool="p", device="x", requests=("r",), cdi_ids=("v/c=x",), share_id="s")
    )

    save(tmp_path / "state", [info])

    assert load(tmp_path / "state") == [info]
    assert load(tmp_path / "other") == []


@pytest.mark.parametrize("damage", ["garbage", "checksum"])
def test_damaged_checkpoint_is_refused(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "state"
    save(path, [])
    document = json.loads(path.read_text("utf-8"))
    document["Data"] += " "
    path.write_text(json.dumps(document) if damage == "checksum" else "{", "utf-8")

    with pytest.raises(CheckpointError, match="corrupted"):
        load(path)
