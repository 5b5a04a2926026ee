"""The device metadata files of KEP-5304: content, paths, stream and updates."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import attrs

from conformance.kube.objects import Object, name_of, namespace_of, uid_of
from conformance.reference.driver import cdi
from conformance.reference.faults.seams import Faults
from conformance.reference.podclaims import POD_CLAIM_ANNOTATION

GROUP = "metadata.resource.k8s.io"

#: Where the files lie in a container.
CONTAINER_ROOT = "/var/run/kubernetes.io/dra-device-attributes"


class MetadataError(LookupError):
    """There is no file to update."""


@attrs.frozen(kw_only=True)
class MetadataDevice:
    """A device as it stands in a file; ``attributes`` are those of a ResourceSlice."""

    pool: str
    name: str
    attributes: Mapping[str, Object] = attrs.field(factory=dict[str, Object])
    network_data: Object | None = None


@attrs.frozen(kw_only=True)
class ClaimIdentity:
    """What a file says of its claim; ``pod_claim`` is set for claims from a template."""

    namespace: str
    name: str
    uid: str
    pod_claim: str = ""


def identity_of(claim: Object) -> ClaimIdentity:
    """Return what stands of a claim in its files."""
    annotations = claim["metadata"].get("annotations") or {}
    return ClaimIdentity(
        namespace=namespace_of(claim),
        name=name_of(claim),
        uid=uid_of(claim),
        pod_claim=annotations.get(POD_CLAIM_ANNOTATION, ""),
    )


def container_path(driver: str, claim: ClaimIdentity, request: str) -> str:
    """Return where the file of a request lies in a container; ``request`` is top-level."""
    if claim.pod_claim:
        folder = f"resourceclaimtemplates/{claim.pod_claim}"
    else:
        folder = f"resourceclaims/{claim.name}"
    return f"{CONTAINER_ROOT}/{folder}/{request}/{driver}-metadata.json"


def document(
    driver: str, claim: ClaimIdentity, request: str, devices: Iterable[MetadataDevice]
) -> Object:
    """Return the content of a file, without version and generation.

    ``request`` is the full ``request/subrequest`` reference where there is one.
    """
    content: Object = {
        "metadata": {"name": claim.name, "namespace": claim.namespace, "uid": claim.uid},
        "requests": [{"name": request, "devices": [_device(driver, one) for one in devices]}],
    }
    if claim.pod_claim:
        content["podClaimName"] = claim.pod_claim
    return content


def stream(content: Object, generation: int, versions: Sequence[str]) -> str:
    """Return the text of a file: the same content once per version, in this order."""
    objects = [
        {
            "kind": "DeviceMetadata",
            "apiVersion": f"{GROUP}/{version}",
            **content,
            "metadata": {**content["metadata"], "generation": generation},
        }
        for version in versions
    ]
    return "".join(json.dumps(one, indent=2) + "\n" for one in objects)


def replace(path: Path, text: str) -> None:
    """Write a file so that no reader ever sees a part of it, or two files in one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.tmp")
    fresh.write_text(text, "utf-8")
    os.replace(fresh, path)  # noqa: PTH105 - atomic, as Path.replace is, and known to be


