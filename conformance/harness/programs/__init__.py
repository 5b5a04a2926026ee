"""Programs that are judged by what they say, without a cluster around them.

``consumer`` is an application's reader of device metadata: it gets a stream and returns the
object that it took. ``component`` is a component of Kubernetes that is started with feature
gates, to see whether it starts. Each has a protocol and the program of a person who runs us
(``--consumer-command``, ``--component-command``); the bundled target brings its own
(``targets.programs``). Nothing here knows an implementation, and nothing decides a verdict:
checks do that with what is returned.
"""
