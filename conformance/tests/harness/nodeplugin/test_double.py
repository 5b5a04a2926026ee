"""The driver double answers as a real kubelet would hear it."""

from __future__ import annotations

import json
import queue
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest

from conformance.harness.nodeplugin.double import DriverDouble
from conformance.harness.nodeplugin.health import DeviceHealth
from conformance.harness.nodeplugin.plan import Plan
from conformance.harness.target import NodeAccess
from conformance.wire import (
    dra_health_v1_pb2,
    dra_health_v1_pb2_grpc,
    dra_v1_pb2,
    dra_v1_pb2_grpc,
    dra_v1beta1_pb2,
    dra_v1beta1_pb2_grpc,
    pluginregistration_v1_pb2,
    pluginregistration_v1_pb2_grpc,
)

DRIVER = "double.example.com"
RESULTS = [
    {"request": "gpu/large", "driver": DRIVER, "pool": "p", "device": "gpu-0"},
    {"request": "nic", "driver": "other.example.com", "pool": "p", "device": "nic-0"},
]


def fetch_claim(namespace: str, name: str) -> dict[str, object]:
    return {"status": {"allocation": {"devices": {"results": RESULTS}}}}


@pytest.fixture
def folders() -> Iterator[dict[str, Path]]:
    # Not tmp_path: a socket's path is short, and that of a worker's test is not.
    with tempfile.TemporaryDirectory(prefix="dra-") as root:
        made = {name: Path(root) / name for name in ("plugins_dir", "registrar_dir", "cdi_dir")}
        for folder in made.values():
            folder.mkdir()
        yield made


@pytest.fixture
def access(folders: dict[str, Path]) -> NodeAccess:
    return NodeAccess(name="node-1", **folders)


@pytest.fixture
def double(access: NodeAccess) -> Iterator[DriverDouble]:
    with DriverDouble(
        access, driver=DRIVER, fetch_claim=fetch_claim, health_version="v1", clock=lambda: 7.0
    ) as one:
        yield one


@pytest.fixture
def channel(folders: dict[str, Path], double: DriverDouble) -> Iterator[grpc.Channel]:
    with grpc.insecure_channel(f"unix:{folders['plugins_dir']}/{DRIVER}/dra.sock") as opened:
        yield opened


def test_registration_names_driver_endpoint_and_versions(
    folders: dict[str, Path], double: DriverDouble
) -> None:
    (socket,) = folders["registrar_dir"].iterdir()

    with grpc.insecure_channel(f"unix:{socket}") as opened:
        registration = pluginregistration_v1_pb2_grpc.RegistrationStub(opened)
        info = registration.GetInfo(pluginregistration_v1_pb2.InfoRequest())
        registration.NotifyRegistrationStatus(
            pluginregistration_v1_pb2.RegistrationStatus(plugin_registered=True)
        )

    assert (info.type, info.name) == ("DRAPlugin", DRIVER)
    assert info.endpoint == f"{folders['plugins_dir']}/{DRIVER}/dra.sock"
    assert list(info.supported_versions) == ["v1.DRAPlugin", "v1.DRAResourceHealth"]
    assert double.calls.of("NotifyRegistrationStatus")[0].detail == "registered=True"


def test_prepare_writes_a_cdi_spec_for_own_devices_only(
    folders: dict[str, Path], channel: grpc.Channel, double: DriverDouble
) -> None:
    claim = dra_v1_pb2.Claim(namespace="ns", name="c", uid="u1")

    response = dra_v1_pb2_grpc.DRAPluginStub(channel).NodePrepareResources(
        dra_v1_pb2.NodePrepareResourcesRequest(claims=[claim])
    )

    (device,) = response.claims["u1"].devices
    assert list(device.request_names) == ["gpu"]
    assert (device.pool_name, device.device_name) == ("p", "gpu-0")
    assert list(device.cdi_device_ids) == [f"{DRIVER}/device=claim-u1-gpu-large-gpu-0"]
    (spec,) = [json.loads(path.read_text()) for path in folders["cdi_dir"].iterdir()]
    assert spec["devices"][0]["containerEdits"]["env"] == ["DRA_CONFORMANCE_GPU_LARGE=gpu-0"]


