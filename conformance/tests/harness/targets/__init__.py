"""What every target offers, judged."""
