"""How a kubelet speaks to a driver: what is asked of a driver through its own sockets.

``registration`` finds the driver behind the sockets of a kubelet's registrar directory and
asks who it is; ``claims`` asks it to prepare and unprepare claims, as kubelets do again and
again. Both only repeat what a kubelet asks anyway, on nodes whose directories this process
reaches. An answer that is none is a ``Violation``: nothing here is the driver's excuse.

The harness and the suite may import this package; it speaks ``wire`` and knows no
implementation, neither of a kubelet nor of a driver.
"""
