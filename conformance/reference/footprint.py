"""What the devices of a Pod take of its node: the reading that every component shares.

The scheduler writes it into ``status.nodeAllocatableResourceClaimStatuses`` (KEP-5517); it and
the kubelet reckon with it.
"""

from __future__ import annotations

from collections import defaultdict
from decimal import Decimal

from conformance.kube.objects import Object
from conformance.kube.quantity import parse


def taken_by_devices(pod: Object, container: str = "") -> dict[str, Decimal]:
    """Return what the devices of the Pod take, by resource.

    With a ``container``, it is what that one may use: everything of the claims that it refers
    to, although what is once for the Pod is shared with others.
    """
    total: dict[str, Decimal] = defaultdict(Decimal)
    for row in _rows(pod, container):
        users = 1 if container else len(row.get("containers") or [])
        for one in row.get("mapping") or []:
            total[one["name"]] += parse(one["quantity"]).amount
        for one in row.get("overhead") or []:
            each = parse(one.get("perContainer", "0")).amount
            total[one["name"]] += parse(one.get("perPod", "0")).amount + each * users
    return dict(total)


def memory_share(pod: Object, container: str) -> int:
    """Return the bytes of memory from devices that are reckoned to be the container's own.

    What containers use together is divided among them.
    """
    share = 0
    for row in _rows(pod, container):
        users = len(row["containers"])
        for one in _of_memory(row, "mapping"):
            share += int(parse(one["quantity"]).amount) // users
        for one in _of_memory(row, "overhead"):
            share += int(parse(one.get("perPod", "0")).amount) // users
            share += int(parse(one.get("perContainer", "0")).amount)
    return share


def _rows(pod: Object, container: str) -> list[Object]:
    rows = pod.get("status", {}).get("nodeAllocatableResourceClaimStatuses") or []
    return [row for row in rows if not container or container in (row.get("containers") or [])]


def _of_memory(row: Object, field: str) -> list[Object]:
    return [one for one in row.get(field) or [] if one["name"] == "memory"]
