"""Generated shapes: the kubelet's gRPC interfaces, and Kubernetes' protobuf bodies.

``dra_v1`` and ``dra_v1beta1`` (DRAPlugin), ``pluginregistration_v1`` (Registration),
``dra_health_v1`` and ``dra_health_v1alpha1`` (DRAResourceHealth), ``grpc_health_v1`` (Health, for
a Pod's probes) and ``podresources_v1`` (PodResourcesLister); ``kubernetes`` holds the messages of
the API's own kinds, as descriptors that are loaded when a body first needs them. Made from
``schemas/proto`` by ``tox -e generate``, never edited by hand, and exempt from the numbers of the
house.

Everything that speaks to a driver or to a kubelet may import this package; it imports
nothing of the project.
"""
