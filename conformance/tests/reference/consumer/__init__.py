"""The bundled consumer of device metadata."""
