"""Tests of the records: verdicts, the journal's lines, and the redaction of secrets."""
