"""Tests of what a real node is made of."""
