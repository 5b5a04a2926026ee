"""The bundled example driver: what a driver author would write, for the reference's nodes.

``driver.ExampleDriver`` is the one class to construct, from a ``config.DriverConfig``; it
serves one node. It publishes ResourceSlices, registers with the kubelet, prepares claims by
CDI, writes the device metadata files of KEP-5304, streams device health and reports device
status. ``seams`` lists where a fault may step in. Layout of files, sockets and names follows
``k8s.io/dynamic-resource-allocation/kubeletplugin`` v0.37.2, the library that Go drivers use.

Like any driver it knows the API server (through ``reference.client``) and the directories of
its node, and nothing of the kubelet but its gRPC interfaces. It imports no other component,
and only ``reference.cluster`` may import it.
"""
