"""Between a driver that is started here and the API server of a live cluster.

What the driver asks is passed on as it is, with the credentials that it shows, so that the server
alone decides what it may do. On the way its requests are seen, and meet the trouble that a check
asks for: others who use that server meet none of it. ``server`` speaks HTTP, ``asking`` reads
what is asked, ``meeting`` knows the trouble, ``gateway`` is what a target holds.
"""
