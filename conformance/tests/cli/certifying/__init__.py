"""What ``certify`` does beside judging."""
