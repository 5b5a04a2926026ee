"""From verdicts to documents: a journal becomes a report, a report becomes files.

``build`` turns a journal into the report document; ``serialize`` (JSON), ``junit``,
``markdown`` and ``html`` are pure functions of that document, and ``formats`` is the one
table that names them. Same journal, same bytes: every time and every number comes from the
journal, and so does the law that it was judged by.

No file is opened here, no clock is read, and nothing is decided that ``evidence.verdict``
does not decide. Must not know the suite, the harness or a target.

``plugin`` and ``cli`` import it; nobody else does.
"""
