"""Tests of what a run lends a driver that it starts."""
