"""What every driver owes: KEP-5970's seven behaviours, and tidy slices and sockets.

The checks walk a claim through its life with the driver that is judged (fixture ``life``),
whoever that is: the bundled example driver, a vendor's program that was started for the
run, or a driver that is installed in a live cluster. Ids: DRA-DRV-*, and those of the general
workflow that bind drivers. Only the harness is imported, and nothing tells which driver it is.
"""
