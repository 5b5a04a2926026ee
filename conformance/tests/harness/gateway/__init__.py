"""Tests of conformance.harness.gateway."""
