"""Pytest glue: how checks become records of a journal.

``hooks`` is the entry point; it only declares options and markers, and wakes ``judge`` when
a module of the suite is collected, so that other pytest runs are left alone. ``options`` is
the table of options and ``settings`` what they mean; ``decisions`` says before the body
whether a check runs; ``outcomes`` what an exception means; ``recording`` turns a finished
check into a record; ``ordering`` shuffles by seed; ``fixtures`` hands out worlds; ``law``
puts the catalogue into the header; ``journal_file`` writes; ``session`` starts it all in-process.

Only the command line and the tests may import this package; the suite must not.
"""
