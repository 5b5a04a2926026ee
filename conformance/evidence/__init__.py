"""What was seen: the records of a run, and the verdict that follows from them.

Here live the closed vocabularies of outcome and verdict, the values that a run leaves
behind (header, check records, exhibits, footer), their encoding as JSON lines, and the
redaction of secrets. A journal carries the law that it was judged by, so that it renders
the same with a later version of this tool.

Pure: no file, no clock, no network, no thread. Whoever appends to a file stands in
``plugin``; whoever turns a journal into a document stands in ``report``.

Must not know the catalogue, the suite, pytest or any target. Anybody above may import it.
"""
