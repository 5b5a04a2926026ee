"""The small driver, certified in one respect at a time."""
