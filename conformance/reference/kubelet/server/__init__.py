"""What a kubelet serves: container logs over HTTP, PodResources over a Unix socket.

Reads what claims and runtime hold and changes nothing. The HTTP part answers the API
server alone; the gRPC part answers monitoring agents on the node.
"""
