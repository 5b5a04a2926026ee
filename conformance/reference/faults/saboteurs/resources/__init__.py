"""How a cluster can be wrong about resources of Pods and nodes that devices provide or consume.

One module per area. The modules know nothing of each other and import no component.
"""
