"""Tests of conformance.dra.allocation."""
