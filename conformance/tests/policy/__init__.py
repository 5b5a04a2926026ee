"""Tests of declarative judgement."""
