"""Tests of the report: build, every format, and the command that writes them.

``sample`` holds a made-up run with every outcome; it judges nothing that exists.
"""
