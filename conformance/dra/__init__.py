"""What resource.k8s.io says: pure rules, for the reference only.

``vocabulary`` (limits and enumerations), ``features`` (gates per Kubernetes minor),
``defaulting`` and ``dropping`` (fields set or removed before storage), ``strategy`` (what happens
to an object on its way into storage), ``validation`` (what is refused), ``allocation`` (which
devices a claim gets), ``versions`` (from every version of the API to the stored form and back).

Rules read objects of the ``v1`` API (and ``v1alpha3`` for pool status requests) as plain
mappings; times come in as parameters. No rule asks which version a client spoke. What judges a
target never imports this package: a suite that takes its limits from here would share its bugs.
Only ``reference`` may import it.
"""
