"""The rules of the core kinds, and the way to those of resource.k8s.io.

One module per kind (``pods``, ``nodes``, ``namespaces``, ``workloads``): what is defaulted,
what is invalid, what may not change. ``strategies`` maps every resource to its functions and
puts the seams around them; for resource.k8s.io it calls ``dra.strategy`` and
``dra.validation``.

Pure functions over objects, with the time as parameter. Only the API server imports this
package.
"""
