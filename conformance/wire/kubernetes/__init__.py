"""Shapes of the Kubernetes API objects, as data for whoever reads or writes their protobuf form.

``descriptors.binpb`` is the compiled set of the ``generated.proto`` files in
``schemas/proto/kubernetes``; ``fields.json`` says for each of their fields what JSON needs to
know beside it (``inline``, ``pointer``, ``kept``, another name). Both are made by
``schemas/proto/kubernetes/generate.py`` and never edited by hand.

The data is read by ``reference.apiserver.codec``; nothing of the judge may take its
expectations from here.
"""
