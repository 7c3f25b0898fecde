"""What was tried and what came of it, in words."""
