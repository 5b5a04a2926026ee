"""What policies said about manifests or a cluster, as documents.

``document`` gathers a judgement into one value that every format shows; ``serialize`` (JSON,
``schemas/policy/findings.schema.json``), ``sarif``, ``junit``, and ``lines`` (text for a
terminal) are pure functions of it, as is ``report.html.findings``: same input, same bytes.
``formats`` is the table of them.

Imports ``policy`` for its values, ``catalogue.model`` and the siblings below ``report``;
imported by the command line alone.
"""
