"""What a driver owes to container runtimes: the CDI specs that it writes on its node.

The harness takes the kubelet's side, so that it sees the folder before and after each call, and
reads the specs as a runtime would. Ids: DRA-CDI-*. Only the harness is imported. A driver that
returns no CDI device conforms too: the checks are unsupported then.
"""
