"""The apiserver of the reference, judged."""
