"""What ``certify`` does beside judging: it tells how far it is, what to do next, and does it again.

``progress`` says how far each profile is while checks run; ``telling`` is the end: the first
failures, each with the command that judges it again. ``earlier`` reads an earlier run in the same
folder, or one that this one must agree with; ``waiving`` holds waivers to what was found;
``watching`` waits for another build of the driver; ``rig`` leaves control plane and driver up.
``lanes`` spreads the checks over several instances of the driver, by what ``paces`` knows.

Only the command ``certify`` imports this package.
"""
