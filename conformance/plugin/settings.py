"""What the options of a run mean: parsed once, with one sentence for what makes no sense."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import attrs
import pytest

from conformance.harness.errors import TargetMisconfigured
from conformance.harness.subject.protocol import DriverOptions
from conformance.harness.target import CDI, NodeAccess
from conformance.harness.targets.opening import TargetOptions
from conformance.harness.vendor import configuration
from conformance.harness.world import IMAGE

#: The units of a duration, in seconds.
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_DURATION = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h)")


@attrs.frozen(kw_only=True)
class Settings:
    """One run, as it was asked for."""

    target: TargetOptions = attrs.field(factory=TargetOptions)
    profiles: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    skip: tuple[str, ...] = ()
    #: Longest single wait on a live cluster, in seconds.
    max_wait: float = 60.0
    #: How long the driver may take to register and to publish; None as the catalogue says.
    start_within: float | None = None
    waivers: Path | None = None
    seed: int = 0
    #: Identifies the run in labels, names and the journal.
    run: str = ""
    journal: Path | None = None
    image: str = IMAGE


def of(config: pytest.Config) -> Settings:
    """Return the settings of a pytest run; raises ``TargetMisconfigured``."""
    option: Callable[[str], Any] = functools.partial(getattr, config.option)
    seed = int(option("dra_seed"))
    return Settings(
        target=_target(config, seed),
        profiles=tuple(option("dra_profile")),
        only=tuple(option("dra_only")),
        skip=tuple(option("dra_skip")),
        max_wait=duration(option("dra_max_wait"), "--dra-max-wait"),
        start_within=_duration(option("dra_start_within"), "--dra-start-within"),
        waivers=_path(option("dra_waivers")),
        seed=seed,
        run=option("dra_run"),
        journal=_path(option("dra_journal")),
        image=option("dra_image") or IMAGE,
    )


def _target(config: pytest.Config, seed: int) -> TargetOptions:
    option: Callable[[str], Any] = functools.partial(getattr, config.option)
    told = _path(option("dra_driver_config"))
    described = configuration.load(told).driver if told else DriverOptions()
    return TargetOptions(
        kind=option("dra_target"),
        kubeconfig=_path(option("dra_kubeconfig")),
        context=option("dra_context"),
        version=option("dra_kubernetes_version"),
        gates=gates(option("dra_feature_gates")),
        binding_timeout=_duration(option("dra_binding_timeout"), "--dra-binding-timeout"),
        node_roots=roots(option("dra_node_root")),
        restart_kubelet=option("dra_restart_kubelet"),
        metrics=metrics(option("dra_metrics_url")),
        seed=seed,
        faults=tuple(option("dra_fault")),
        virtual=not option("dra_real_time"),
        consumer_command=option("dra_consumer_command"),
        component_command=option("dra_component_command"),
        driver=DriverOptions(
            name=option("dra_driver_name"),
            device_class=option("dra_device_class"),
            command=option("dra_driver_command"),
            class_file=_path(option("dra_class_file")),
            features=tuple(option("dra_driver_feature")),
            manifests=_path(option("dra_driver_manifests")),
            patient=option("dra_patient"),
            instance=_worker(config),
            parameters=described.parameters,
            environment=described.environment,
            hooks=described.hooks,
        ),
    )


def duration(text: str, name: str = "the duration") -> float:
    """Return the seconds of ``1h30m``, ``60s`` or ``250ms``; raises ``TargetMisconfigured``."""
    if not re.fullmatch(rf"(?:{_DURATION.pattern})+", text):
        raise TargetMisconfigured(f"{name} {text!r} is no duration; write 60s, 10m or 1h30m")
    return sum(float(number) * _UNITS[unit] for number, unit in _DURATION.findall(text))


def _duration(text: str | None, name: str) -> float | None:
    return duration(text, name) if text else None


def gates(text: str) -> dict[str, bool]:
    """Return the gates of ``A=true,B=false``; raises ``TargetMisconfigured``."""
    found: dict[str, bool] = {}
    for row in filter(None, text.split(",")):
        name, _, value = row.strip().partition("=")
        if value.lower() not in ("true", "false"):
            raise TargetMisconfigured(f"feature gate {row!r} must be NAME=true or NAME=false")
        found[name] = value.lower() == "true"
    return found


def roots(rows: Iterable[str]) -> dict[str, NodeAccess]:
    """Return the kubelets of ``NAME=DIR[:CDI]`` rows; raises ``TargetMisconfigured``."""
    found: dict[str, NodeAccess] = {}
    for row in rows:
        name, _, folders = row.partition("=")
        root, _, cdi = folders.partition(":")
        if not name or not root or not all(Path(one).is_dir() for one in (root, cdi or root)):
            raise TargetMisconfigured(
                f"node root {row!r} must be NAME=DIR or NAME=DIR:CDI, with directories that exist"
            )
        found[name] = NodeAccess.below(name, Path(root), Path(cdi) if cdi else CDI)
    return found


def metrics(rows: Iterable[str]) -> dict[str, str]:
    """Return the URLs of ``NAME=URL`` rows; raises ``TargetMisconfigured``."""
    found: dict[str, str] = {}
    for row in rows:
        name, _, url = row.partition("=")
        if not name or not url.startswith(("http://", "https://")):
            raise TargetMisconfigured(f"metrics {row!r} must be NAME=URL, with http or https")
        found[name] = url
    return found


def _worker(config: pytest.Config) -> int:
    """Return the number of this worker of pytest-xdist, 0 where there is none."""
    handed: dict[str, Any] = getattr(config, "workerinput", {})
    return int(handed.get("workerid", "gw0").removeprefix("gw"))


def _path(text: str | None) -> Path | None:
    return Path(text) if text else None
