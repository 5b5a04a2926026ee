"""Claims that the Pods of a PodGroup share (KEP-5729).

What a group is and how long it stays, which claims are made for it and what its Pods say of
them, for whom they are reserved, and what a kubelet makes of that. Groups of these checks
have the basic policy; those that go all or not at all are judged in ``gangs``.

Nobody imports this package.
"""
