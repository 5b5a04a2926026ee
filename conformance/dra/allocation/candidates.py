"""Requests as the search asks them, and the devices that they accept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs

from conformance import cel
from conformance.dra.allocation.capacity import suffices
from conformance.dra.allocation.errors import AllocationError
from conformance.dra.allocation.pools import Candidate, Inventory, Pool, matches_node
from conformance.dra.features import Features
from conformance.kube.objects import Object, key_of, name_of

_OPTIONAL = "DRAOptionalNodeOperations"
#: Gates of which one is enough for Kubernetes to ask its experimental allocator.
_EXPERIMENTAL = (
    _OPTIONAL,
    "DRADerivedAttributes",
    "DRADeviceCompatibilityGroups",
    "DRAListTypeAttributes",
)


@attrs.frozen(kw_only=True, eq=False)
class Asked:
    """A request, or a subrequest of one, with its class.

    ``devices`` are those that it must get all of; ``count`` is how many it needs.
    """

    claim: Object
    name: str
    request: Object
    device_class: Object
    count: int = 0
    devices: tuple[Candidate, ...] | None = None

    def attribute(self, candidate: Candidate, name: str) -> Object | None:
        """Return what constraints compare: an attribute of the device, or one that is derived.

        What the request derives hides what the device has. Raises ``AllocationError`` where the
        expression has no value.
        """
        for one in self.request.get("derivedAttributes") or []:
            if one["name"] == name:
                return _derived(one, candidate)
        return candidate.attribute(name)

    @property
    def admin_access(self) -> bool:
        """Return whether devices in use will do."""
        return bool(self.request.get("adminAccess"))


class Acceptance:
    """Decides, once per device and request, whether selectors and node accept a device."""

    def __init__(self, node: Object, features: Features) -> None:
        self._node = node
        self._features = features
        #: Whether ranges of capacity may have fractional steps.
        self.fractional = features.enabled("DRAFractionalCapacityRange")
        #: Whether capacity counts.
        self.sharing = features.enabled("DRAConsumableCapacity")
        #: Whether requests may derive attributes.
        self.derives = features.enabled("DRADerivedAttributes")
        self._binding = features.enabled("DRADeviceBindingConditions") and features.enabled(
            "DRAResourceClaimDeviceStatus"
        )
        self._known: dict[tuple[int, int], bool] = {}

    def accepts(self, asked: Asked, candidate: Candidate) -> bool:
        """Return whether the device may serve the request; raises ``AllocationError``."""
        key = (id(asked.request), id(candidate))
        if key not in self._known:
            self._known[key] = self._decide(asked, candidate)
        return self._known[key]

    def has_room(self, asked: Asked, candidate: Candidate) -> bool:
        """Return whether the device, with nothing consumed, has what the request asks of it."""
        if not self.sharing:
            return True
        return suffices(candidate.device, asked.request, fractional=self.fractional)

    def operable(self, candidate: Candidate) -> bool:
        """Return whether the node's kubelet can leave out what the driver does not need.

        The node declares it (KEP-5945).
        """
        if not candidate.slice["spec"].get("skipNodeOperations"):
            return True
        if not self._features.enabled(_OPTIONAL):
            # Kubernetes' incubating allocator does not look; the experimental one does.
            return not any(self._features.enabled(gate) for gate in _EXPERIMENTAL)
        return _OPTIONAL in ((self._node.get("status") or {}).get("declaredFeatures") or [])

    def _decide(self, asked: Asked, candidate: Candidate) -> bool:
        device = candidate.device
        if device.get("bindingConditions") and not self._binding:
            return False
        owner = f"class {name_of(asked.device_class)}"
        selectors = asked.device_class["spec"].get("selectors") or []
        if not _selected(selectors, candidate, owner):
            return False
        if asked.request.get("selectors"):
            owner = f"claim {key_of(asked.claim)}"
            if not _selected(asked.request["selectors"], candidate, owner):
                return False
        if candidate.slice["spec"].get("perDeviceNodeSelection"):
            return matches_node(device, self._node)
        return True


def _selected(selectors: Sequence[Object], candidate: Candidate, owner: str) -> bool:
    for index, selector in enumerate(selectors):
        if selector.get("cel") is None:
            raise AllocationError(f"{owner}: selector #{index}: CEL expression empty")
        try:
            if not _answer(selector["cel"]["expression"], candidate):
                return False
        except (cel.CompileError, cel.EvaluationError) as error:
            place = _place(error, candidate)
            stage = "runtime" if place else "compile"
            message = f"{owner}: selector #{index}{place}: CEL {stage} error: {error}"
            raise AllocationError(message) from error
    return True


def _place(error: cel.CompileError | cel.EvaluationError, candidate: Candidate) -> str:
    """Return on which device an expression failed: on none where it does not compile."""
    runs = isinstance(error, cel.EvaluationError)
    return f" on device {'/'.join(candidate.key)}" if runs else ""


def _derived(one: Object, candidate: Candidate) -> Object:
    name, text = one["name"], one["expression"]
    known = candidate.derived.get(text)
    if known is None:
        try:
            known = cel.compile_derived(text).attribute(candidate.driver, candidate.device)
        except (cel.CompileError, cel.EvaluationError) as error:
            place = _place(error, candidate)
            stage = "evaluate" if place else "compile"
            message = f"{stage} derived attribute {name}{place} failed: {error}"
            raise AllocationError(message) from error
        candidate.derived[text] = known
    return known


def never_fails(asked: Asked, slices: Inventory) -> bool:
    """Return whether every expression of the request surely has an answer for every device."""
    if asked.request.get("derivedAttributes"):
        return False
    chosen = asked.device_class["spec"].get("selectors") or []
    selectors = [*chosen, *(asked.request.get("selectors") or [])]
    expressions = [(one.get("cel") or {}).get("expression") for one in selectors]
    return all(isinstance(one, str) and slices.all_answer(one, _has_answer) for one in expressions)


def _has_answer(expression: str, candidate: Candidate) -> bool:
    try:
        _answer(expression, candidate)
    except (cel.CompileError, cel.EvaluationError):
        return False
    return True


def _answer(expression: str, candidate: Candidate) -> bool:
    known = candidate.answers.get(expression)
    if known is None:
        # Stored expressions are compiled without regard to the gates of the API server.
        compiled = cel.compile_selector(expression)
        known = compiled.matches(candidate.driver, candidate.device)
        candidate.answers[expression] = known
    return known


def alternatives(
    claim: Object,
    request: Object,
    classes: Mapping[str, Object],
    pools: Sequence[Pool],
    acceptance: Acceptance,
) -> list[Asked]:
    """Return what the request asks for: one thing, or the first available of several.

    Raises ``AllocationError`` for a class that is missing and for all devices of a pool that
    is incomplete or invalid, even a foreign one.
    """
    subrequests = request.get("firstAvailable") or []
    named = [(f"{request['name']}/{one['name']}", one) for one in subrequests]
    if not named and request.get("exactly") is not None:
        named = [(request["name"], request["exactly"])]
    if not named:
        raise AllocationError(
            f"claim {key_of(claim)}, request {request['name']}: unsupported request type"
        )
    return [_asked(claim, name, one, classes, pools, acceptance) for name, one in named]


def _asked(
    claim: Object,
    name: str,
    request: Object,
    classes: Mapping[str, Object],
    pools: Sequence[Pool],
    acceptance: Acceptance,
) -> Asked:
    where = f"claim {key_of(claim)}, request {name.rpartition('/')[2]}"
    if request.get("derivedAttributes") and not acceptance.derives:
        raise AllocationError(
            f"{where}: cannot handle request with derived attributes, the feature is disabled"
        )
    class_name = request.get("deviceClassName", "")
    if class_name not in classes:
        raise AllocationError(
            f"{where}: could not retrieve device class {class_name}: "
            f'deviceclass.resource.k8s.io "{class_name}" not found'
        )
    asked = Asked(claim=claim, name=name, request=request, device_class=classes[class_name])
    mode = request.get("allocationMode") or "ExactCount"
    if mode == "ExactCount":
        return Asked(
            claim=claim,
            name=name,
            request=request,
            device_class=classes[class_name],
            count=request.get("count", 1),
        )
    if mode != "All":
        raise AllocationError(f"{where}: unsupported count mode {mode}")
    devices = tuple(_all(asked, where, pools, acceptance))
    return attrs.evolve(asked, count=len(devices), devices=devices)


def _all(
    asked: Asked, where: str, pools: Sequence[Pool], acceptance: Acceptance
) -> list[Candidate]:
    found: list[Candidate] = []
    for pool in pools:
        if not pool.usable:
            state = "being updated" if pool.incomplete else "invalid"
            raise AllocationError(
                f"{where}: asks for all devices, but resource pool {pool.driver}/{pool.name} is "
                f"currently {state}"
            )
        found += [
            one
            for one in pool.devices
            if acceptance.accepts(asked, one) and acceptance.has_room(asked, one)
        ]
    return found
