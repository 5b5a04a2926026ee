"""The program as a whole, as a person or a CI gate starts it."""
