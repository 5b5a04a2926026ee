"""World files: which nodes, drivers, classes and objects a reference cluster starts with.

``model`` holds the values, ``loading`` reads them from YAML and says what is wrong with a
file, with line and column; the shape is ``schemas/world/world.schema.json``. A world says
what is there at the beginning; what happens afterwards is the API's business.

``reference.cluster`` and the command line import this package; it imports no component.
"""
