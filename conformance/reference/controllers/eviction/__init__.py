"""Device taint eviction: Pods leave devices whose NoExecute taint their claim does not bear.

``causes`` decides which taints drive a Pod away and when, ``progress`` what the condition of
a DeviceTaintRule says; both are pure. ``writes`` holds the writes to the API, ``loop`` the
controller that watches and brings them together.

It is a stranger to the other controllers: what the resource claim controller does with the
claims of a Pod that was evicted is that controller's business. Source: KEP-5055 and
kube-controller-manager 1.37 (devicetainteviction). Only ``controllers.manager`` imports this
package.
"""
