"""The certificates of dra-example-driver, as they are committed."""
