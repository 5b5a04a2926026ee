"""Who owns which field: ``metadata.managedFields``, and what server-side apply makes of it.

``types`` (how writers share a list or a map), ``paths`` (sets of fields and their form in
FieldsV1), ``walking`` (which fields an object has, and an object without some of them),
``comparing`` and ``merging`` (two objects), ``managers`` (entries of managedFields),
``writes`` (what updates and appliers make of them), ``conflicts`` (how they are told).

Source: https://kubernetes.io/docs/reference/using-api/server-side-apply/ and KEP-555.
Pure rules: no store, no clock.
"""
