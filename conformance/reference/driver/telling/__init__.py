"""What a driver tells of itself to whoever asks on a port.

``ports`` answers the probes of its Pod and serves its metrics; ``metrics`` counts what it does with
claims. ``driver.plugin`` counts with the one, the other stands on it; both use
``reference.measuring``, and nothing of how a driver prepares.
"""
