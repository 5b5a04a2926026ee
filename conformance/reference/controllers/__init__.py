"""The controllers of the reference: what kube-controller-manager does for DRA.

Here live one loop per controller (``claims``, ``poolstatus``, ``garbage``, ``orphans``,
``eviction``) and the pure decisions that they call (``templates``, ``reservations``, ``pools``,
``views``). ``manager`` starts them all on shared informers; ``seams`` names the places where a
fault may step in.

A controller knows the world through the API alone: it imports the client, the clock, the
faults and ``kube``, never another component and never the store. Only ``reference.cluster``
imports this package.
"""
