"""From files to objects that know where each of their fields stands.

``values`` turns one YAML document into JSON values, bounded in size whatever its aliases say.
``documents`` takes a text apart (documents, lists of objects, what is no object) and goes on
behind a document that does not parse. ``files`` finds and reads files, folders and stdin, and
refuses what was not rendered.

What cannot be read becomes a ``Trouble`` with its place; nothing here raises for bad input.
Imported by the command line and by ``policy``; knows no policy.
"""
