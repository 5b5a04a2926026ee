"""Schedulers that do not know something of the language of selectors.

``words`` holds a saboteur for each word that some expression of the suite needs.
"""
