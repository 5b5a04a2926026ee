"""The command line: ``dra-conformance`` and ``python -m conformance``.

``main`` wires the commands and turns refusals into one sentence and an exit code;
``exits`` holds the exit codes; ``console`` writes words for people to stderr; ``commands``
has one module per verb. Data goes to stdout, words for people to stderr.

The command line may import everything below it; nothing imports the command line. click
lives here and nowhere else.
"""
