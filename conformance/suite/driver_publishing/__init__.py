"""The slices of a driver, where no API server can say that they are wrong.

Content is judged as it lies in the API; then a slice is taken away, the driver is started again,
or nothing happens at all. Ids: DRA-PUB-*; DRA-DRV-02 and DRA-DRV-08 in ``driver`` are about
whether there are slices that form pools. Only the harness is imported.
"""
