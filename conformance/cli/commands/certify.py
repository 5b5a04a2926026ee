"""``certify``: judge a driver, started for that against a control plane that we bring, or live."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from conformance.catalogue import loading, proofs
from conformance.catalogue.errors import CatalogueError, UnknownName
from conformance.cli import asking, console, judgement
from conformance.cli.certifying import (
    earlier,
    lanes,
    paces,
    progress,
    reaching,
    telling,
    waiving,
    watching,
)
from conformance.cli.exits import ExitCode, Refusal
from conformance.harness.errors import HarnessError, TargetMisconfigured
from conformance.harness.lending import lent, manifests
from conformance.harness.process import command
from conformance.harness.subject import deviceclass
from conformance.harness.subject.protocol import FEATURES, DriverOptions
from conformance.harness.target import PLAIN
from conformance.harness.targets.opening import KINDS, TargetOptions, open_target
from conformance.harness.vendor import configuration
from conformance.kube import names
from conformance.report.model import Report

#: What is judged where nobody says more.
CORE = ("driver/core",)

#: The hook that prepares the hardware for a driver that we start.
_FIRST = "mock-inventory"

#: Most instances that anybody needs.
MOST = 64


@click.command()
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="dra-conformance.yaml about the driver (see init); options win over it.",
)
@click.option("--driver-name", metavar="N", help="As in its ResourceSlices.")
@click.option("--device-class", metavar="C", help="Selects the driver's devices.")
@click.option("--driver-command", metavar="COMMAND", help="How to start the driver (see below).")
@click.option(
    "--class-file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="YAML with the class, where it is more than every device of the driver.",
)
@click.option(
    "--manifests",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="Its ServiceAccount, roles and admission policies: it acts with these rights.",
)
@click.option(
    "--start-within",
    metavar="TIME",
    help="How long the driver may take to register and to publish.  [default: 60s]",
)
@click.option(
    "--driver-feature",
    "features",
    multiple=True,
    type=click.Choice(sorted(FEATURES)),
    help="What it has beyond the core, for profiles that need it.",
)
@click.option(
    "--control-plane",
    "plane",
    type=click.Choice(KINDS),
    help="Where --driver-command is started: bundled, or kube, the cluster of --kubeconfig.",
)
@click.option(
    "--kubeconfig",
    type=click.Path(path_type=Path),
    metavar="F",
    help="Judge the driver that is installed in this cluster instead.",
)
@click.option("--context", metavar="C", help="Context of the kubeconfig, if not the current one.")
@click.option(
    "--node-root",
    "node_roots",
    multiple=True,
    metavar="NAME=DIR[:CDI]",
    help="Root directory of a kubelet that this process reaches, and its CDI directory "
    "(with --kubeconfig).",
)
@click.option(
    "--restart-kubelet", metavar="COMMAND", help="Restarts the kubelet of {node} (--kubeconfig)."
)
@click.option("--kubernetes-version", "version", metavar="1.37", help="To emulate, or to assume.")
@click.option("--feature-gates", default="", metavar="A=true,B=false")
@click.option("--image", metavar="IMAGE", help="Image with a POSIX shell for Pods that run.")
@click.option("--only-failed", is_flag=True, help="What failed in the run that is in --out.")
@click.option(
    "--as-in",
    type=click.Path(path_type=Path),
    metavar="JOURNAL",
    help="An earlier run; where a verdict is another one, this ends with 1.",
)
@click.option(
    "-n",
    "--instances",
    type=click.IntRange(1, MOST),
    default=1,
    metavar="N",
    help="So many copies of the driver at one time, each on a control plane of its own.",
)
@click.option(
    "--patient",
    is_flag=True,
    help="Wait as long as the driver does: its monotonic clock is left alone.",
)
@click.option("--watch", is_flag=True, help="Judge again whenever the program is another one.")
@click.option("--keep", is_flag=True, help="Leave control plane and driver up afterwards.")
@asking.common
def certify_command(**given: Any) -> int:  # fmt: skip
    """Judge a driver by the minimum that KEP-5970 proposes (profile driver/core).

    With --driver-command the driver's own program is started as a child of this process, with
    these placeholders in the command, and the same as variables (NODE_NAME, KUBECONFIG, ...):
    {node_name} {kubeconfig} {plugins_dir} {registrar_dir} {cdi_dir} {pod_uid} {instance}.

    \b
    Example:
      dra-conformance certify --driver-name gpu.example.com --device-class gpu.example.com \\
        --driver-command 'my-driver --kubeconfig {kubeconfig} --node-name {node_name}' \\
        --out report
      dra-conformance certify --driver-name gpu.example.com --device-class gpu.example.com \\
        --kubeconfig ~/.kube/config --out report
      dra-conformance init && dra-conformance certify --config dra-conformance.yaml --out report
    """
    given = _described(given)
    reaching.check(given)
    target = _target(given)
    _check(target)
    if target.driver.command is None and _FIRST in target.driver.hooks:
        console.words(
            f"the hook {_FIRST} is not run: the driver of --kubeconfig was started before"
        )
    if given["only_failed"]:
        given = {**given, "only": earlier.failed(given["out"])}
    agreeing = earlier.read(given["as_in"], "--as-in") if given["as_in"] else None
    judge = functools.partial(_answer, given, target, agreeing)
    code = _watched(target, judge) if given["watch"] else judge()
    if given["keep"]:
        importlib.import_module("conformance.cli.certifying.rig").keep(target, given["out"])
    return code


def _watched(target: TargetOptions, judge: Callable[[], ExitCode]) -> int:
    """Judge the driver whenever its program is another one; Ctrl-C while waiting ends that."""
    program = watching.program(target.driver.command)
    while True:
        before = watching.state(program)
        code = judge()
        try:
            watching.changed(program, before)
        except KeyboardInterrupt:
            return code


def _answer(given: dict[str, Any], target: TargetOptions, agreeing: Report | None) -> ExitCode:
    profiles = given["profiles"] or CORE
    checks = _checks(given, profiles)
    paced = paces.Paces(asked=checks, earlier=agreeing)

    def conclude(report: Report) -> list[str]:
        telling.failures(report)
        found = list(waiving.stale(given["waivers"], report, datetime.now(UTC).date()))
        return found + (list(earlier.differences(report, agreeing)) if agreeing else [])

    return judgement.answer(
        judgement.Question(
            target=target,
            out=given["out"],
            profiles=profiles,
            only=given["only"],
            skip=given["skip"],
            waivers=given["waivers"],
            arguments=(*_passed_on(given), *asking.allure(given["alluredir"])),
            allure=given["alluredir"] is not None,
            workers=str(given["instances"]) if given["instances"] > 1 else None,
            modules=tuple(sorted({one.partition("::")[0] for one in checks})),
            listeners=(_progress(profiles), lanes.Spreading(paced)),
            concluding=conclude,
        )
    )


def _checks(given: dict[str, Any], profiles: tuple[str, ...]) -> frozenset[str]:
    """Return the checks of what is asked for; raises ``Refusal`` for names that don't exist."""
    try:
        chosen = loading.load().select(profiles, given["only"], given["skip"])
        judging = proofs.collect().checks
    except (UnknownName, CatalogueError) as error:
        raise Refusal(ExitCode.USAGE, str(error)) from error
    ids = {one.id for one in chosen}
    return frozenset(one.nodeid for one in judging if ids.intersection(one.requirements))


