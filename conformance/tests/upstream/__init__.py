"""Tests of the builder and runner of real clusters."""
