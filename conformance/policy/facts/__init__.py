"""What policies may know about an object beyond its own fields.

A fact is a function from a ``Subject`` (an object among the others at hand) to JSON values; the
``table`` gives each its name. Expressions read them as ``facts.<name>``, and only those that an
expression names are computed.

Facts state what is; they judge nothing, and never raise: an object of the wrong shape has empty
facts. Pure: no I/O, no clock. They import ``policy.world`` and what lies below ``policy``.
"""
