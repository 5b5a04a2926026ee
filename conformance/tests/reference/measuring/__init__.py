"""What components tell about themselves."""
