"""How deletion, and what follows it, can go wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from conformance.kube.objects import Object
from conformance.reference.faults.seams import Saboteur

#: What the suite holds its claims with.
_FOREIGN = ".test/"


def _checks_nothing(*_: Any) -> None:
    return None


def _despite_finalizers(real: Any, obj: Object, grace: int) -> bool:
    finalizers = obj["metadata"].get("finalizers") or []
    # Those of Kubernetes itself are heeded: their requirements are others.
    is_foreign = bool(finalizers) and all(_FOREIGN in name for name in finalizers)
    is_owned = bool(obj["metadata"].get("ownerReferences"))
    if obj.get("kind") == "ResourceClaim" and is_foreign and not is_owned:
        return True
    return real(obj, grace)


async def _not_of_claims(real: Any, client: Any, plural: str, obj: Object) -> None:
    owners = [one["kind"] for one in obj["metadata"].get("ownerReferences") or []]
    if owners != ["ResourceClaim"] or obj["metadata"].get("finalizers"):
        await real(client, plural, obj)


def _none_blocks(*_: Any) -> bool:
    return False


def _each_blocks(*_: Any) -> bool:
    return True


def _never_orphan(real: Any, obj: Object, propagation: str) -> Object:
    return real(obj, "Background" if propagation == "Orphan" else propagation)


async def _keep(*_: Any) -> None:
    return None


#: Every saboteur of this area by the name of its fault.
SABOTEURS: Mapping[str, Saboteur] = {
    "apiserver-ignores-preconditions": _checks_nothing,
    "apiserver-deletes-despite-a-finalizer": _despite_finalizers,
    "collector-overlooks-claims-of-claims": _not_of_claims,
    "collector-waits-for-nobody": _none_blocks,
    "collector-waits-for-everybody": _each_blocks,
    "apiserver-orphans-nobody": _never_orphan,
    "collector-keeps-lost-owners": _keep,
}
