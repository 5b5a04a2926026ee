"""Device metadata in containers (KEP-5304): the file protocol of a driver.

The driver is the defendant; what it wrote is read inside a container by a probe, through the
Pod's log alone. Checks that need a driver set up in a special way are supported where the
target can do so; every other one takes any driver that writes metadata.
"""
