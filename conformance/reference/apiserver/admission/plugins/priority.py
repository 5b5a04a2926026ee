"""Priority: a new Pod gets the priority and the preemption policy of its PriorityClass.

Source: https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.kube.objects import Object, name_of
from conformance.reference.apiserver.admission.plugins.writes import CREATE, Write
from conformance.reference.store.memory import Store

#: The classes that every cluster has.
_SYSTEM = {"system-cluster-critical": 2_000_000_000, "system-node-critical": 2_000_001_000}

#: What a class says that says nothing of it, and the priority of Pods without a class.
_POLICY, _NONE = "PreemptLowerPriority", 0

_CLASSES = "scheduling.k8s.io/priorityclasses"


def built_in() -> Iterator[Object]:
    """Yield the classes that every cluster has from the beginning."""
    for name, value in _SYSTEM.items():
        head = {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass"}
        yield {**head, "metadata": {"name": name}, "value": value, "preemptionPolicy": _POLICY}


class Priorities:
    """The PriorityClasses, and what they say of Pods."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def admit(self, write: Write) -> None:
        """Set the priority of a new Pod, in place.

        Raises ``StatusError`` 403 for a class that is not there, and for a Pod that says of its
        priority what its class does not. A Pod that says 0 is taken for one that says nothing.
        """
        if write.operation != CREATE or write.resource.plural != "pods" or write.subresource:
            return
        spec = write.object["spec"]
        found = self._of(spec.get("priorityClassName") or "", write)
        value = found["value"] if found else _NONE
        policy = (found or {}).get("preemptionPolicy", _POLICY)
        if spec.get("priority") not in (None, _NONE, value):
            raise write.forbidden(
                f"the integer value of priority ({spec['priority']}) must not be provided in pod "
                f"spec; priority admission controller computed {value} from the given "
                "PriorityClass name"
            )
        if spec.get("preemptionPolicy") not in (None, _POLICY, policy):
            raise write.forbidden(
                f"the string value of PreemptionPolicy ({spec['preemptionPolicy']}) must not be "
                f"provided in pod spec; priority admission controller computed {policy} from the "
                "given PriorityClass name"
            )
        spec.update(priority=value, preemptionPolicy=policy)
        if found:
            spec["priorityClassName"] = name_of(found)

    def _of(self, name: str, write: Write) -> Object | None:
        if name:
            found = self._store.get(_CLASSES, ("", name))
            if found is None:
                raise write.forbidden(f"no PriorityClass with name {name} was found")
            return found
        classes = [one for one in self._store.list(_CLASSES) if one.get("globalDefault")]
        return min(classes, key=lambda one: one["value"], default=None)
