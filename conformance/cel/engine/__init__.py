"""Evaluates checked expressions, as Kubernetes' interpreter does, with what it spends.

``program`` turns a tree into functions of a frame; ``values`` says what values are, when they
are equal and how they are ordered; ``amounts`` are quantities; ``library`` names every function
by the kinds of its arguments, from ``operators``, ``conversions``, ``texts`` and ``lists``;
``meter`` knows the price of a call.

The engine that checks expressions could evaluate them, too; but it takes no values of foreign
types, has no maps with defaults, and counts no cost. Each of these decides which devices are
selected. Pure: no I/O, no clock. Imported by ``cel`` alone.
"""
