"""The programs that are judged by what they say."""
