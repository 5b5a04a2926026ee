"""Preparing and unpreparing one claim: CDI specs, metadata files and the record of both."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

from conformance.kube.objects import Object, name_of, namespace_of, uid_of
from conformance.reference.clock import Clock
from conformance.reference.driver import cdi
from conformance.reference.driver.checkpoint import (
    Checkpoint,
    Prepared,
    PreparedClaim,
    PrepareError,
    refuse_changed,
    refuse_in_use,
    undo,
)
from conformance.reference.driver.config import DriverConfig, MetadataConfig
from conformance.reference.driver.metadata import (
    ClaimIdentity,
    MetadataDevice,
    MetadataFiles,
    identity_of,
)
from conformance.reference.faults.seams import Faults
from conformance.reference.podclaims import results_of


@attrs.frozen(kw_only=True)
class Place:
    """Where the driver of one node puts its files."""

    node: str
    specs: cdi.SpecFolder
    data_dir: Path


class Preparation:
    """The claims of this driver on this node."""

    def __init__(
        self,
        config: DriverConfig,
        place: Place,
        checkpoint: Checkpoint,
        faults: Faults,
        clock: Clock,
    ) -> None:
        """``clock`` begins anew with each boot as far as it is monotonic, and may be set."""
        self._clock = clock
        self._config = config
        self._place = place
        self._checkpoint = checkpoint
        self._kind = f"{config.name}/device"
        self._published = {device["name"]: device for device in config.devices}
        self._offered = frozenset(self._published)
        self._metadata_config = faults.wrap("driver.metadata_config", metadata_config)(config)
        self.metadata = self._metadata_files(faults)
        self._by_request = faults.wrap("driver.metadata_requests", by_request)
        self._environment = faults.wrap("driver.environment", cdi.environment_of)
        self._spec_of = faults.wrap("driver.device_spec", cdi.spec_of)
        self._results = faults.wrap("driver.results", self._own_results)
        self._devices = faults.wrap("driver.prepared_devices", self._prepared_devices)
        self._attributes = faults.wrap("driver.metadata_attributes", self._run_time_attributes)
        self._remove_spec = faults.wrap("driver.remove_spec", remove_spec)
        self._whenever = faults.wrap("driver.instants", whenever)
        self._already = faults.wrap("driver.already_prepared", checkpoint.get)
        self._refuse_in_use = faults.wrap("driver.refuse_in_use", refuse_in_use)
        self._refuse_changed = faults.wrap("driver.refuse_changed", refuse_changed)
        self._undo = faults.wrap("driver.undo", undo)
        self._restore = faults.wrap("driver.restore", self._restore_specs)
        self._to_remove = faults.wrap("driver.to_remove", to_remove)
        self._write = faults.wrap("driver.write_spec", place.specs.write)
        self._cdi_name = faults.wrap("driver.cdi_name", cdi_name)
        self._configured = faults.wrap("driver.configuration", configured_environment)

    def offer(self, devices: Sequence[Object]) -> None:
        """Prepare these devices from now on, and no others; what is prepared stays so."""
        self._published |= {device["name"]: device for device in devices}
        self._offered = frozenset(device["name"] for device in devices)

    def prepare(self, claim: Object) -> PreparedClaim:
        """Prepare a claim, or return it as it was prepared before; raises ``PrepareError``."""
        self._whenever(uid_of(claim), self._clock.monotonic(), self._clock.now().timestamp())
        known = self._already(uid_of(claim))
        if known is not None:
            self._prepared_before(claim, known)
            return known
        try:
            return self._prepare(claim)
        except (PrepareError, OSError):
            self._undo(self._spec_paths(claim))
            raise

    def _prepare(self, claim: Object) -> PreparedClaim:
        results = self._results(claim)
        self._refuse_in_use(uid_of(claim), results, self._checkpoint.claims())
        self._write_spec(claim, results)
        prepared = PreparedClaim(
            namespace=namespace_of(claim),
            name=name_of(claim),
            uid=uid_of(claim),
            devices=self._with_metadata(claim, self._devices(claim, results)),
        )
        self._checkpoint.add(prepared)
        return prepared

    def _prepared_before(self, claim: Object, known: PreparedClaim) -> None:
        results = [one for one in results_of(claim) if one["driver"] == self._config.name]
        self._refuse_changed(known, self._devices(claim, results))
        self._restore(claim, results)

    def _restore_specs(self, claim: Object, results: Sequence[Object]) -> None:
        """Write CDI specs again that are gone: they don't survive a reboot, as claims do."""
        if not self._spec_path(uid_of(claim)).exists():
            self._write_spec(claim, results)
        if self.metadata is not None:
            for request in self._by_request(claim, self._devices(claim, results)):
                self.metadata.restore(identity_of(claim), request)

    def unprepare(self, namespace: str, name: str, uid: str) -> None:
        """Undo a preparation; a claim that is not prepared is no error."""
        if self._to_remove(uid, self._checkpoint.get(uid)):
            self._remove_spec(self._place.specs, self._spec_path(uid))
            if self.metadata is not None:
                self.metadata.remove(namespace, name, uid)
        self._checkpoint.remove(uid)

    def update_metadata(self, claim: Object, prepared: PreparedClaim) -> None:
        """Write everything that is known of the devices into the files of a claim.

        Raises ``MetadataError`` where there is no file, because the claim was unprepared.
        """
        if self.metadata is None:
            return
        for request, devices in self._by_request(claim, prepared.devices).items():
            content = self._metadata_of(devices, complete=True)
            self.metadata.update(identity_of(claim), request, content)

    def _metadata_of(self, devices: Sequence[Prepared], *, complete: bool) -> list[MetadataDevice]:
        """Return devices as metadata: identity alone, or with all that is known of them."""
        return [
            MetadataDevice(
                pool=device.pool,
                name=device.device,
                attributes=self._attributes(device.device) if complete else {},
                network_data=self._config.network_data.get(device.device) if complete else None,
            )
            for device in devices
        ]

    def _metadata_files(self, faults: Faults) -> MetadataFiles | None:
        if self._metadata_config is None:
            return None
        return MetadataFiles(
            self._config.name,
            self._place.data_dir / "dra-device-metadata",
            self._place.specs,
            versions=self._metadata_config.versions,
            faults=faults,
        )

    def _own_results(self, claim: Object) -> list[Object]:
        results = [one for one in results_of(claim) if one["driver"] == self._config.name]
        pool = self._config.pool or self._place.node
        for result in results:
            if result["device"] not in self._offered or result["pool"] != pool:
                name = f"{result['pool']}/{result['device']}"
                raise PrepareError(f"requested device {name} is not allocatable")
        return results

    def _write_spec(self, claim: Object, results: Sequence[Object]) -> None:
        if not results:
            return
        devices = [
            cdi.CdiDevice(
                name=self._cdi_name(uid_of(claim), result),
                environment={
                    **self._environment(
                        self._config.name, self._place.node, uid_of(claim), result["device"]
                    ),
                    **self._configured(claim, self._config.name, result["request"]),
                },
            )
            for result in results
        ]
        self._write(self._spec_path(uid_of(claim)), self._spec_of(self._kind, devices))

    def _prepared_devices(self, claim: Object, results: Sequence[Object]) -> tuple[Prepared, ...]:
        return tuple(
            Prepared(
                pool=result["pool"],
                device=result["device"],
                requests=(result["request"],),
                cdi_ids=(f"{self._kind}={self._cdi_name(uid_of(claim), result)}",),
                share_id=result.get("shareID"),
                admin_access=bool(result.get("adminAccess")),
            )
            for result in results
            if result["device"] not in self._config.without_node_part
        )

    def _with_metadata(self, claim: Object, devices: tuple[Prepared, ...]) -> tuple[Prepared, ...]:
        if self.metadata is None or self._metadata_config is None:
            return devices
        complete = self._metadata_config.deferred_seconds is None
        identity: ClaimIdentity = identity_of(claim)
        ids: dict[str, str] = {}
        for request, members in self._by_request(claim, devices).items():
            content = self._metadata_of(members, complete=complete)
            ids[parent_request(request)] = self.metadata.write(identity, request, content)
        return tuple(_injected(device, ids) for device in devices)

    def _run_time_attributes(self, device: str) -> Mapping[str, Object]:
        extra = self._metadata_config.extra_attributes if self._metadata_config else {}
        published = self._published.get(device, {}).get("attributes") or {}
        return {**published, **extra}

    def _spec_paths(self, claim: Object) -> list[Path]:
        requests = [one["request"] for one in results_of(claim)]
        of_metadata = self.metadata.spec_paths(uid_of(claim), requests) if self.metadata else []
        return [self._spec_path(uid_of(claim)), *of_metadata]

    def _spec_path(self, uid: str) -> Path:
        return self._place.specs.path / f"{self._config.name}_device_{uid}.json"


