"""What the ResourceClaim controller does beyond the general workflow.

How the claims that it makes from templates look, which of those that are there it takes for its
own, how it takes reservations and allocations back, and when claims go. Pods that end do so on
nodes without a kubelet, where the check says how they fare. Checks of this area run on the
control plane alone, but for one that needs containers which start again.

Nobody imports this package.
"""
