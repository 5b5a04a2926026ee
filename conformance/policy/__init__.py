"""Declarative judgement: CEL over manifests and over evidence.

Policies are data, one file per area under ``policies/``: what they match, one CEL expression
that must hold, a message, and the ids of the requirements that they judge. ``model`` says
what a policy is, ``loading`` reads them, ``evaluate`` applies them.

Policies know no target and ask nobody; the command line and the plugin hand them objects.
This package imports ``catalogue``, ``evidence``, ``cel`` and ``kube``. It holds no policy yet:
requirements of kind ``policy`` are listed as untested.
"""
