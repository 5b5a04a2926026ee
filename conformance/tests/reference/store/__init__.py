"""The store of the reference, judged."""
