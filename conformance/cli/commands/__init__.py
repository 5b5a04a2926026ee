"""One module per verb of the command line, each ending in one click command.

A command parses its options, calls the layer that does the work and chooses the exit code.
It holds no rule of its own: what two commands need stands in the layer below. ``main``
names every command in one table; nothing else imports this package.
"""
