"""The entry point: options and markers for every run, the judge only where a check is.

It is imported into every pytest run of an environment that has the distribution, so it
imports nothing heavy and does nothing until a module of the suite is collected.
"""

from __future__ import annotations

import atexit
import importlib
import logging
import secrets
import sys
from pathlib import Path
from typing import Any

import pytest

from conformance.plugin import options

#: Where the checks lie.
SUITE = Path(__file__).parent.parent / "suite"

#: The names under which the two parts that are woken register.
_PARTS = {
    "dra-conformance-fixtures": "conformance.plugin.fixtures",
    "dra-conformance-judge": "conformance.plugin.judge",
}

#: Seeds are drawn below this: short enough to be typed again.
_SEEDS = 1_000_000

#: Why the judge could not be woken.
_TROUBLE = pytest.StashKey[pytest.UsageError]()

_MARKERS = (
    "requirement(*ids): the requirements of the catalogue that this check judges",
    "needs(*capabilities): what the target must offer beyond its API, such as 'kubelet'",
    "variant(gates={}, binding_timeout=None, serves=[]): how the cluster must be",
    "driver(features=(), without=(), ...): how the driver that is judged must be set up",
    "upstream: needs a real Kubernetes that is built and started from its source",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options."""
    options.declare(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Declare the markers; with a journal wanted, the judge is there from the start."""
    for marker in _MARKERS:
        config.addinivalue_line("markers", marker)
    handed = getattr(config, "workerinput", None)
    if handed is not None:
        config.option.dra_seed, config.option.dra_run = handed["dra_seed"], handed["dra_run"]
        return
    if config.option.dra_seed is None:
        config.option.dra_seed = secrets.randbelow(_SEEDS)
    config.option.dra_run = secrets.token_hex(3)
    if config.getoption("dra_journal"):
        _wake(config)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Hand seed and run to a worker of pytest-xdist: all shuffle alike and name one run."""
    node.workerinput["dra_seed"] = node.config.option.dra_seed
    node.workerinput["dra_run"] = node.config.option.dra_run


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> None:
    """Wake the judge before the first module of the suite is collected."""
    if SUITE in file_path.parents:
        try:
            _wake(parent.config)
        except pytest.UsageError as error:
            # Here it would count as an error of the module that happens to be collected.
            parent.config.stash[_TROUBLE] = error


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config) -> None:
    """End a run whose question makes no sense, before any check runs."""
    if _TROUBLE in config.stash:
        raise config.stash[_TROUBLE]


def _wake(config: pytest.Config) -> None:
    manager = config.pluginmanager
    for name, module in _PARTS.items():
        if not manager.has_plugin(name):
            manager.register(importlib.import_module(module).plugin(config), name)


def hush() -> None:
    """Print no complaint of an object that is collected from now on.

    Where a run was cut off, sockets and streams complain while they are collected; the
    report says that it was cut off, and nothing hides in their words.
    """
    sys.unraisablehook = _ignore
    logging.getLogger("asyncio").setLevel(logging.CRITICAL + 1)


def hush_at_exit() -> None:
    """Do so while the interpreter ends: a worker of pytest-xdist may end at any moment."""
    atexit.register(hush)


def _ignore(_unraisable: Any) -> None:
    return None
