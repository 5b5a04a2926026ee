"""The verbs, judged without HTTP."""
