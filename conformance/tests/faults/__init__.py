"""Every saboteur must be noticed, by exactly the requirements that it names."""
