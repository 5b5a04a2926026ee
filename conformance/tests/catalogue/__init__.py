"""The law, judged: is it whole, well-formed and held together with suite and saboteurs?"""
