"""The pytest glue, judged."""
