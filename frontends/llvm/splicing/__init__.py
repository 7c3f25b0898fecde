"""Programs as IR, put into a function, and the proof of what was written."""
