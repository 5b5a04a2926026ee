"""Saboteurs of the bundled driver, one module for each profile beyond the core.

``publishing``, ``state`` and ``cdi`` commit the faults of ``driver_publishing.yaml``,
``driver_state.yaml`` and ``driver_cdi.yaml``; those of the core are in ``driver`` beside this
package. Each module ends in ``SABOTEURS``, as the modules of the other areas do. They touch
what their seam hands them and nothing else, import no component, and only the table of
``saboteurs`` may import them.
"""