def metadata_config(config: DriverConfig) -> MetadataConfig | None:
    """Return how metadata is written; nothing is written unless the driver was told to."""
    return config.metadata


def by_request(_claim: Object, devices: Sequence[Prepared]) -> Mapping[str, list[Prepared]]:
    """Return prepared devices by the request reference that they serve."""
    grouped: dict[str, list[Prepared]] = {}
    for device in devices:
        for request in device.requests:
            grouped.setdefault(request, []).append(device)
    return grouped


def parent_request(reference: str) -> str:
    """Return the request of a ``request/subrequest`` reference."""
    return reference.split("/", 1)[0]


def configured_environment(claim: Object, driver: str, request: str) -> Mapping[str, str]:
    """Return the variables that the opaque configuration of a request asks for.

    Parameters are an object with a map ``environment`` alone; configuration without requests, or
    for the parent of a subrequest, counts as well. Raises ``PrepareError`` for parameters
    of another form.
    """
    found: dict[str, str] = {}
    for entry in claim["status"]["allocation"]["devices"].get("config") or []:
        opaque = entry.get("opaque") or {}
        requests = entry.get("requests") or []
        if opaque.get("driver") != driver:
            continue
        if not requests or request in requests or parent_request(request) in requests:
            found.update(_environment_in(opaque.get("parameters")))
    return found


