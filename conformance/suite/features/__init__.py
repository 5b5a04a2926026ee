"""What the advanced features promise beyond the general workflow.

Prioritized lists, admin access, partitions that draw from shared counters, capacity that
several claims share, tainted devices. Each check states the promise of the feature; the
details of single fields belong to the areas of their own. Checks of this area run on the
control plane alone.

Nobody imports this package.
"""
