"""Real clusters that break: each way is one sentence, a verdict of nobody, and nothing is left."""
