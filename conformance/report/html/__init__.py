"""``report.html``: one file that a vendor shows to a customer.

The page is self-contained: style and script stand inside it, nothing is fetched, and it
reads whole without script. Templates hold all of the markup and ``page`` gives them what
they need; nothing is counted or decided here that the report document does not hold.

The only home of the template engine. Imports ``report.model`` and ``evidence``, and is
imported by ``report.formats`` alone.
"""
