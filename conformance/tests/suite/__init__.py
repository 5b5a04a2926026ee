"""The suite as a whole, on the bundled reference."""
