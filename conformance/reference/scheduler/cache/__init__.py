"""What the scheduler keeps in mind between attempts.

``assumed`` (informers plus what was decided or written and is not seen there yet), ``ledger``
(claims, and the devices that they take), ``occupancy`` (Pods by node, and what they take),
``parked`` (Pods that wait, by what they wait for), ``nominated`` (Pods that wait on a node for
others to end).

Everything here is kept up by single events, so that an attempt costs the same however many
Pods were scheduled before. It is filled from the API alone, by ``loop`` and ``binding``;
nothing here reads or writes it, and only the scheduler imports this package.
"""
