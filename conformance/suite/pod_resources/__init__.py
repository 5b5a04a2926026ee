"""What the kubelet tells agents on its node: which devices the Pods use.

The check takes the agent's side: it asks the PodResourcesLister service on the socket of a
kubelet whose directories this process reaches. The suite plays the driver.

Nobody imports this package.
"""
