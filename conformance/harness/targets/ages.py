"""Since when Kubernetes has a version of a kind, where the suite asks a Kubernetes that may not.

Source: ``zz_generated.prerelease-lifecycle.go`` of k8s.io/api/resource and k8s.io/api/scheduling
v0.37.2.
"""

from __future__ import annotations

from conformance.harness.errors import Unsupported
from conformance.kube.objects import Object

#: What is younger than the oldest Kubernetes that is asked, with the minor that has it first.
_CAME = {
    ("resource.k8s.io/v1", "DeviceTaintRule"): "1.37",
    ("resource.k8s.io/v1alpha3", "ResourcePoolStatusRequest"): "1.36",
    ("scheduling.k8s.io/v1beta1", "PodGroup"): "1.37",
}


def must_have(version: str, obj: Object) -> None:
    """Raise ``Unsupported`` for an object that this Kubernetes knows in no such version."""
    kind, wanted = obj["kind"], obj["apiVersion"]
    since = _CAME.get((wanted, kind))
    if since is not None and is_older(version, since):
        raise Unsupported(
            f"the check makes a {kind} of {wanted}, which came with {since}; "
            f"the target is {version}"
        )


def is_older(version: str, since: str) -> bool:
    """Return whether a Kubernetes is older than another one, such as ``1.36`` than ``1.37``."""
    return _numbers(version) < _numbers(since)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:2])
