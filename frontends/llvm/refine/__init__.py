"""Does a function refine another one?  All ways of showing it, and their words."""
