"""What a driver owes to whoever scrapes its metrics.

The harness asks as Prometheus does and plays the kubelet whose claims are counted; what a metric is
called and what it means is the driver's own affair. Ids: DRA-DMT-*. Only the harness is imported; a
driver of which nobody says that it tells metrics is not asked.
"""
