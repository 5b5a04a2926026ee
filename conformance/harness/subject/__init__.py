"""The driver that is judged: what a check may know of it, and how a target provides it.

``protocol`` says what every such driver offers and how a check wants it configured.
``installed`` is a driver that somebody installed in a live cluster, known by its name and
its class alone; ``started`` is a vendor's program that we start as a child against a control
plane that we bring; ``configured`` is a program that the suite sets up for each check. The
bundled target has a host of its own (``targets.bundled_driver``).

``life`` takes a claim through its life with the driver, step by step; ``inventory`` reads
what the driver publishes; ``expectations`` holds what is expected over several steps;
``publication`` holds what a driver that can be told anything publishes for a check;
``deviceclass`` makes or finds its class; ``refusal`` asks whether it starts as a check wants.

The suite sees the protocol only: nothing in a check knows which of them it judges.
"""
