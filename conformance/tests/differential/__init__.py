"""Our rules beside Kubernetes' own code: the same question, and the answers are compared.

``scenario`` (a question to the allocator, and how an answer is compared), ``drawing`` and
``inventory`` (questions by chance), ``oracle`` (asks upstream's allocator, the Go program under
``fixtures/upstream/oracle``), ``hunt`` (searches for questions that are answered differently,
and writes upstream's answer into ``scenarios/*.json``). ``api`` asks the API server.

The recorded scenarios are replayed without Go; what is drawn afresh needs the built oracle and
is marked ``upstream``. Nothing but tests may import this package.
"""
