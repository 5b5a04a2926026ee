"""The foreground run of a reference cluster: what ``serve`` does once its options are read.

Loaded by the command when it is called, and not before: everything that a cluster needs is
imported here.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import os
import secrets
import signal
from pathlib import Path
from typing import Any

import attrs
import click
import yaml

from conformance.cli.exits import ExitCode, Refusal
from conformance.dra.features import FeatureError
from conformance.dra.versions.serving import RuntimeConfigError
from conformance.kube.kubeconfig import written
from conformance.kube.status import StatusError
from conformance.reference.clock import VirtualClock
from conformance.reference.cluster import Cluster
from conformance.reference.options import ADMIN_TOKEN, ClusterOptions
from conformance.reference.world.model import World

#: Real seconds of quiet after which virtual time moves, and how far it moves at most.
_QUIET = 0.05
_JUMP = 10.0


@attrs.frozen(kw_only=True)
class Asked:
    """The options of the command, as click parsed them."""

    port: int
    kubeconfig_out: Path | None
    nodes: int
    world: Path | None
    version: str
    gates: str
    runtime_config: str
    real_time: bool
    tls: bool


def parse_gates(text: str, option: str = "--feature-gates") -> dict[str, bool]:
    """Return the switches of ``A=true,B=false``; raises ``Refusal`` for anything else."""
    gates: dict[str, bool] = {}
    for part in filter(None, (one.strip() for one in text.split(","))):
        name, _, value = part.partition("=")
        if value.lower() not in {"true", "false"}:
            raise Refusal(
                ExitCode.USAGE,
                f"{option}: expected Name=true or Name=false, found {part!r}",
            )
        gates[name.strip()] = value.lower() == "true"
    return gates


def read_world(path: Path | None) -> World | None:
    """Return the world of a file, or nothing; raises ``Refusal`` for a wrong file."""
    if path is None:
        return None
    # Loaded on demand: the schema validator alone would double the time until readiness.
    loading: Any = importlib.import_module("conformance.reference.world.loading")
    try:
        return loading.load_world(path)
    except loading.WorldError as error:
        raise Refusal(ExitCode.USAGE, str(error)) from None


def kubeconfig(cluster: Cluster) -> str:
    """Return a kubeconfig for the cluster's administrator."""
    document = written(
        cluster.public_url, cluster.token, name="dra-conformance", authority=cluster.authority
    )
    return yaml.safe_dump(document, sort_keys=False)


def write_private(path: Path, text: str) -> None:
    """Write a file that nobody else may read, at once or not at all."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        beside.replace(path)
    except OSError as error:
        raise Refusal(
            ExitCode.USAGE, f"--kubeconfig-out: {path} can't be written: {error.strerror}"
        ) from None


async def let_time_pass(clock: VirtualClock) -> None:
    """Move virtual time on whenever everything was quiet for a moment."""
    while True:
        await asyncio.sleep(_QUIET)
        await clock.step(_JUMP)


async def serve(options: ClusterOptions, target: Path) -> None:
    """Run a cluster until SIGINT or SIGTERM; the kubeconfig says that it is ready."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    cluster = Cluster(options)
    try:
        await cluster.start()
        write_private(target, kubeconfig(cluster))
        click.echo(f"ready: {cluster.public_url}", err=True)
        for node in cluster.nodes:
            click.echo(f"node {node.name}: {node.root} (plugins, reg, cdi)", err=True)
        click.echo(str(target))
        await _until(stop, cluster)
    finally:
        await cluster.stop()


async def _until(stop: asyncio.Event, cluster: Cluster) -> None:
    clock = cluster.clock
    if not isinstance(clock, VirtualClock):
        await stop.wait()
        return
    pump = asyncio.ensure_future(let_time_pass(clock))
    await stop.wait()
    pump.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await pump


def host(asked: Asked, root: Path) -> None:
    """Run the cluster that was asked for until it is interrupted; raises ``Refusal``."""
    target = (asked.kubeconfig_out or root / "kubeconfig").absolute()
    try:
        options = ClusterOptions(
            root=root,
            version=asked.version,
            gates=parse_gates(asked.gates),
            runtime_config=parse_gates(asked.runtime_config, "--runtime-config"),
            nodes=asked.nodes,
            world=read_world(asked.world),
            virtual=not asked.real_time,
            port=asked.port,
            tls=asked.tls,
            # Whoever has the kubeconfig is the administrator, and with TLS nobody else.
            token=secrets.token_urlsafe() if asked.tls else ADMIN_TOKEN,
        )
        asyncio.run(serve(options, target))
    except (FeatureError, RuntimeConfigError) as error:
        raise Refusal(ExitCode.USAGE, str(error)) from None
    except StatusError as error:
        raise Refusal(ExitCode.USAGE, f"the world can't be created: {error.message}") from None
    except OSError as error:
        raise Refusal(
            ExitCode.UNREACHABLE,
            f"port {asked.port} of 127.0.0.1 can't be used: {error.strerror}",
        ) from None
