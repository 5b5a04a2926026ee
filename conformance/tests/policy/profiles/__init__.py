"""Profiles of systems: their files, and what clusters they are recognised in."""
