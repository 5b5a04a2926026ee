"""Device binding conditions: a Pod is bound once its devices are ready (KEP-5007).

The scheduler allocates, then waits: until every condition is True, one says failure, or the
time is up. The suite plays the external controller that reports the conditions. Checks of
this area run on the control plane alone; no device is ever prepared.

Nobody imports this package.
"""
