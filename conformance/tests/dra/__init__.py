"""Tests of conformance.dra."""
