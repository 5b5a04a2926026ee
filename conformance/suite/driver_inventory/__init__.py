"""What a driver owes when its hardware goes, comes back, fails and recovers while it runs.

The hooks of the driver's vendor do that to a device; slices, CDI specs and answers tell what the
driver makes of it. Ids: DRA-DIN-*. Only the harness is imported; without hooks the checks are
unsupported.
"""
