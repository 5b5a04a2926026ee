"""The client of the reference, judged."""
