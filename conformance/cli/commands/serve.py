"""``serve``: the reference cluster by itself, a local test double for driver authors."""

from __future__ import annotations

import gc
import importlib
import os
from pathlib import Path
from types import ModuleType
from typing import Any

import click

from conformance.reference import place


@click.command("serve", short_help="Run the reference cluster by itself.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="0 takes a free one.")
@click.option(
    "--kubeconfig-out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where the kubeconfig is written; by default into a temporary directory.",
)
@click.option("--nodes", type=click.IntRange(0, 100), default=2, show_default=True)
@click.option(
    "--world",
    type=click.Path(dir_okay=False, path_type=Path),
    help="YAML with nodes, drivers, classes and objects to start with.",
)
@click.option("--kubernetes-version", "version", default="1.37", show_default=True)
@click.option("--feature-gates", "gates", default="", help="Such as A=true,B=false.")
@click.option(
    "--runtime-config",
    default="",
    help="API versions beyond v1, such as resource.k8s.io/v1beta1=true, or api/all=true.",
)
@click.option("--tls", is_flag=True, help="Speak TLS, and let in known tokens alone.")
@click.option("--real-time", is_flag=True, help="Let time pass as it does, not in jumps.")
def serve_command(**given: Any) -> None:
    """Run the reference cluster until it is interrupted.

    Writes a kubeconfig once the cluster is ready, and its path to standard output. The server
    listens on 127.0.0.1. Words for people go to standard error: the address, and for each node
    the folder with the directories that a driver is started on.

    client-go sends its token with TLS alone. Without --tls whoever asks without a token is let
    in as an administrator; with it, roles count for programs on client-go too.

    Without --real-time, time is virtual: whenever everything was quiet for 50 ms the clock
    jumps to the next timer, at most 10 s ahead, so that a wait of 600 s takes seconds. Use
    --real-time with anything that has a clock of its own, or when you act by hand.

    \b
    Example:
      dra-conformance serve --real-time --kubeconfig-out kubeconfig --world world.yaml
    """
    serving = _load()
    with place.temporary("dra-serve-") as name:
        serving.host(serving.Asked(**given), Path(name))


def _load() -> ModuleType:
    """Import everything that a cluster needs, as fast as it can be.

    The HTTP library reads all certificates of the machine when it is imported, and what is
    imported stays: looking for garbage meanwhile finds none. Each takes a tenth of the time
    until readiness. With --tls the server trusts nobody's certificates either, so none are given.
    """
    before = dict(os.environ)
    gc.disable()
    os.environ.update(SSL_CERT_FILE=os.devnull, SSL_CERT_DIR=os.devnull)
    try:
        return importlib.import_module("conformance.cli.serving")
    finally:
        os.environ.clear()
        os.environ.update(before)
        gc.freeze()
        gc.enable()
