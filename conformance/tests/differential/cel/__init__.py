"""Device selectors beside Kubernetes' own compiler: the same question, and answers are compared.

``question`` (what is asked, and what an answer is), ``devices``, ``words`` and ``drawing``
(questions by chance), ``oracle`` (asks upstream, the Go program under
``fixtures/upstream/oracle``), ``hunt`` (searches for questions that are answered differently),
``record`` (writes upstream's answers down), ``known`` (what our engine cannot do, and why).

``recordings/`` and ``scenarios/`` are replayed without Go; what is drawn afresh needs the built
oracle and is marked ``upstream``. Nothing but tests may import this package.
"""
