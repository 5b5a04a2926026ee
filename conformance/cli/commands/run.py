"""``run``: judge a cluster, the bundled one or any that a kubeconfig describes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from conformance.cli import asking, judgement
from conformance.cli.exits import ExitCode, Refusal
from conformance.harness.targets.opening import KINDS, TargetOptions

#: Options that describe a live cluster: with another target they would be silently unused,
#: and somebody would take the answer for an answer about their cluster.
_LIVE = (
    "kubeconfig",
    "context",
    "binding_timeout",
    "node_roots",
    "restart_kubelet",
    "metrics_urls",
    "driver_name",
    "device_class",
    "driver_features",
    "component_command",
)

#: Most processes that anybody needs, and everything that ``-n`` takes.
_MOST = 64
_WORKERS = frozenset({"auto", "logical", *map(str, range(_MOST + 1))})


@click.command()
@click.option("--target", type=click.Choice(KINDS), default="bundled", show_default=True)
@click.option("--kubeconfig", type=click.Path(path_type=Path), metavar="F")
@click.option("--context", metavar="C", help="Context of the kubeconfig, if not the current one.")
@click.option("--kubernetes-version", "version", metavar="1.37", help="To emulate, or to assume.")
@click.option("--feature-gates", default="", metavar="A=true,B=false")
@click.option("--binding-timeout", metavar="TIME", help="What the live scheduler is set up with.")
@click.option(
    "--node-root",
    "node_roots",
    multiple=True,
    metavar="NAME=DIR[:CDI]",
    help="Root directory of a kubelet that this process reaches, and its CDI directory.",
)
@click.option(
    "--metrics-url",
    "metrics_urls",
    multiple=True,
    metavar="NAME=URL",
    help="Where kube-scheduler, kube-controller-manager or kubelet/NODE tells its metrics; "
    "it is shown the credentials of the kubeconfig.",
)
@click.option("--restart-kubelet", metavar="COMMAND", help="Restarts the kubelet of {node}.")
@click.option("--driver-name", metavar="NAME", help="An installed driver to judge as well.")
@click.option("--device-class", metavar="C", help="The DeviceClass of that driver.")
@click.option(
    "--driver-feature",
    "driver_features",
    multiple=True,
    metavar="F",
    help="What that driver has beyond the core: metadata, health.",
)
@click.option(
    "--consumer-command",
    metavar="COMMAND",
    help="A reader of device metadata to judge: stream on stdin, decoded object on stdout.",
)
@click.option(
    "--component-command",
    metavar="COMMAND",
    help="Starts a component with the feature gates {gates}, for checks of gates.",
)
@click.option("--image", metavar="IMAGE", help="Image with a POSIX shell for Pods that run.")
@click.option("-n", "workers", metavar="N", help="Processes: a number, or auto.")
@asking.common  # fmt: skip
def run_command(**given: Any) -> int:
    """Judge a cluster.

    A consumer of device metadata (--consumer-command) reads a stream of JSON objects from its
    standard input, prints the object that it decoded as JSON, and ends with 0; for an error it
    ends with another code. A component (--component-command) that takes its feature gates runs
    on; one that refuses them ends by itself, with a code other than 0.

    \b
    Example:
      dra-conformance run --target bundled --out report
      dra-conformance run --target kube --kubeconfig ~/.kube/config --out report
      dra-conformance run --profile core --only 'DRA-BND-*' --out report
    """
    _check(given)
    asking.seconds(given["max_wait"], "--max-wait")
    return judgement.answer(
        judgement.Question(
            target=_target(given),
            out=given["out"],
            profiles=given["profiles"],
            only=given["only"],
            skip=given["skip"],
            waivers=given["waivers"],
            arguments=(*_passed_on(given), *asking.allure(given["alluredir"])),
            workers=given["workers"],
            allure=given["alluredir"] is not None,
        )
    )


def _target(given: dict[str, Any]) -> TargetOptions:
    """Return the cluster that is judged; raises ``Refusal`` for options that make no sense."""
    target = TargetOptions(
        kind=given["target"],
        kubeconfig=given["kubeconfig"],
        context=given["context"],
        version=given["version"],
        gates=asking.gates(given["feature_gates"]),
        binding_timeout=asking.seconds(given["binding_timeout"], "--binding-timeout"),
        node_roots=asking.roots(given["node_roots"]),
        metrics=asking.urls(given["metrics_urls"]),
        consumer_command=given["consumer_command"],
        component_command=given["component_command"],
    )
    asking.programs(target)
    return target


def _passed_on(given: dict[str, Any]) -> tuple[str, ...]:
    """Return the options as the suite takes them."""
    return asking.options(
        kubeconfig=given["kubeconfig"],
        context=given["context"],
        kubernetes_version=given["version"],
        feature_gates=given["feature_gates"],
        binding_timeout=given["binding_timeout"],
        node_root=given["node_roots"],
        restart_kubelet=given["restart_kubelet"],
        metrics_url=given["metrics_urls"],
        driver_name=given["driver_name"],
        device_class=given["device_class"],
        driver_feature=given["driver_features"],
        consumer_command=given["consumer_command"],
        component_command=given["component_command"],
        image=given["image"],
        max_wait=given["max_wait"],
        seed=given["seed"],
    )


def _check(given: dict[str, Any]) -> None:
    """Raise ``Refusal`` for options that don't fit each other or make no sense."""
    for name in _LIVE if given["target"] != "kube" else ():
        if given[name]:
            flag = "--" + name.removesuffix("s").replace("_", "-")
            raise Refusal(
                ExitCode.USAGE, f"{flag} goes with --target kube; the target is {given['target']}"
            )
    workers = given["workers"]
    if workers not in {None, *_WORKERS}:
        raise Refusal(
            ExitCode.USAGE, f"-n {workers!r} is neither auto nor a number from 0 to {_MOST}"
        )
