"""Device health on the node (KEP-4680): streams, cache, and the entries in Pod status.

The cache survives a restart on disk; an entry that was not renewed within its timeout reads
as Unknown. Pods learn of changes through a callback. Starts no container and calls no API.
"""
