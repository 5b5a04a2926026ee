"""Limits of a namespace on its claims and on the devices that they ask for.

A check writes a ResourceQuota, waits until a controller counts for it, and asks for more than it
allows. No device is needed: quota counts what is requested, not what is allocated.

Nobody imports this package.
"""
