"""What a vendor tells us of a driver: the file ``dra-conformance.yaml``, read and written.

``configuration`` reads it, with one sentence for each mistake; ``example`` is what ``init``
writes. The suite never sees the file: it becomes ``subject.protocol.DriverOptions``. The shape is
also published as ``schemas/driver/dra-conformance.schema.json``, for editors.
"""
