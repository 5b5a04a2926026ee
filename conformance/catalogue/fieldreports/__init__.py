"""Public reports about drivers: what would have found each fault, and what proves that.

``table`` reads ``reports.yaml``; ``page`` makes of it the table that lies in
``docs/field-reports.md``. Both belong to the law and know neither suite nor reference.
"""
