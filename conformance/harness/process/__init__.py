"""A vendor's driver as a child process.

``command`` fills the placeholders of the driver command and finds its mistakes before
anything starts; ``child`` starts, stops, kills and watches the process, keeps its output,
and sees to it that nothing outlives us; ``become`` is run, not imported, and turns into the
process. What a driver does wrong is a verdict on the driver, never a traceback of ours; a
command that cannot be started at all is a ``CommandError``, the caller's mistake.

The suite's certification target and the command line may import this package; it knows no
implementation and imports nothing of the project.
"""
