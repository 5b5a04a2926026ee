"""Server-side apply: several programs write parts of one ResourceClaim or ResourceSlice.

The suite plays the drivers and the scheduler; checks of this area need the API server alone.
Values of managedFields are judged as FieldsV1 spells them, since drivers read them so.

Nobody imports this package.
"""
