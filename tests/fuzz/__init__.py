"""Random vector functions, and the comparison of two versions of a module by running both."""
