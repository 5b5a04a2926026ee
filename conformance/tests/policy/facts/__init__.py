"""Tests of what policies know about objects."""
