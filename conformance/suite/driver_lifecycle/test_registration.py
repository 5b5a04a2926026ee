"""The handshake with a kubelet, once and again."""

from __future__ import annotations

import pytest

from conformance.harness import expect
from conformance.harness.bench.bench import Bench
from conformance.harness.bench.conduct import lifecycle
from conformance.harness.kubeletside import claims
from conformance.harness.target import KUBELET, NODE_ACCESS, RESTART_KUBELET, SOCKET_PATH

pytestmark = pytest.mark.needs(NODE_ACCESS)


@pytest.mark.requirement("DRA-DLC-01")
def test_the_handshake_can_be_repeated(bench: Bench) -> None:
    """A kubelet that starts again asks again, and hears the same."""
    first = bench.registration()

    answers = lifecycle.asked_repeatedly(first)

    expect.same(answers, [first] * len(answers), path="PluginInfo")


@pytest.mark.requirement("DRA-DLC-02")
def test_a_refused_registration_is_survived(bench: Bench) -> None:
    """After NotifyRegistrationStatus with an error the driver serves claims as before."""
    claim, found = bench.simple(), bench.registration()

    lifecycle.refused(bench)

    lifecycle.serves(found, claim)


@pytest.mark.requirement("DRA-DLC-03")
def test_a_refused_registration_is_told(bench: Bench) -> None:
    """What the kubelet said stands in the driver's output, for whoever looks there."""
    lifecycle.refused(bench)

    said = bench.driver.story()

    expect.that(lifecycle.REASON in said, "the kubelet's reason", path="output", observed=said)


@pytest.mark.requirement("DRA-DLC-08")
def test_every_announced_version_is_served(bench: Bench) -> None:
    """A kubelet may choose any version of DRAPlugin that the driver announces."""
    said = claims.served(bench.registration())

    failed = {service: error for service, error in said.items() if error}
    expect.same(failed, {}, path="PluginInfo.supported_versions")


@pytest.mark.requirement("DRA-DLC-09")
def test_socket_paths_are_short_enough(bench: Bench) -> None:
    """In the usual directories of a kubelet the sockets of the driver can be made."""
    lengths = lifecycle.paths(bench)

    long = {path: length for path, length in lengths.items() if length > SOCKET_PATH}
    expect.same(long, {}, path="length of a socket's path in bytes")


@pytest.mark.requirement("DRA-DLC-20")
def test_a_prepared_device_can_be_used(bench: Bench) -> None:
    """A process with the edits of the device's CDI specs can use it."""
    (place,) = bench.devices(1)
    answer = bench.prepared(bench.claim("claim", place))

    said = bench.driver.use([f"{place.pool}/{place.device}"], lifecycle.edits_of(bench, answer))

    expect.same(said, "", path="use of the device")


@pytest.mark.requirement("DRA-DLC-18")
@pytest.mark.needs(KUBELET, RESTART_KUBELET)
def test_a_restart_of_the_kubelet_is_survived(bench: Bench) -> None:
    """A kubelet that was restarted finds the driver again, and runs Pods with its devices."""
    lifecycle.used_after_restart_of_the_kubelet(bench)
