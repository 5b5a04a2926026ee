"""Which devices a claim gets: structured allocation (KEP-4381), first fit with backtracking.

``pools`` (which devices a node can reach), ``candidates`` (what a request accepts), ``wanted``
(what claims ask for, read once for many nodes), ``taints``, ``counters``, ``groups``,
``capacity``, ``sharing`` and ``constraints`` (what else counts), ``results`` (how an allocation
is written down), ``search`` (composes them). The filters do not know each other, but that
``sharing`` counts in the amounts of ``capacity``.

The order is that of Kubernetes' incubating and experimental allocators; no check may depend on
it, since the stable one visits pools in random order. Only ``reference`` may import this package.
"""

from __future__ import annotations

from conformance.dra.allocation.errors import AllocationError, SearchTooLongError
from conformance.dra.allocation.pools import DeviceKey, Inventory
from conformance.dra.allocation.search import allocate
from conformance.dra.allocation.sharing import InUse
from conformance.dra.allocation.taints import rule_selects, tolerates, with_rules
from conformance.dra.allocation.wanted import Wanted

__all__ = [
    "AllocationError",
    "DeviceKey",
    "InUse",
    "Inventory",
    "SearchTooLongError",
    "Wanted",
    "allocate",
    "rule_selects",
    "tolerates",
    "with_rules",
]
