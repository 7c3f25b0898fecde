"""Is what the model calls faster faster: the functions that isel changes, timed against it."""
