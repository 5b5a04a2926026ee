"""A container runtime in small: CDI specs applied, commands interpreted, state on disk.

No process is started. A container is a record on disk that outlives the kubelet, as real
containers do; its end follows from its command and the clock, its log from the edits that
CDI made to it. ``specs`` and ``edits`` follow the CDI specification 1.1; ``commands`` lists
what is understood. Nothing here knows Pods' claims, drivers or the API.
"""
