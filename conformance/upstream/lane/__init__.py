"""The upstream lane: the suite on real clusters, and how far the reference agrees with them.

What lives here: the table of clusters that the lane brings up (``clusters``), the run of the
suite on each of them as a child process (``running``), one journal made of theirs
(``merging``), and the agreement of two journals, requirement by requirement (``agreement``,
shown by ``pages``).

What must not: checks, expectations, or an import of the suite, the harness or the reference.
The suite is asked as any user asks it, through pytest's command line, and answers with a
journal. ``merging``, ``agreement`` and ``pages`` are pure.

Who may import it: ``cli`` and tests. It imports ``upstream``, ``evidence`` and ``data``.
"""

from __future__ import annotations
