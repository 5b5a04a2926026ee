"""Devices to select from, and how expressions speak of them."""

from __future__ import annotations

from typing import Any

from conformance.kube.objects import Object


def attribute(**value: Any) -> Object:
    """Return what a device has with this attribute ``a``."""
    return {"attributes": {"d.example/a": value}}


def memory(value: str) -> Object:
    """Return what a device has with so much memory."""
    return {"capacity": {"d.example/memory": {"value": value}}}


def spelled(expression: str) -> str:
    """Return the expression with ``{a}`` and ``{m}`` written out."""
    return expression.replace("{a}", 'device.attributes["d.example"].a').replace(
        "{m}", 'device.capacity["d.example"].memory'
    )
