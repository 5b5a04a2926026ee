"""When a version came and goes, and which versions a server serves.

Sources: ``zz_generated.prerelease-lifecycle.go`` of Kubernetes 1.37.2 (k8s.io/api/resource and,
for PodGroups, k8s.io/api/scheduling), and
https://kubernetes.io/docs/reference/using-api/deprecation-policy/ for what follows from it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from attrs import field, frozen

from conformance.kube.resources import PREFERRED, RESOURCES, Resource

_STABLE = re.compile(r"v\d+")

#: Switches of ``--runtime-config`` for many versions at once, and what they cover.
_SWITCHES: Mapping[str, re.Pattern[str]] = {
    "api/all": re.compile(r"v.*"),
    "api/ga": _STABLE,
    "api/beta": re.compile(r"v\d+beta\d+"),
    "api/alpha": re.compile(r"v\d+alpha\d+"),
}


#: The groups whose versions it may name.
_SWITCHED = ("resource.k8s.io/", "scheduling.k8s.io/")


class RuntimeConfigError(ValueError):
    """``--runtime-config`` names a version that does not exist."""


@frozen
class Life:
    """The minors in which a version of a kind came, was deprecated, and is no longer served."""

    introduced: int
    deprecated: int
    removed: int


_V1BETA1 = Life(32, 35, 38)
_V1BETA2 = Life(33, 36, 39)

#: Beyond every minor: what is stable is neither deprecated nor removed.
_NEVER = 1000

#: By version and plural: versions that are no stable ones, and stable ones that came late.
_LIVES: Mapping[tuple[str, str], Life] = {
    ("v1", "devicetaintrules"): Life(37, _NEVER, _NEVER),
    ("v1alpha3", "devicetaintrules"): Life(33, 36, 39),
    ("v1alpha3", "resourcepoolstatusrequests"): Life(36, 39, 42),
    ("v1beta2", "devicetaintrules"): Life(36, 39, 42),
    ("v1beta1", "podgroups"): Life(37, 40, 43),
    ("v1", "mutatingadmissionpolicies"): Life(36, _NEVER, _NEVER),
    ("v1", "mutatingadmissionpolicybindings"): Life(36, _NEVER, _NEVER),
    **{
        (version, plural): life
        for version, life in (("v1beta1", _V1BETA1), ("v1beta2", _V1BETA2))
        for plural in (
            "deviceclasses",
            "resourceclaims",
            "resourceclaimtemplates",
            "resourceslices",
        )
    },
}


def _known_switches(serving: Serving, _field: object, value: Mapping[str, bool]) -> None:
    served = {one.api_version for one in RESOURCES if serving.knows(one)}
    known = {*_SWITCHES, *(one for one in served if one.startswith(_SWITCHED))}
    for name in value:
        if name not in known:
            raise RuntimeConfigError(
                f"--runtime-config: Kubernetes {serving.version} has no version {name!r}; "
                f"known are {', '.join(sorted(known))}"
            )


@frozen(kw_only=True)
class Serving:
    """A Kubernetes minor (``1.37``) and what ``--runtime-config`` says.

    Construction raises ``RuntimeConfigError`` for a version that no server knows.
    """

    version: str
    config: Mapping[str, bool] = field(factory=dict[str, bool], validator=_known_switches)

    def serves(self, resource: Resource) -> bool:
        """Say whether a version of a resource is served, gates aside.

        Stable versions are by default, and a kind that has no other version as soon as its
        gate lets it be; beta and alpha versions are where they were asked for.
        """
        if not self.knows(resource):
            return False
        if resource.api_version in self.config:
            return self.config[resource.api_version]
        for switch in ("api/ga", "api/beta", "api/alpha", "api/all"):
            if switch in self.config and _SWITCHES[switch].fullmatch(resource.version):
                return self.config[switch]
        return resource in PREFERRED

    def knows(self, resource: Resource) -> bool:
        """Say whether the minor has a version of a resource, served or not."""
        life = _LIVES.get((resource.version, resource.plural))
        return life is None or life.introduced <= self._minor < life.removed

    def warning(self, resource: Resource) -> str:
        """Return what a client is told who uses a deprecated version; empty for the others."""
        life = _LIVES.get((resource.version, resource.plural))
        if life is None or self._minor < life.deprecated:
            return ""
        return (
            f"{resource.api_version} {resource.kind} is deprecated in v1.{life.deprecated}+, "
            f"unavailable in v1.{life.removed}+"
        )

    @property
    def _minor(self) -> int:
        return int(self.version.partition(".")[2])
