"""What belongs to namespaces rather than to a claim: their quotas.

The API server refuses what is beyond a quota; here it is only told how much is used.
"""
