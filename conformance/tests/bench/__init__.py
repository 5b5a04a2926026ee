"""How fast we are: measurements, printed as one table, never asserted.

``python -m conformance.tests.bench`` measures the program as people use it: whole processes
from outside (``processes``, ``program``), and one reference cluster from inside
(``cluster``). ``table`` holds what was measured and how it is printed.

A number depends on the machine and on what else it does, so nothing here fails for being
slow: the table gives the goal beside the value, the processor time beside the wall time, the
load of the machine, and the ratio to a fixed loop that was timed in the same run.

Only tests may be imported from here, and the bench imports whatever it measures.
"""