def test_unprepare_removes_the_spec_and_takes_unknown_claims(
    folders: dict[str, Path], channel: grpc.Channel
) -> None:
    plugin = dra_v1_pb2_grpc.DRAPluginStub(channel)
    known, unknown = (dra_v1_pb2.Claim(namespace="ns", name="c", uid=uid) for uid in ("u1", "u2"))
    plugin.NodePrepareResources(dra_v1_pb2.NodePrepareResourcesRequest(claims=[known]))

    response = plugin.NodeUnprepareResources(
        dra_v1_pb2.NodeUnprepareResourcesRequest(claims=[known, unknown])
    )

    assert {uid: answer.error for uid, answer in response.claims.items()} == {"u1": "", "u2": ""}
    assert not list(folders["cdi_dir"].iterdir())


def test_ordered_failures_are_counted(channel: grpc.Channel, double: DriverDouble) -> None:
    plugin = dra_v1_pb2_grpc.DRAPluginStub(channel)
    request = dra_v1_pb2.NodePrepareResourcesRequest(
        claims=[dra_v1_pb2.Claim(namespace="ns", name="c", uid="u1")]
    )
    double.plan.fail("NodePrepareResources", times=1, error="not now")

    errors = [plugin.NodePrepareResources(request).claims["u1"].error for _ in range(2)]

    assert errors == ["not now", ""]
    assert [call.error for call in double.calls.of("NodePrepareResources", "u1")] == ["not now", ""]


def test_a_whole_call_can_fail(channel: grpc.Channel, double: DriverDouble) -> None:
    double.plan.fail("NodePrepareResources", error="broken", whole_call=True)

    with pytest.raises(grpc.RpcError) as caught:
        dra_v1_pb2_grpc.DRAPluginStub(channel).NodePrepareResources(
            dra_v1_pb2.NodePrepareResourcesRequest()
        )

    assert caught.value.code() is grpc.StatusCode.INTERNAL


def test_health_stream_carries_reports_and_ends(
    channel: grpc.Channel, double: DriverDouble
) -> None:
    assert double.health is not None
    stub = dra_health_v1_pb2_grpc.DRAResourceHealthStub(channel)
    double.health.report(DeviceHealth(pool="p", device="gpu-0", health="Healthy"))

    stream = stub.NodeWatchResources(dra_health_v1_pb2.NodeWatchResourcesRequest())
    first = next(stream)
    double.health.report(
        DeviceHealth(pool="p", device="gpu-0", health="Unhealthy", message="hot", timeout_seconds=5)
    )
    second = next(stream)
    double.health.end_streams()

    assert first.devices[0].health == dra_health_v1_pb2.HEALTHY
    assert first.devices[0].last_updated_time == 7
    assert second.devices[0].message == "hot"
    assert second.devices[0].health_check_timeout_seconds == 5
    assert list(stream) == []


def test_each_health_report_is_announced_before_it_is_sent(folders: dict[str, Path]) -> None:
    told: list[tuple[str, int, int]] = []
    access = NodeAccess(name="node-1", announce=lambda *said: told.append(said), **folders)
    socket = folders["plugins_dir"] / DRIVER / "dra.sock"
    known = DeviceHealth(pool="p", device="gpu-0", health="Healthy")
    with (
        DriverDouble(access, driver=DRIVER, fetch_claim=fetch_claim, health_version="v1") as double,
        grpc.insecure_channel(f"unix:{socket}") as opened,
    ):
        assert double.health is not None
        double.health.report(known)
        stub = dra_health_v1_pb2_grpc.DRAResourceHealthStub(opened)
        stream = stub.NodeWatchResources(dra_health_v1_pb2.NodeWatchResourcesRequest())
        next(stream)
        double.health.report(known)

    assert told == [(str(socket), 1, 1), (str(socket), 1, 1)]


def test_a_stream_is_announced_before_there_is_anything_to_send(
    folders: dict[str, Path],
) -> None:
    told: queue.Queue[tuple[str, int, int]] = queue.Queue()
    access = NodeAccess(name="node-1", announce=lambda *said: told.put(said), **folders)
    socket = folders["plugins_dir"] / DRIVER / "dra.sock"
    with (
        DriverDouble(access, driver=DRIVER, fetch_claim=fetch_claim, health_version="v1"),
        grpc.insecure_channel(f"unix:{socket}") as opened,
    ):
        stub = dra_health_v1_pb2_grpc.DRAResourceHealthStub(opened)
        stream = stub.NodeWatchResources(dra_health_v1_pb2.NodeWatchResourcesRequest())
        said = told.get(timeout=20)
        stream.cancel()

    assert said == (str(socket), 1, 0)


