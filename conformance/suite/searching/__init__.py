"""A search for devices that has no end: it is given up, begun again, and takes nothing.

The scheduler does nothing else as long as it searches, ten seconds at a time unless it is
configured otherwise.

Nobody imports this package.
"""
