"""Tests of conformance.cel."""
