"""How costly an expression can become, for the largest device that the API allows.

``estimate`` walks a checked tree and returns Kubernetes' worst case, in units of about one simple
operation; admission refuses what is above the limit. ``sizes`` has bounds and their arithmetic,
``schema`` the largest sizes that the API allows in a device, ``calls`` the prices of functions.

Source: cel-go's ``checker/cost.go`` and Kubernetes' ``pkg/cel/library/cost.go``; the numbers
are part of the API, since they decide what may be stored.

Pure. Imported by ``cel`` alone.
"""

from __future__ import annotations

from conformance.cel.cost.estimate import estimate

__all__ = ["estimate"]
