"""Configuration of a node: every path inside its folder, every known pitfall avoided."""

from __future__ import annotations

import ipaddress
import json
import tomllib
from pathlib import Path

from conformance.upstream.layout import NodeLayout
from conformance.upstream.node import configuration

NODE = NodeLayout("kubelet-1", Path("/s/n/kubelet-1"))
TOOLS = configuration.Tools(runc="/usr/sbin/runc", cni_plugins="/usr/lib/cni")


def test_containerd_stays_in_its_folder_and_knows_cdi() -> None:
    config = tomllib.loads(configuration.containerd(NODE, TOOLS))

    runtime = config["plugins"]["io.containerd.cri.v1.runtime"]
    assert config["version"] == 3
    assert config["root"] == "/s/n/kubelet-1/containerd"
    assert config["state"] == "/s/n/kubelet-1/run"
    assert config["grpc"]["address"] == "/s/n/kubelet-1/containerd.sock"
    assert runtime["enable_cdi"] is True
    assert runtime["cdi_spec_dirs"] == ["/s/n/kubelet-1/cdi"]
    assert runtime["restrict_oom_score_adj"] is True
    assert runtime["netns_mounts_under_state_dir"] is True
    assert runtime["containerd"]["runtimes"]["runc"]["options"] == {
        "BinaryName": "/usr/sbin/runc",
        "SystemdCgroup": False,
    }


def test_kubelet_is_reached_over_loopback_alone() -> None:
    text = configuration.kubelet(NODE, port=21000, cgroup="ours/kubelet-1", gates={"A": True})

    config = json.loads(text)
    assert config["address"] == "127.0.0.1"
    assert config["port"] == 21000
    assert config["cgroupRoot"] == "/ours/kubelet-1"
    assert config["containerRuntimeEndpoint"] == "unix:///s/n/kubelet-1/containerd.sock"
    assert config["featureGates"] == {"A": True}


def test_network_addresses_come_from_the_node() -> None:
    config = json.loads(configuration.network(NODE, "10.1.2.0/24"))

    ipam = config["plugins"][0]["ipam"]
    assert ipam["ranges"] == [[{"subnet": "10.1.2.0/24"}]]
    assert ipam["dataDir"] == "/s/n/kubelet-1/addresses"


def test_subnets_are_private_and_differ_by_node() -> None:
    first, second = (configuration.subnet("dra-upstream-000000ff", index) for index in (1, 2))

    assert first != second
    assert ipaddress.ip_network(first).is_private


def test_registration_names_the_node() -> None:
    addresses = configuration.registration("kubelet-1")["status"]["addresses"]

    assert {"type": "Hostname", "address": "kubelet-1"} in addresses
    assert {"type": "InternalIP", "address": "127.0.0.1"} in addresses
