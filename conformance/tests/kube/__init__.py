"""Tests of conformance.kube."""
