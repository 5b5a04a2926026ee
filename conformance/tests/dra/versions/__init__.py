"""The versions of resource.k8s.io, converted and served."""
