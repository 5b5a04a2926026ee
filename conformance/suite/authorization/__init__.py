"""Who may do what: roles for people, kubelets, drivers and their tokens, parts of a status.

Others than the administrator ask here: ServiceAccounts that a check creates with rights of their
own, by token, and nodes of the check's own, by impersonation.

Nobody imports this package.
"""
