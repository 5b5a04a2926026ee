"""Device health in the Pod's status: what the kubelet makes of a driver's health stream.

The driver double plays the driver; the kubelet is the defendant. Timeouts are judged in the
time of the target: virtual on the bundled one, real on a live cluster, where a kubelet shows
a timeout at the Pod's next periodic sync.
"""