def _progress(profiles: tuple[str, ...]) -> progress.Progress:
    """Return who says how far it is; raises ``Refusal`` for a profile that does not exist."""
    try:
        return progress.Progress(loading.load(), profiles)
    except UnknownName as error:
        raise Refusal(ExitCode.USAGE, str(error)) from error


def _described(given: dict[str, Any]) -> dict[str, Any]:
    """Return the options with what the file says where they say nothing; raises ``Refusal``."""
    told: dict[str, Any] = {"start_within": "60s", "environment": {}, "hooks": {}, "parameters": {}}
    if given["config"] is not None:
        told |= _read(given["config"])
    if given["kubeconfig"] is None:
        told["node_roots"] = ()
    elif given["plane"] != reaching.LIVE:
        # Whoever names a cluster wants the driver that is installed there.
        told |= {"driver_command": None, "class_file": None, "manifests": None}
    merged = {**told, **{name: value for name, value in given.items() if value not in (None, ())}}
    complete = {**given, **merged}
    for name in ("driver_name", "device_class"):
        if complete[name] is None:
            flag = f"--{name.replace('_', '-')}"
            raise Refusal(ExitCode.USAGE, f"say which driver is judged: {flag}, or --config")
    return complete


def _read(path: Path) -> dict[str, Any]:
    try:
        found = configuration.load(path)
    except TargetMisconfigured as error:
        raise Refusal(ExitCode.USAGE, str(error)) from error
    driver = found.driver
    return {
        "driver_name": driver.name,
        "device_class": driver.device_class,
        "driver_command": driver.command,
        "class_file": driver.class_file,
        "features": driver.features,
        "manifests": driver.manifests,
        "parameters": driver.parameters,
        "environment": driver.environment,
        "hooks": driver.hooks,
        "start_within": found.start_within or "60s",
        "profiles": found.profiles,
        "node_roots": found.node_roots,
    }


