"""Programs of others against the reference: tests and clients that are written in Go."""
