"""A driver is asked over its real sockets, whatever it answers."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grpc
import pytest

from conformance.harness.errors import Violation
from conformance.harness.exchange import Exchange
from conformance.harness.kubeletside import claims, registration
from conformance.wire import (
    dra_v1_pb2,
    dra_v1_pb2_grpc,
    pluginregistration_v1_pb2,
    pluginregistration_v1_pb2_grpc,
)

NAME = "small.example.com"
CLAIM = {"metadata": {"namespace": "ns", "name": "claim", "uid": "uid-1"}}


class Answering:
    """Answers as it is told."""

    def __init__(self, endpoint: Path) -> None:
        self.info: dict[str, Any] = {
            "type": "DRAPlugin",
            "name": NAME,
            "endpoint": str(endpoint),
            "supported_versions": ["v1.DRAPlugin"],
        }
        self.answered = ["uid-1"]
        self.error = ""

    def GetInfo(self, request: Any, context: Any) -> Any:
        return pluginregistration_v1_pb2.PluginInfo(**self.info)

    def NotifyRegistrationStatus(self, request: Any, context: Any) -> Any:
        return pluginregistration_v1_pb2.RegistrationStatusResponse()

    def NodePrepareResources(self, request: Any, context: Any) -> Any:
        answer = dra_v1_pb2.NodePrepareResourcesResponse()
        for uid in self.answered:
            entry = answer.claims[uid]
            entry.error = self.error
            entry.devices.add(pool_name="p", device_name="d", cdi_device_ids=["a/b=c"])
        return answer

    def NodeUnprepareResources(self, request: Any, context: Any) -> Any:
        if not self.answered:
            context.abort(grpc.StatusCode.INTERNAL, "lost")
        answer = dra_v1_pb2.NodeUnprepareResourcesResponse()
        for uid in self.answered:
            answer.claims[uid].error = self.error
        return answer


@pytest.fixture
def driver(tmp_path: Path) -> Iterator[Answering]:
    answering = Answering(tmp_path / "dra.sock")
    server = grpc.server(ThreadPoolExecutor(2))
    dra_v1_pb2_grpc.add_DRAPluginServicer_to_server(answering, server)
    pluginregistration_v1_pb2_grpc.add_RegistrationServicer_to_server(answering, server)
    server.add_insecure_port(f"unix:{tmp_path / 'dra.sock'}")
    server.start()
    yield answering
    server.stop(None).wait()


def test_a_driver_is_found_by_its_name(driver: Answering, tmp_path: Path) -> None:
    found = registration.find(tmp_path, NAME)

    assert (found.name, found.service) == (NAME, "v1.DRAPlugin")
    assert found.socket == tmp_path / "dra.sock"


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"name": "other.example.com"}, "observed dra.sock: other.example.com"),
        ({"type": "CSIPlugin"}, "PluginInfo.type"),
        ({"supported_versions": ["1.0.0"]}, "PluginInfo.supported_versions"),
    ],
    ids=["another name", "another type", "no known service"],
)
def test_what_no_kubelet_takes_is_a_violation(
    driver: Answering, tmp_path: Path, changed: dict[str, Any], expected: str
) -> None:
    driver.info |= changed

    with pytest.raises(Violation, match=expected):
        registration.find(tmp_path, NAME)


def test_no_socket_is_a_violation(tmp_path: Path) -> None:
    (tmp_path / "a-file").touch()

    with pytest.raises(Violation, match="no socket"):
        registration.find(tmp_path, NAME)


def test_the_entry_of_the_claim_is_read(driver: Answering, tmp_path: Path) -> None:
    found = registration.find(tmp_path, NAME)

    answer = claims.prepare(found, CLAIM)

    (device,) = answer.devices
    assert (device.pool, device.name, device.cdi_ids) == ("p", "d", ("a/b=c",))
    assert claims.unprepare(found, CLAIM).error == ""


@pytest.mark.parametrize(
    "answered", [[], ["uid-2"], ["uid-1", "uid-2"]], ids=["no entry", "another's", "one more"]
)
def test_anything_but_one_entry_is_a_violation(
    driver: Answering, tmp_path: Path, answered: list[str]
) -> None:
    found = registration.find(tmp_path, NAME)
    driver.answered = answered

    with pytest.raises(Violation, match="exactly one entry"):
        claims.prepare(found, CLAIM)


def test_an_error_of_the_call_is_a_violation(driver: Answering, tmp_path: Path) -> None:
    found = registration.find(tmp_path, NAME)
    driver.answered = []

    with pytest.raises(Violation, match="INTERNAL: lost"):
        claims.unprepare(found, CLAIM)


def test_what_is_said_is_noted(driver: Answering, tmp_path: Path) -> None:
    noted: list[Exchange] = []
    found = registration.find(tmp_path, NAME, noted.append)
    claims.prepare(found, CLAIM)
    driver.answered = []
    with pytest.raises(claims.CallFailed):
        claims.unprepare(found, CLAIM)

    assert [one.title() for one in noted] == [
        "GetInfo pluginregistration.Registration → OK",
        "NodePrepareResources v1.DRAPlugin → OK",
        "NodeUnprepareResources v1.DRAPlugin → INTERNAL",
    ]
    assert {one.kind for one in noted} == {"grpc"}
    assert noted[1].request == {"claims": [CLAIM["metadata"]]}
    assert noted[1].response["claims"]["uid-1"]["devices"][0]["cdi_device_ids"] == ["a/b=c"]
    assert noted[2].response == "lost"


def test_a_batch_has_an_entry_for_each(driver: Answering, tmp_path: Path) -> None:
    found = registration.find(tmp_path, NAME)
    driver.answered = ["uid-1", "uid-2"]
    other = {"metadata": {"namespace": "ns", "name": "other", "uid": "uid-2"}}

    assert sorted(claims.prepare_all(found, [CLAIM, other])) == ["uid-1", "uid-2"]
    driver.answered = ["uid-1"]
    with pytest.raises(Violation, match="exactly one entry, for each of 2 claims"):
        claims.unprepare_all(found, [CLAIM, other])


def test_a_call_that_failed_is_told_from_an_answer_that_is_wrong(
    driver: Answering, tmp_path: Path
) -> None:
    found = registration.find(tmp_path, NAME)
    driver.answered = []

    with pytest.raises(claims.CallFailed):
        claims.unprepare_all(found, [CLAIM])
