"""The bundled consumer: what an application does that reads its device metadata files.

``decoding.Consumer`` reads a stream of versioned objects and returns the first one of a
version that it knows, as the document "Observability of Dynamic Resources" asks. ``shapes``
says what an object of a known version looks like and what makes one invalid. Pure: text in,
object out; no clock, no file, no API. It stands beside the components, knows none of them,
and only ``reference.cluster`` may import it. A fault may step in at the seams that
``decoding.SEAMS`` names.
"""
