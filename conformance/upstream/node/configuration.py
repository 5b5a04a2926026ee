"""The configuration of containerd, CNI and kubelet: pure text from values.

Everything points into the node's own folder. Why each unusual setting is there stands
beside it, since all of them were found by failing without.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from attrs import frozen

from conformance.kube.objects import Object
from conformance.upstream.layout import NodeLayout
from conformance.upstream.node import images


@frozen(kw_only=True)
class Tools:
    """Programs of the machine that a node runs."""

    runc: str
    cni_plugins: str


def containerd(node: NodeLayout, tools: Tools) -> str:
    """Return containerd's configuration, version 3."""
    folder = node.folder
    return f"""\
version = 3
root = "{folder}/containerd"
state = "{folder}/run"

[grpc]
  address = "{node.socket}"

[plugins."io.containerd.cri.v1.images"]
  snapshotter = "overlayfs"

[plugins."io.containerd.cri.v1.images".pinned_images]
  sandbox = "{images.SANDBOX_IMAGE}"

[plugins."io.containerd.cri.v1.runtime"]
  enable_cdi = true
  cdi_spec_dirs = ["{node.cdi}"]
  # Without it a sandbox dies with "can't get final child's PID from pipe: EOF" where the
  # kernel does not let processes lower their OOM score.
  restrict_oom_score_adj = true
  # Network name spaces are pinned by mounts: keep them inside the node.
  netns_mounts_under_state_dir = true

[plugins."io.containerd.cri.v1.runtime".cni]
  bin_dirs = ["{tools.cni_plugins}"]
  conf_dir = "{node.config}/cni"

[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc]
  runtime_type = "io.containerd.runc.v2"

[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc.options]
  BinaryName = "{tools.runc}"
  SystemdCgroup = false
"""


def network(node: NodeLayout, subnet: str) -> str:
    """Return the CNI list: one veth pair per Pod, gone with the Pod, and loopback."""
    return json.dumps(
        {
            "cniVersion": "1.0.0",
            "name": "pods",
            "plugins": [
                {
                    "type": "ptp",
                    "ipam": {
                        "type": "host-local",
                        "dataDir": f"{node.folder}/addresses",
                        "ranges": [[{"subnet": subnet}]],
                    },
                },
            ],
        },
        indent=2,
    )


def subnet(slug: str, index: int) -> str:
    """Return the Pod addresses of node ``index`` (from 1) in the cluster called ``slug``.

    The second octet comes from the slug, so that two clusters on one machine rarely meet.
    """
    return f"10.{128 + int(slug[-2:], 16) // 2}.{index % 256}.0/24"


def kubelet(node: NodeLayout, *, port: int, cgroup: str, gates: Mapping[str, bool]) -> str:
    """Return the KubeletConfiguration as JSON, which the kubelet reads as YAML."""
    config: Object = {
        "apiVersion": "kubelet.config.k8s.io/v1beta1",
        "kind": "KubeletConfiguration",
        "address": "127.0.0.1",
        "port": port,
        "healthzPort": 0,
        # Loopback only; no client certificates exist on this cluster.
        "authentication": {"anonymous": {"enabled": True}, "webhook": {"enabled": False}},
        "authorization": {"mode": "AlwaysAllow"},
        "containerRuntimeEndpoint": f"unix://{node.socket}",
        # cgroup v1 machines are refused otherwise, and have no systemd to delegate to.
        "failCgroupV1": False,
        "cgroupDriver": "cgroupfs",
        # A root of our own, since it is removed with everything below it at the end.
        "cgroupsPerQOS": True,
        "cgroupRoot": f"/{cgroup}",
        "enforceNodeAllocatable": [],
        "failSwapOn": False,
        # A full disk of the machine is no business of the tests.
        "evictionHard": {},
        "localStorageCapacityIsolation": False,
        "makeIPTablesUtilChains": False,
        "resolvConf": "",
        "clusterDomain": "cluster.local",
        # Nobody answers there; without any address every Pod gets a warning event.
        "clusterDNS": ["10.96.0.10"],
        "podLogsDir": f"{node.folder}/pod-logs",
        "volumePluginDir": f"{node.folder}/volume-plugins",
        "featureGates": dict(gates),
    }
    return json.dumps(config, indent=2)


def registration(name: str) -> dict[str, Any]:
    """Return the addresses of a node's status: Pods and logs are reached over loopback.

    A kubelet refuses to call a loopback address its own, so it is told that a cloud provider
    sets them (``--cloud-provider=external``), and we are that provider.
    """
    return {
        "status": {
            "addresses": [
                {"type": "InternalIP", "address": "127.0.0.1"},
                {"type": "Hostname", "address": name},
            ]
        }
    }
