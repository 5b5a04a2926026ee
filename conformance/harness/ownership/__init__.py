"""What several field managers write to one object, and which fields each of them owns.

``managers`` is the one module: apply and patch under a manager's name, and managedFields.
"""
