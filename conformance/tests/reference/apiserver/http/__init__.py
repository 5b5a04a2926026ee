"""Trouble on request, judged."""
