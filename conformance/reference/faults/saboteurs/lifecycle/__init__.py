"""The functions that commit the faults of those who accompany a claim through its life.

The controller that makes claims and lets them go, and the kubelet that has them prepared and
undone. The rules of ``saboteurs`` hold here as well.
"""
