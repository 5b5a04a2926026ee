"""Pytest glue."""