def _passed_on(given: dict[str, Any]) -> tuple[str, ...]:
    """Return the options as the suite takes them; raises ``Refusal`` for wrong durations."""
    start, wait = (
        asking.seconds(given[name], f"--{name.replace('_', '-')}") or 0.0
        for name in ("start_within", "max_wait")
    )
    return asking.options(
        kubeconfig=given["kubeconfig"],
        context=given["context"],
        node_root=given["node_roots"],
        restart_kubelet=given["restart_kubelet"],
        kubernetes_version=given["version"],
        feature_gates=given["feature_gates"],
        driver_name=given["driver_name"],
        device_class=given["device_class"],
        driver_command=given["driver_command"],
        class_file=given["class_file"],
        driver_feature=given["features"],
        driver_config=given["config"],
        driver_manifests=given["manifests"],
        start_within=given["start_within"],
        real_time=True,
        patient=given["patient"],
        image=given["image"],
        # Whoever lets the driver take its time is ready to wait so long.
        max_wait=given["start_within"] if start > wait else given["max_wait"],
        seed=given["seed"],
    )


def _target(given: dict[str, Any]) -> TargetOptions:
    """Return where the driver is judged; raises ``Refusal`` for options that can't be read."""
    return TargetOptions(
        kind="bundled" if given["kubeconfig"] is None else "kube",
        kubeconfig=given["kubeconfig"],
        context=given["context"],
        version=given["version"],
        gates=asking.gates(given["feature_gates"]),
        node_roots=asking.roots(given["node_roots"]),
        restart_kubelet=given["restart_kubelet"],
        virtual=False,
        driver=DriverOptions(
            name=given["driver_name"],
            device_class=given["device_class"],
            command=given["driver_command"],
            class_file=given["class_file"],
            features=tuple(given["features"]),
            manifests=given["manifests"],
            patient=given["patient"],
            parameters=given["parameters"],
            environment=given["environment"],
            hooks=given["hooks"],
        ),
    )


def _check(target: TargetOptions) -> None:
    """Raise ``Refusal`` for what is wrong with the driver's description."""
    driver = target.driver
    for option, name in (("--driver-name", driver.name), ("--device-class", driver.device_class)):
        for trouble in names.dns_subdomain(name):
            raise Refusal(ExitCode.USAGE, f"{option} {name!r}: {trouble}")
    try:
        if driver.command is not None:
            command.check(driver.command)
            deviceclass.wanted(driver)
            if driver.manifests is not None:
                manifests.read(driver.manifests)
        if target.kind == "kube":
            _check_cluster(target)
    except (command.CommandError, TargetMisconfigured) as error:
        raise Refusal(ExitCode.USAGE, str(error)) from error
    except HarnessError as error:
        raise Refusal(ExitCode.UNREACHABLE, str(error)) from error


def _check_cluster(target: TargetOptions) -> None:
    """Raise ``HarnessError`` for a cluster that has not what an installed driver needs.

    Where the driver is started, the cluster must not have it yet.
    """
    opened = open_target(target)
    try:
        api = opened.cluster(PLAIN).api
        if target.driver.command is None:
            deviceclass.look_for(api, target.driver.device_class)
        else:
            # The first of them is where it is started.
            lent.must_fit(min(target.node_roots.items())[1], target.driver.name)
            lent.must_be_free(api, target.driver)
    finally:
        opened.close()
