"""What the bundled driver has prepared: kept, guarded, and given back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import attrs
import pytest

from conformance.reference.clock import VirtualClock
from conformance.reference.driver.cdi import SpecFolder
from conformance.reference.driver.checkpoint import Checkpoint, PrepareError
from conformance.reference.driver.config import DriverConfig, MetadataConfig
from conformance.reference.driver.driver import ExampleDriver
from conformance.reference.driver.preparing import Place, Preparation
from conformance.reference.faults.seams import NONE, Faults
from conformance.tests.reference.driver.probing import NAME, devices, driver_of
from conformance.tests.reference.kubelet.rig import Rig, scenario


def claim(uid: str = "uid-1", device: str = "gpu-0", **result: Any) -> dict[str, Any]:
    row = {"request": "gpu", "driver": NAME, "pool": "n", "device": device, **result}
    return {
        "metadata": {"name": uid, "namespace": "default", "uid": uid},
        "status": {"allocation": {"devices": {"results": [row]}}},
    }


def preparation(folder: Path, faults: Faults = NONE, **config: Any) -> Preparation:
    """Return a driver's preparation as a new process finds it."""
    return Preparation(
        DriverConfig(name=NAME, devices=devices(), **config),
        Place(node="n", specs=SpecFolder(folder / "cdi"), data_dir=folder / "data"),
        Checkpoint(folder / "checkpoint.json", faults),
        faults,
        VirtualClock(),
    )


def files(folder: Path) -> list[str]:
    return sorted(one.name for one in (folder / "cdi").glob("*"))


def test_a_device_is_prepared_for_one_claim(tmp_path: Path) -> None:
    preparation(tmp_path).prepare(claim())

    # Another process knows it as well.
    with pytest.raises(PrepareError, match="prepared for claim default/uid-1"):
        preparation(tmp_path).prepare(claim("uid-2"))

    preparation(tmp_path).unprepare("default", "uid-1", "uid-1")
    assert preparation(tmp_path).prepare(claim("uid-2")).uid == "uid-2"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"shareID": "a"}, {"shareID": "b"}),
        ({}, {"adminAccess": True}),
        ({"adminAccess": True}, {}),
    ],
    ids=["shares", "admin comes second", "admin came first"],
)
def test_shares_and_admin_access_are_no_conflict(
    tmp_path: Path, first: dict[str, Any], second: dict[str, Any]
) -> None:
    driver = preparation(tmp_path)
    driver.prepare(claim(**first))

    assert driver.prepare(claim("uid-2", **second)).uid == "uid-2"


def test_another_allocation_is_refused_until_the_claim_is_undone(tmp_path: Path) -> None:
    driver = preparation(tmp_path)
    before = driver.prepare(claim())

    assert driver.prepare(claim()) == before
    with pytest.raises(PrepareError, match="allocation has changed"):
        driver.prepare(claim(device="gpu-1"))
    driver.unprepare("default", "uid-1", "uid-1")
    assert driver.prepare(claim(device="gpu-1")).devices[0].device == "gpu-1"


def test_lost_specs_are_written_again(tmp_path: Path) -> None:
    preparation(tmp_path, metadata=MetadataConfig()).prepare(claim())
    before = files(tmp_path)
    assert len(before) == 2
    for path in (tmp_path / "cdi").iterdir():
        path.unlink()

    preparation(tmp_path, metadata=MetadataConfig()).prepare(claim())

    assert files(tmp_path) == before


def test_nothing_is_left_of_a_preparation_that_failed(tmp_path: Path) -> None:
    def fail(_real: Any, *_given: Any) -> Any:
        raise OSError("no room")

    # The spec of the devices is there by the time that the metadata can't be written.
    faults = Faults({"driver.metadata_replace": [fail]})

    with pytest.raises(OSError, match="no room"):
        preparation(tmp_path, faults, metadata=MetadataConfig()).prepare(claim())

    assert files(tmp_path) == []
    assert Checkpoint(tmp_path / "checkpoint.json").claims() == []


def test_a_checkpoint_from_before_admin_access_was_noted_is_read(tmp_path: Path) -> None:
    preparation(tmp_path).prepare(claim())
    path = tmp_path / "checkpoint.json"
    path.write_text(path.read_text("utf-8").replace(', "admin_access": false', ""), "utf-8")

    (found,) = Checkpoint(path).claims()

    assert attrs.asdict(found)["devices"][0]["admin_access"] is False


@scenario
async def test_a_killed_driver_leaves_its_sockets_and_the_next_one_takes_over(rig: Rig) -> None:
    first: ExampleDriver = await rig.add(driver_of(rig))
    socket = rig.directories.plugins_dir / NAME / "dra.sock"

    await first.kill()

    assert socket.is_socket()
    second = await rig.add(driver_of(rig))
    await rig.settle()
    assert second.registered
