"""Declarative judgement: CEL over manifests, clusters and evidence.

Policies are data, one file per area under ``policies/``: what they match, one CEL expression
that must hold, a message, and the ids of the requirements that they judge. ``model`` says what
a policy, a finding and a trouble are, ``loading`` reads policies, ``evaluate`` holds them against
a ``world`` of objects, ``excuses`` sets accepted findings aside. ``manifests`` reads objects from
files with the place of each field, ``facts`` prepares what one expression cannot say,
``metrics`` turns a scrape into an object, ``profiles`` knows whole systems. ``trial`` runs
policies on files for whoever writes them.

No policy stands in Python: Python states facts. Policies know no target and ask nobody; the
command line hands them objects. What cannot be judged becomes a ``Trouble``, never a pass.
This package imports ``catalogue``, ``evidence``, ``cel`` and ``kube``.
"""
