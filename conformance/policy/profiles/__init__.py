"""What is known of the systems that the documents name: drivers of vendors, and the example.

One file for each system: the names of its drivers and classes, the attributes and capacities
that it publishes, the components that it is made of, the resources by which a device plugin
advertises the same devices, and what an administrator has to know of it. ``model`` holds the
values, ``loading`` reads the files (their schema is ``schemas/policy/system.schema.json``) and
``recognise`` tells which systems the objects of a cluster show, and what of them is missing.

Must not live here: judgement. What is wrong with a system is told by policies. Imported by
``policy.facts`` and by the command line; imports ``catalogue`` (for reading YAML) and ``kube``.
"""
