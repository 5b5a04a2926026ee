"""The command line by which a run of the lane asks the suite, as any user could type it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from conformance.upstream.cluster import Cluster
from conformance.upstream.lane import programs
from conformance.upstream.lane.clusters import DEVICE_CLASS, DRIVER, NODE, Run, Witness
from conformance.upstream.lane.driver import configured


def arguments(cluster: Cluster, witness: Witness, run: Run, path: Path) -> list[str]:
    """Return the command line of one run of the suite, which writes the journal ``path``."""
    options = {
        "target": "kube",
        "kubeconfig": cluster.kubeconfig,
        "journal": path,
        "max-wait": run.max_wait,
        "binding-timeout": witness.binding_timeout,
        "consumer-command": programs.consumer(),
        "component-command": programs.component(cluster),
        **(_on_node(cluster, witness, run) if cluster.nodes else {}),
    }
    return [
        *(sys.executable, "-m", "pytest", "--pyargs", "conformance.suite"),
        *("-c", os.devnull, f"--rootdir={path.parent}", "-p", "no:cacheprovider"),
        *("-p", "no:randomly", "-q", "--tb=short"),
        *("-W", "ignore::pytest.PytestAssertRewriteWarning", "-n", str(run.workers)),
        *(f"--dra-{name}={value}" for name, value in options.items() if value),
        *(f"--dra-metrics-url={name}={url}" for name, url in _metrics(cluster).items()),
        *(f"--dra-only={glob}" for glob in run.only),
        *(f"--dra-skip={glob}" for glob in run.skip),
        *(f"--dra-driver-feature={name}" for name in _features(witness) if cluster.nodes),
    ]


def _on_node(cluster: Cluster, witness: Witness, run: Run) -> dict[str, str]:
    options = {"node-root": cluster.nodes[NODE].layout.reached}
    if witness.configured:
        options["driver-command"] = configured()
    else:
        options.update({"driver-name": DRIVER, "device-class": DEVICE_CLASS})
    if run.restarts:
        program = f"{sys.executable} -m conformance upstream"
        state = cluster.place.state
        options["restart-kubelet"] = f"{program} restart-kubelet --state {state} {{node}}"
    return options


def _metrics(cluster: Cluster) -> dict[str, str]:
    """Return where the control plane tells its metrics; kubelets are found without help."""
    if not cluster.components:
        return {}
    served = cluster.metrics().items()
    return {name: f"{url}/metrics" for name, (url, _) in served if name not in cluster.nodes}


def _features(witness: Witness) -> tuple[str, ...]:
    return ("health", "metadata", "taints") if witness.configured else ()
