"""What a driver reports about allocated devices in status.devices of the claim.

The suite plays the driver, and where no scheduler is needed the scheduler, too: it writes the
status of claims as they do. Checks of this area need the API server alone, but for the one
that watches a claim being released.

Nobody imports this package.
"""
