"""Tests of what policies said, as documents."""
