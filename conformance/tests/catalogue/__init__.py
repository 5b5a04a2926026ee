"""The law, judged: it is whole, well-formed and held together with suite and saboteurs."""
