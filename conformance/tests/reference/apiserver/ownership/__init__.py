"""Tests of the owners of fields."""
