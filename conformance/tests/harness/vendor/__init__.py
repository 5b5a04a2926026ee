"""Tests that judge us; mirrors the package."""
