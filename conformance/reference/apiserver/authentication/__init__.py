"""Who asks: bearer tokens, tokens of ServiceAccounts, impersonation.

``users`` is what is known of somebody, ``tokens`` mints and reads the tokens of
ServiceAccounts (also of those that are bound to a Pod or Node), ``rotation`` knows which were
replaced, ``asking`` finds out who sent a request. Whether that user may do what is asked is
decided in ``authorization``.
"""