class MetadataFiles:
    """The files of one driver: ``root`` on the node, CDI specs that mount them."""

    def __init__(
        self,
        driver: str,
        root: Path,
        specs: cdi.SpecFolder,
        *,
        versions: Sequence[str],
        faults: Faults,
    ) -> None:
        self._driver = driver
        self._root = root
        self._specs = specs
        self._versions = tuple(versions)
        self._document = faults.wrap("driver.metadata_document", document)
        self._stream = faults.wrap("driver.metadata_stream", stream)
        self._container_path = faults.wrap("driver.metadata_path", container_path)
        self._replace = faults.wrap("driver.metadata_replace", replace)
        self._next_generation = faults.wrap("driver.metadata_generation", next_generation)
        self._spec_of = faults.wrap("driver.metadata_spec", cdi.spec_of)
        self._restore = faults.wrap("driver.metadata_restore", self._restore_spec)
        self._host_path = faults.wrap("driver.metadata_host_path", self._usual_path)
        self._remove = faults.wrap("driver.metadata_remove", self._remove_files)

    def write(self, claim: ClaimIdentity, request: str, devices: Sequence[MetadataDevice]) -> str:
        """Write the first file of a request and its CDI spec; returns the CDI device id."""
        parent = request.split("/", 1)[0]
        path = self.host_path(claim, parent)
        content = self._document(self._driver, claim, request, devices)
        self._replace(path, self._stream(content, 1, self._versions))
        return self._write_spec(claim, parent)

    def restore(self, claim: ClaimIdentity, request: str) -> None:
        """Write the CDI spec of a request again if it is gone; the file itself is durable."""
        parent = request.split("/", 1)[0]
        self._restore(claim, request, self.host_path(claim, parent))

    def _restore_spec(self, claim: ClaimIdentity, request: str, _file: Path) -> None:
        (spec,) = self.spec_paths(claim.uid, [request])
        if not spec.exists():
            self._write_spec(claim, request.split("/", 1)[0])

    def spec_paths(self, uid: str, requests: Iterable[str]) -> list[Path]:
        """Return where the CDI specs of a claim lie."""
        parents = dict.fromkeys(request.split("/", 1)[0] for request in requests)
        return [
            self._specs.path / f"{self._driver}_metadata_{uid}_{parent}.json" for parent in parents
        ]

    def _write_spec(self, claim: ClaimIdentity, parent: str) -> str:
        kind, name = f"{self._driver}/metadata", f"{claim.uid}_{parent}"
        inside = self._container_path(self._driver, claim, parent)
        files = {inside: self.host_path(claim, parent)}
        spec = self._spec_of(kind, [cdi.CdiDevice(name=name, files=files)])
        (path,) = self.spec_paths(claim.uid, [parent])
        self._specs.write(path, spec)
        return f"{kind}={name}"

    def update(self, claim: ClaimIdentity, request: str, devices: Sequence[MetadataDevice]) -> None:
        """Replace the file of a request by one of the next generation.

        Raises ``MetadataError`` where the request has no file.
        """
        path = self.host_path(claim, request.split("/", 1)[0])
        try:
            before, _ = json.JSONDecoder().raw_decode(path.read_text("utf-8"))
        except FileNotFoundError as error:
            where = f"{claim.namespace}/{claim.name}"
            raise MetadataError(f"request {request!r} not found in claim {where}") from error
        generation = self._next_generation(before["metadata"]["generation"])
        content = self._document(self._driver, claim, request, devices)
        self._replace(path, self._stream(content, generation, self._versions))

    def remove(self, namespace: str, name: str, uid: str) -> None:
        """Remove every file and CDI spec of a claim; nothing there is no error."""
        self._remove(namespace, name, uid)

    def host_path(self, claim: ClaimIdentity, parent: str) -> Path:
        """Return where the file of a top-level request lies on the node."""
        return self._host_path(claim, parent)

    def _usual_path(self, claim: ClaimIdentity, parent: str) -> Path:
        return self._root / f"{claim.namespace}_{claim.name}" / parent / "metadata.json"

    def _remove_files(self, namespace: str, name: str, uid: str) -> None:
        shutil.rmtree(self._root / f"{namespace}_{name}", ignore_errors=True)
        for path in self._specs.path.glob(f"{self._driver}_metadata_{uid}_*.json"):
            self._specs.remove(path)


def next_generation(generation: int) -> int:
    """Return the generation of an update."""
    return generation + 1


def _device(driver: str, device: MetadataDevice) -> Object:
    content: Object = {"driver": driver, "pool": device.pool, "name": device.name}
    if device.attributes:
        content["attributes"] = dict(device.attributes)
    if device.network_data:
        content["networkData"] = device.network_data
    return content