def test_a_call_that_hangs_is_held_back_until_it_is_resumed() -> None:
    told: list[int] = []
    plan = Plan(told.append)
    plan.hang()
    caller = threading.Thread(target=plan.take, args=("NodePrepareResources",))
    caller.start()
    while not told:
        caller.join(timeout=0.001)

    plan.resume()
    caller.join(timeout=20)
    plan.resume()

    assert told == [1, -1]
    assert not caller.is_alive()


def test_a_stream_that_its_listener_has_left_does_not_count(
    channel: grpc.Channel, double: DriverDouble, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("conformance.harness.nodeplugin.health._LOOK", 60.0)
    assert double.health is not None
    double.health.report(DeviceHealth(pool="p", device="gpu-0", health="Healthy"))
    stub = dra_health_v1_pb2_grpc.DRAResourceHealthStub(channel)
    stream = stub.NodeWatchResources(dra_health_v1_pb2.NodeWatchResourcesRequest())
    next(stream)

    stream.cancel()

    deadline = time.monotonic() + 10
    while double.health.streams() and time.monotonic() < deadline:
        time.sleep(0.001)
    assert double.health.streams() == 0


def test_v1beta1_is_spoken_on_request(folders: dict[str, Path], access: NodeAccess) -> None:
    with (
        DriverDouble(access, driver=DRIVER, fetch_claim=fetch_claim, plugin_version="v1beta1"),
        grpc.insecure_channel(f"unix:{folders['plugins_dir']}/{DRIVER}/dra.sock") as opened,
    ):
        response = dra_v1beta1_pb2_grpc.DRAPluginStub(opened).NodePrepareResources(
            dra_v1beta1_pb2.NodePrepareResourcesRequest(
                claims=[dra_v1beta1_pb2.Claim(namespace="ns", name="c", uid="u1")]
            )
        )

    assert len(response.claims["u1"].devices) == 1


def test_leaving_removes_every_file(folders: dict[str, Path], access: NodeAccess) -> None:
    with DriverDouble(access, driver=DRIVER, fetch_claim=fetch_claim) as one:
        one.specs.write("u1", RESULTS[:1])

    assert [list(folder.iterdir()) for folder in folders.values()] == [[], [], []]


def test_a_path_too_long_for_a_socket_is_refused(access: NodeAccess) -> None:
    with pytest.raises(ValueError, match="at most 107"):
        DriverDouble(access, driver="x" * 100, fetch_claim=fetch_claim)


def prepared(opened: grpc.Channel) -> set[str]:
    """Return the uids that an answer about the claim ``u1`` speaks of."""
    claims = [dra_v1_pb2.Claim(namespace="ns", name="c", uid="u1")]
    request = dra_v1_pb2.NodePrepareResourcesRequest(claims=claims)
    return set(dra_v1_pb2_grpc.DRAPluginStub(opened).NodePrepareResources(request).claims)


def test_answers_can_be_odd(channel: grpc.Channel, double: DriverDouble) -> None:
    double.plan.answer("NodePrepareResources", "omit")
    assert prepared(channel) == set()

    double.plan.answer("NodePrepareResources", "stray")
    assert len(prepared(channel)) == 2

    double.plan.obey("NodePrepareResources")
    assert prepared(channel) == {"u1"}


def test_instances_have_sockets_of_their_own(
    folders: dict[str, Path], access: NodeAccess, double: DriverDouble
) -> None:
    newer = DriverDouble(access, driver=DRIVER, fetch_claim=fetch_claim).as_instance("new")

    with newer:
        assert len(list(folders["registrar_dir"].iterdir())) == 2
        assert len(list((folders["plugins_dir"] / DRIVER).iterdir())) == 2

    assert len(list(folders["registrar_dir"].iterdir())) == 1
    assert len(list((folders["plugins_dir"] / DRIVER).iterdir())) == 1


def test_one_socket_serves_registration_and_calls(
    folders: dict[str, Path], access: NodeAccess
) -> None:
    with DriverDouble(access, driver=DRIVER, fetch_claim=fetch_claim).on_one_socket():
        (socket,) = folders["registrar_dir"].iterdir()
        with grpc.insecure_channel(f"unix:{socket}") as opened:
            registration = pluginregistration_v1_pb2_grpc.RegistrationStub(opened)
            info = registration.GetInfo(pluginregistration_v1_pb2.InfoRequest())

            assert info.endpoint == str(socket)
            assert prepared(opened) == {"u1"}
