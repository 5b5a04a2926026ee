"""Who may do what, judged over HTTP."""
