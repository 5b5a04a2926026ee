"""The bundled driver, judged."""