def _environment_in(parameters: Any) -> Mapping[str, str]:
    only = isinstance(parameters, dict) and not set(parameters) - {"environment"}
    environment = parameters.get("environment", {}) if only else None
    if not isinstance(environment, dict):
        shown = json.dumps(parameters)
        raise PrepareError(
            f"opaque parameters must hold a map 'environment' and nothing else, got {shown}"
        )
    return {str(name): str(value) for name, value in environment.items()}


def whenever(_uid: str, _monotonic: float, _wall: float) -> None:
    """Prepare a claim whatever the clocks say: one begins anew with a boot, one may be set."""


def remove_spec(specs: cdi.SpecFolder, path: Path) -> None:
    """Remove the CDI spec of a claim's devices."""
    specs.remove(path)


def to_remove(_uid: str, _known: PreparedClaim | None) -> bool:
    """Remove the files of every claim: what is not known may have been prepared all the same."""
    return True


def cdi_name(claim_uid: str, result: Object) -> str:
    """Return the name of a CDI device, which is never used for another claim."""
    share = f"-{result['shareID']}" if result.get("shareID") else ""
    return f"{claim_uid}-{result['device']}{share}"


def _injected(device: Prepared, ids: dict[str, str]) -> Prepared:
    # The first device of a request carries the file of the request into the container.
    parents = [parent_request(request) for request in device.requests]
    mine = [ids.pop(request) for request in parents if request in ids]
    return attrs.evolve(device, cdi_ids=(*device.cdi_ids, *mine))
