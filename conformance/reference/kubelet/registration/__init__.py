"""Which drivers are on the node: registration sockets, connections, calls.

Here live the watch on the registrar directory, the handshake (GetInfo, validation,
NotifyRegistrationStatus), the book of plugins per driver with the state of their
connections, the removal of ResourceSlices of drivers that are gone, and the gRPC calls with
their deadlines and versions. Claims and health ask this package for plugins; it knows
neither Pods nor claims.
"""
