"""Pytest hooks of the suite."""

from __future__ import annotations
