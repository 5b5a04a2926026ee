"""Pods that wait for their claims, and what ends their waiting.

What the scheduler must notice, what it may take back to get further, and what keeps a Pod
waiting. No kubelet is needed.

Nobody imports this package.
"""
