"""How a cluster can be wrong about its API itself: verbs, versions and conversions.

One module per area. The modules know nothing of each other and import no component.
"""
