"""``report.html``: one file that a vendor shows to a customer.

The page is self-contained: style and script stand inside it, nothing is fetched, and it
reads whole without script. Templates hold all of the markup; ``page`` gives them what they
need for a run, ``findings`` for what policies said; nothing is counted or decided here that
the document does not hold.

The only home of the template engine. Imports ``report.model``, ``report.lint.document`` and
``evidence``, and is imported by the two tables of formats alone.
"""
