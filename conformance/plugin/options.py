"""The options of the suite under pytest, as a table; all of them start with ``--dra-``."""

from __future__ import annotations

from typing import Any

import pytest

#: Flag and what argparse needs to know of it.
_OPTIONS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("target", {"metavar": "KIND", "default": "bundled", "help": "bundled or kube"}),
    ("kubeconfig", {"metavar": "FILE", "help": "how to reach the cluster (target kube)"}),
    ("context", {"metavar": "NAME", "help": "context of the kubeconfig, if not the current one"}),
    ("kubernetes-version", {"metavar": "1.37", "help": "minor version to emulate or to assume"}),
    (
        "feature-gates",
        {"metavar": "A=true,B=false", "default": "", "help": "gates that differ from the default"},
    ),
    ("profile", {"metavar": "NAME", "action": "append", "default": [], "help": "may be repeated"}),
    (
        "only",
        {"metavar": "GLOB", "action": "append", "default": [], "help": "judge these ids alone"},
    ),
    ("skip", {"metavar": "GLOB", "action": "append", "default": [], "help": "leave out these ids"}),
    (
        "max-wait",
        {"metavar": "60s", "default": "60s", "help": "longest single wait on a live cluster"},
    ),
    ("waivers", {"metavar": "FILE", "help": "known failures, each with a reason and a date"}),
    ("seed", {"metavar": "N", "type": int, "help": "order of the checks; drawn if not given"}),
    ("journal", {"metavar": "FILE", "help": "write the journal of the run to this file"}),
    (
        "node-root",
        {
            "metavar": "NAME=DIR[:CDI]",
            "action": "append",
            "default": [],
            "help": "root directory of a kubelet that this process reaches (target kube), "
            "and the directory of its CDI specifications, if that is not /var/run/cdi",
        },
    ),
    (
        "restart-kubelet",
        {
            "metavar": "COMMAND",
            "help": "restarts the kubelet of {node}; the checks that need it run then (kube)",
        },
    ),
    (
        "metrics-url",
        {
            "metavar": "NAME=URL",
            "action": "append",
            "default": [],
            "help": "where kube-scheduler, kube-controller-manager or kubelet/NODE tells its "
            "metrics (target kube)",
        },
    ),
    (
        "binding-timeout",
        {"metavar": "60s", "help": "what the scheduler of the cluster is configured with"},
    ),
    ("driver-name", {"metavar": "NAME", "default": "", "help": "the driver that is judged"}),
    ("device-class", {"metavar": "NAME", "default": "", "help": "the class of its devices"}),
    (
        "driver-command",
        {
            "metavar": "COMMAND",
            "help": "start it so; placeholders such as {kubeconfig}; a program that takes "
            "{configuration} is set up anew for each check (target kube)",
        },
    ),
    ("class-file", {"metavar": "FILE", "help": "the class, where it is more than the driver"}),
    (
        "start-within",
        {"metavar": "60s", "help": "how long the driver may take to register and to publish"},
    ),
    (
        "driver-config",
        {"metavar": "FILE", "help": "dra-conformance.yaml with its environment and its hooks"},
    ),
    (
        "driver-manifests",
        {"metavar": "PATH", "help": "its ServiceAccount, roles and bindings: it acts with these"},
    ),
    (
        "driver-feature",
        {
            "metavar": "NAME",
            "action": "append",
            "default": [],
            "help": "what it has beyond the core: metadata, health",
        },
    ),
    (
        "patient",
        {
            "action": "store_true",
            "help": "wait as long as the driver does, and leave its monotonic clock alone",
        },
    ),
    (
        "consumer-command",
        {
            "metavar": "COMMAND",
            "help": "reads a stream of metadata objects and prints the one that it decoded as "
            "JSON; ends with 0 unless there was an error",
        },
    ),
    (
        "component-command",
        {
            "metavar": "COMMAND",
            "help": "starts a component with the feature gates {gates}; the checks that need it "
            "run then (kube)",
        },
    ),
    ("image", {"metavar": "IMAGE", "help": "image with a POSIX shell for Pods that really run"}),
    ("real-time", {"action": "store_true", "help": "run the bundled target on real time"}),
    (
        "fault",
        {
            "metavar": "NAME",
            "action": "append",
            "default": [],
            "help": "let the bundled reference commit this fault; may be repeated",
        },
    ),
)


def declare(parser: pytest.Parser) -> None:
    """Add every option to a group of its own."""
    group = parser.getgroup("dra-conformance", "Dynamic Resource Allocation conformance")
    for name, details in _OPTIONS:
        group.addoption(f"--dra-{name}", dest=f"dra_{name.replace('-', '_')}", **details)
