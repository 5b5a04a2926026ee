"""The scheduler of the reference: what kube-scheduler's DynamicResources plugin does.

``loop`` watches, takes one Pod at a time and starts a binding for each that fits; ``binding``
writes the allocation, waits for binding conditions and binds, one task per Pod, so that a
waiting Pod blocks no other. ``attempt`` decides where a Pod goes, out of pure parts: ``fit``
(ordinary resources, selectors, taints), ``claims`` (which claims, are they usable) and
``conditions`` (are the devices ready); ``grouping`` decides for the Pods of a PodGroup at once.
``outlook`` is what they see, and ``assumed`` remembers what was decided and is not yet seen in
the API; ``configuration`` reads KubeSchedulerConfiguration; ``seams`` names the places
where a fault may step in.

Devices are allocated by ``conformance.dra.allocation`` from slices alone: no driver is asked.
The scheduler knows the world through the API: it never imports another component or the
store. Only ``reference.cluster`` imports this package.
"""
