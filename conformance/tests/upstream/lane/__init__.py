"""The upstream lane: its table, the merged journal, the agreement."""
