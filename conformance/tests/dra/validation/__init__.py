"""Tests of conformance.dra.validation."""
