"""A driver that is installed: its vendor's hooks are run for it, where its node is reached."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from conformance.harness.errors import Unsupported
from conformance.harness.process.hook import Hook
from conformance.harness.subject.installed import InstalledHost
from conformance.harness.subject.protocol import DriverOptions, Wanted
from conformance.harness.target import NodeAccess


def world(*nodes: NodeAccess) -> Any:
    """Return a world of a cluster of which these nodes are reached, without Pods."""
    api = SimpleNamespace(list=lambda *_: [])
    cluster = SimpleNamespace(node_access=lambda: nodes)
    return SimpleNamespace(api=api, cluster=cluster, namespace="n")


def host(folder: Path, *names: str) -> InstalledHost:
    """Return the host of a driver with hooks that note what they are told."""
    script = folder / "hook"
    note = 'echo "$DRA_HOOK $DRA_DEVICE $NODE_NAME $KUBECONFIG" >> "$1"'
    script.write_text(f"#!/bin/sh\n{note}\n", "utf-8")
    script.chmod(0o755)
    hooks = {one: Hook(name=one, command=f"{script} {folder / 'notes'}") for one in names}
    options = DriverOptions(name="d.example", device_class="d", hooks=hooks)
    return InstalledHost(options=options, kubeconfig=Path("/kubeconfig"))


def notes(folder: Path) -> Sequence[str]:
    return (folder / "notes").read_text("utf-8").splitlines()


def test_a_hook_is_run_for_the_node_that_is_reached(tmp_path: Path) -> None:
    node = NodeAccess.below("node-7", tmp_path)

    with host(tmp_path, "change-inventory").drive(world(node), Wanted()) as driver:
        driver.change_inventory()

    assert notes(tmp_path) == ["change-inventory  node-7 /kubeconfig"]


def test_what_was_taken_away_or_broken_is_brought_back(tmp_path: Path) -> None:
    names = ("remove-device", "return-device", "mark-unhealthy", "mark-healthy")
    node = NodeAccess.below("node-7", tmp_path)

    with host(tmp_path, *names).drive(world(node), Wanted()) as driver:
        driver.take_away("a")
        driver.set_health("b", "Unhealthy")

    acts = [" ".join(one.split()[:2]) for one in notes(tmp_path)]
    assert acts == ["remove-device a", "mark-unhealthy b", "return-device a", "mark-healthy b"]


def test_a_hook_without_a_node_is_not_run(tmp_path: Path) -> None:
    with (
        host(tmp_path, "change-inventory").drive(world(), Wanted()) as driver,
        pytest.raises(Unsupported, match=r"none is reached from here \(--node-root\)"),
    ):
        driver.change_inventory()


def test_a_hook_that_is_missing_is_named(tmp_path: Path) -> None:
    node = NodeAccess.below("node-7", tmp_path)

    with (
        host(tmp_path).drive(world(node), Wanted()) as driver,
        pytest.raises(Unsupported, match="needs the hook remove-device"),
    ):
        driver.take_away("a")


def test_no_check_may_do_more_than_the_hooks(tmp_path: Path) -> None:
    with (
        host(tmp_path).drive(world(), Wanted()) as driver,
        pytest.raises(Unsupported, match="takes every device away, and others rely"),
    ):
        driver.must_be_ours("takes every device away")
