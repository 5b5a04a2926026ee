"""Saboteurs of device metadata: what each one does wrong stands in ``metadata.yaml``."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

from conformance.kube.objects import Object
from conformance.reference.faults.seams import Saboteur

#: A file's content from (driver, claim, request, devices).
Document = Callable[..., Object]
#: A file's text from (content, generation, versions).
Stream = Callable[[Object, int, Sequence[str]], str]


def direct_by_uid(real: Callable[..., str], driver: str, claim: Any, request: str) -> str:
    """Use the uid of a claim that is referenced directly."""
    named = claim if claim.pod_claim else attrs.evolve(claim, name=claim.uid)
    return real(driver, named, request)


def generated_by_name(real: Callable[..., str], driver: str, claim: Any, request: str) -> str:
    """Use the name of a claim that was generated."""
    named = attrs.evolve(claim, pod_claim=claim.name) if claim.pod_claim else claim
    return real(driver, named, request)


def elsewhere(real: Callable[..., str], driver: str, claim: Any, request: str) -> str:
    """Use another root."""
    return real(driver, claim, request).replace("/var/run/kubernetes.io/", "/var/run/example/")


def parent_in_file(
    real: Document, driver: str, claim: Any, request: str, devices: Sequence[Any]
) -> Object:
    """Cut the subrequest off."""
    return real(driver, claim, request.partition("/")[0], devices)


def without_kind(real: Stream, content: Object, generation: int, versions: Sequence[str]) -> str:
    """Call the objects something else."""
    return real(content, generation, versions).replace('"DeviceMetadata"', '"Metadata"')


def sorted_versions(real: Stream, content: Object, generation: int, versions: Sequence[str]) -> str:
    """Ignore the order that was chosen."""
    return real(content, generation, sorted(versions, reverse=True))


def one_more(real: Stream, content: Object, generation: int, versions: Sequence[str]) -> str:
    """Begin at 2."""
    return real(content, generation + 1, versions)


def alpha_only(real: Stream, content: Object, generation: int, versions: Sequence[str]) -> str:
    """Write the old version alone, however many were chosen."""
    return real(content, generation, ["v1alpha1" for _ in versions])


def reversed_versions(
    real: Stream, content: Object, generation: int, versions: Sequence[str]
) -> str:
    """Turn the order round."""
    return real(content, generation, versions[::-1])


def same_generation(_real: Callable[[int], int], generation: int) -> int:
    """Do not count."""
    return generation


def writable(real: Callable[..., Object], kind: str, devices: Sequence[Any]) -> Object:
    """Mount for reading and writing."""
    spec = real(kind, devices)
    for device in spec["devices"]:
        for mount in device["containerEdits"].get("mounts") or []:
            mount["options"] = ["rw", "bind"]
    return spec


def newest_version(real: Callable[..., Object], kind: str, devices: Sequence[Any]) -> Object:
    """Declare more than is needed."""
    return {**real(kind, devices), "cdiVersion": "1.0.0"}


def every_container(real: Callable[[Object, Object], Any], pod: Object, _container: Object) -> Any:
    """Give each container what the first one gets."""
    return real(pod, pod["spec"]["containers"][0])


def any_configuration(_real: Callable[..., None], _config: Any) -> None:
    """Check nothing."""


def model_missing(real: Callable[[str], Mapping[str, Object]], device: str) -> Object:
    """Leave out one attribute that is published."""
    return {name: value for name, value in real(device).items() if name != "model"}


def versions_missing(real: Callable[[str], Mapping[str, Object]], device: str) -> Object:
    """Leave out attributes whose value is a version."""
    return {name: value for name, value in real(device).items() if "version" not in value}


def no_attributes(_real: Callable[[str], Mapping[str, Object]], _device: str) -> Object:
    """Know nothing of the device."""
    return {}


def without_uid(real: Document, *arguments: Any) -> Object:
    """Leave the uid out."""
    content = real(*arguments)
    return {**content, "metadata": {**content["metadata"], "uid": ""}}


def _each_device(content: Object, change: Callable[[Object], Object]) -> Object:
    requests = [
        {**request, "devices": [change(device) for device in request["devices"]]}
        for request in content["requests"]
    ]
    return {**content, "requests": requests}


def two_values(real: Document, *arguments: Any) -> Object:
    """Give attributes a second value."""

    def change(device: Object) -> Object:
        found = device.get("attributes") or {}
        doubled = {name: {"string": "", "int": 0, **value} for name, value in found.items()}
        return {**device, "attributes": doubled}

    return _each_device(real(*arguments), change)


def with_capacity(real: Document, *arguments: Any) -> Object:
    """Add capacity."""
    return _each_device(
        real(*arguments), lambda device: {**device, "capacity": {"memory": {"value": "80Gi"}}}
    )


def network_extended(real: Document, *arguments: Any) -> Object:
    """Add a field where there is network data."""

    def change(device: Object) -> Object:
        data = device.get("networkData")
        return {**device, "networkData": {**data, "mtu": 1500}} if data else device

    return _each_device(real(*arguments), change)


def anonymous_until_complete(real: Document, *arguments: Any) -> Object:
    """Name a device only once its attributes are known."""

    def change(device: Object) -> Object:
        return device if device.get("attributes") else {"driver": "", "pool": "", "name": ""}

    return _each_device(real(*arguments), change)


def first_object_only(real: Callable[[Path, str], None], path: Path, text: str) -> None:
    """Change the first object of a file that is there, and keep the others."""
    if not path.exists():
        real(path, text)
        return
    decoder = json.JSONDecoder()
    before = path.read_text("utf-8")
    real(path, text[: decoder.raw_decode(text)[1]] + before[decoder.raw_decode(before)[1] :])


def all_requests(
    real: Callable[..., Mapping[str, list[Any]]], claim: Object, devices: Sequence[Any]
) -> Mapping[str, list[Any]]:
    """Think of every request of the claim, also of those without a device of ours."""
    names = [request["name"] for request in claim["spec"]["devices"]["requests"]]
    grouped = real(claim, devices)
    prefixes = {name.partition("/")[0] for name in grouped}
    missing = {name: list(devices[:1]) for name in names if name not in prefixes}
    return {**grouped, **missing}


def all_devices(
    real: Callable[..., Mapping[str, list[Any]]], claim: Object, devices: Sequence[Any]
) -> Mapping[str, list[Any]]:
    """List what other drivers have allocated as well."""
    grouped = {name: list(rows) for name, rows in real(claim, devices).items()}
    for result in claim["status"]["allocation"]["devices"]["results"]:
        rows = grouped.get(result["request"])
        if rows and result["device"] not in [row.device for row in rows]:
            rows.append(attrs.evolve(rows[0], device=result["device"], pool=result["pool"]))
    return grouped


def kept_after_unprepare(_real: Callable[..., None], *_claim: Any) -> None:
    """Remove nothing."""


def no_specs(real: Callable[..., Any], folder: Path, ids: Sequence[str]) -> Any:
    """Look in a folder that the driver does not know, and find nothing of metadata."""
    return real(folder, [one for one in ids if "/metadata=" not in one])


def always_on(real: Callable[[Any], Any], config: Any) -> Any:
    """Write both versions, whether asked or not."""
    configured = real(config)
    return configured if configured is not None else _Unasked()


@attrs.frozen
class _Unasked:
    """Stands for a configuration that nobody gave."""

    versions: tuple[str, ...] = ("v1beta1", "v1alpha1")
    deferred_seconds: float | None = None
    extra_attributes: Mapping[str, Object] = attrs.field(factory=dict[str, Object])


SABOTEURS: Mapping[str, Saboteur] = {
    "metadata-elsewhere": elsewhere,
    "metadata-direct-path-by-uid": direct_by_uid,
    "metadata-generated-path-by-claim": generated_by_name,
    "metadata-parent-name-in-file": parent_in_file,
    "metadata-without-kind": without_kind,
    "metadata-versions-sorted": sorted_versions,
    "metadata-starts-at-generation-2": one_more,
    "metadata-generation-stays": same_generation,
    "metadata-writable": writable,
    "metadata-for-every-container": every_container,
    "metadata-alpha-only": alpha_only,
    "metadata-oldest-first": reversed_versions,
    "metadata-any-versions": any_configuration,
    "metadata-published-attributes-missing": model_missing,
    "metadata-claim-without-uid": without_uid,
    "metadata-attribute-with-two-values": two_values,
    "metadata-with-capacity": with_capacity,
    "metadata-network-data-extended": network_extended,
    "metadata-late": no_attributes,
    "metadata-deferred-without-identity": anonymous_until_complete,
    "metadata-update-of-first-object-only": first_object_only,
    "metadata-for-requests-of-others": all_requests,
    "metadata-devices-of-others": all_devices,
    "metadata-spec-left-behind": kept_after_unprepare,
    "metadata-newest-cdi-version": newest_version,
    "metadata-spec-elsewhere": no_specs,
    "metadata-unasked": always_on,
    "metadata-version-attributes-dropped": versions_missing,
}
