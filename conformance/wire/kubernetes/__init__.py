"""Shapes of the Kubernetes API objects, as data for whoever reads or writes their protobuf form.

``descriptors.binpb`` is the compiled set of the ``generated.proto`` files in
``schemas/proto/kubernetes``; ``fields.json`` says for each of their fields what JSON needs to
know beside it (``inline``, ``pointer``, ``kept``, another name). Both are made by
``schemas/proto/kubernetes/generate.py`` and never edited by hand.

The data is read by ``reference.apiserver.codec``, and by ``harness.gateway``, which passes on
what a driver sends; nothing of the judge may take its expectations from here.
"""

from __future__ import annotations

import functools
from importlib import resources

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.message import Message


@functools.cache
def pool() -> descriptor_pool.DescriptorPool:
    """Return every message of the API, by its name in the .proto files."""
    data = resources.files(__name__).joinpath("descriptors.binpb").read_bytes()
    found = descriptor_pool.DescriptorPool()
    for file in descriptor_pb2.FileDescriptorSet.FromString(data).file:
        found.Add(file)
    return found


def new_message(name: str) -> Message:
    """Return an empty message of that name; raises ``KeyError`` for an unknown one."""
    return message_factory.GetMessageClass(pool().FindMessageTypeByName(name))()
