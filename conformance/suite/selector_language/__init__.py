"""What a CEL selector can say with lists, with the language, and of a device as a whole.

Of two devices the first is the wrong one: a selector that is not understood takes it, or
none. Whether an expression compiles at all is judged by ``validation_requests``.
"""
