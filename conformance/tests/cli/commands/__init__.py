"""The commands, judged as they are used: exit code, stdout and stderr."""
