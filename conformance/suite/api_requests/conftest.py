"""The kinds, as the checks of the verbs have them."""

from __future__ import annotations

from conformance.suite.api.conftest import claims, kind, slices

__all__ = ["claims", "kind", "slices"]
