"""Device taint eviction."""
