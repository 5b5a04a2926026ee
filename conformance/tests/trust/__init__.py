"""Tests of conformance.trust."""
