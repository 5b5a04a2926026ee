"""Whether options say, without a contradiction, how the driver is reached that is judged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from conformance.cli.exits import ExitCode, Refusal

#: The control plane of a cluster that somebody else runs.
LIVE = "kube"


def check(given: Mapping[str, Any]) -> None:
    """Raise ``Refusal`` for the options of ``certify`` that don't go together."""
    trouble = next((_started if given["plane"] == LIVE else _usual)(given), None)
    if trouble is not None:
        raise Refusal(ExitCode.USAGE, trouble)


def _started(given: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong where the driver is started beside a cluster that is there."""
    if given["driver_command"] is None:
        yield "--control-plane kube goes with --driver-command: it says where that is started"
    if given["kubeconfig"] is None:
        yield "--control-plane kube needs the cluster: --kubeconfig"
    if not given["node_roots"]:
        yield (
            "--control-plane kube needs a node whose kubelet's directories are on this machine: "
            "--node-root NAME=DIR"
        )
    if given["instances"] > 1:
        yield "--instances goes with --control-plane bundled: a node has room for one copy"
    if given["keep"]:
        yield "--keep goes with --control-plane bundled: it leaves our rig up"


def _usual(given: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong where it is started beside our control plane, or installed."""
    live, started = given["kubeconfig"] is not None, given["driver_command"] is not None
    if given["plane"] is not None and live:
        yield f"--control-plane {given['plane']} goes without --kubeconfig"
    if live and started:
        yield (
            "say how the driver is reached: either --driver-command or --kubeconfig; "
            "--control-plane kube takes both, and starts the driver beside that cluster"
        )
    if not live and not started:
        yield "say how the driver is reached: either --driver-command or --kubeconfig"
    if not live and given["restart_kubelet"] is not None:
        yield "--restart-kubelet goes with --kubeconfig: that of ours is restarted anyway"
    if live and given["class_file"] is not None:
        yield (
            "--class-file goes with --driver-command; nothing is "
            "created in a live cluster that its users could take for theirs"
        )
    if given["instances"] > 1 and not started:
        yield "--instances goes with --driver-command: a driver that is installed is there once"
    if given["keep"] and not started:
        yield "--keep goes with --driver-command: it leaves our rig up"
