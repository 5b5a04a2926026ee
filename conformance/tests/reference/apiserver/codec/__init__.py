"""Encodings, judged."""
