"""What a CEL selector can say of quantities, versions and texts.

Of two devices the first is the wrong one: a selector that is not understood takes it, or
none. Whether an expression compiles at all is judged by ``validation_requests``.
"""
