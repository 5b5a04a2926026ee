"""What a driver with the health service owes to its kubelet: one stream, complete and in time.

The harness opens a stream of its own beside that of a kubelet. Ids: DRA-DHL-*; what a kubelet
makes of the stream is the affair of ``health``. Only the harness is imported. A driver that
announces no health service conforms too: the checks are unsupported then.
"""
