"""What the scheduler keeps in mind must be what a recount would say."""
