"""Devices that several claims share, and devices that draw from what they share.

How much of a device a claim takes, by the policies of its capacities (KEP-5075), and which
partitions of a physical device fit beside each other (KEP-4815). No kubelet is needed.

Nobody imports this package.
"""
