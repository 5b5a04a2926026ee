"""Limits and enumerations of resource.k8s.io.

Source: ``k8s.io/api/resource/v1/types.go`` 0.37.2.
"""

from __future__ import annotations

# Names, in bytes.
DRIVER_NAME_LENGTH = 63
POOL_NAME_LENGTH = 253
DOMAIN_LENGTH = 63
ID_LENGTH = 32

# ResourceSlice.
SLICE_DEVICES = 128
#: Of slices whose devices have taints, consume counters or have list attributes.
SLICE_DEVICES_ADVANCED = 64
COUNTER_SETS = 8
COUNTERS_PER_SET = 32
COUNTER_CONSUMPTIONS = 2
COMPATIBILITY_GROUPS = 2
ATTRIBUTES_AND_CAPACITIES = 32
ATTRIBUTE_VALUES = 48
ATTRIBUTE_VALUE_LENGTH = 64
TAINTS = 16
BINDING_CONDITIONS = 4
POLICY_VALUES = 10

# ResourceClaim and DeviceClass.
REQUESTS = 32
SUBREQUESTS = 8
CONSTRAINTS = 32
CONFIGS = 32
SELECTORS = 32
EXPRESSION_LENGTH = 10 * 1024
EXPRESSION_COST = 1_000_000
#: What all derived attributes of a claim may cost together, at most.
DERIVED_COST = 1_000_000
DERIVED_ATTRIBUTES = 32
PARAMETERS_LENGTH = 10 * 1024

# Status of a ResourceClaim.
RESERVED_FOR = 256
RESULTS = 32
DEVICE_CONDITIONS = 8
DEVICE_DATA_LENGTH = 10 * 1024
DEVICE_IPS = 16
INTERFACE_NAME_LENGTH = 256
HARDWARE_ADDRESS_LENGTH = 128

ALLOCATION_MODES = ("All", "ExactCount")
TAINT_EFFECTS = ("NoExecute", "NoSchedule", "None")
TOLERATION_OPERATORS = ("Equal", "Exists")
CONFIG_SOURCES = ("FromClaim", "FromClass")

#: What a driver may tell the kubelet to leave out (KEP-5945).
SKIPPABLE_OPERATIONS = ("*", "NodePrepareResources", "NodeUnprepareResources")

#: Keys of a device attribute that hold one value, and those that hold a list.
SCALAR_VALUES = ("bool", "int", "string", "version")
LIST_VALUES = ("bools", "ints", "strings", "versions")

#: The label, with value ``true``, of namespaces in which claims may ask for admin access.
ADMIN_ACCESS_LABEL = "resource.kubernetes.io/admin-access"

# ResourcePoolStatusRequest (v1alpha3): bounds of spec.limit.
POOL_LIMIT_DEFAULT = 100
POOL_LIMIT_MIN = 1
POOL_LIMIT_MAX = 1000
# Its status: pools, conditions, and the bytes of a pool's validationError.
POOLS = 1000
POOL_CONDITIONS = 10
# Conditions of a DeviceTaintRule.
RULE_CONDITIONS = 8
POOL_ERROR_LENGTH = 256
# Entries of a summary of a pool.
POOL_SUMMARIES = 32
