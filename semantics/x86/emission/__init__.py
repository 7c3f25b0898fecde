"""The entries of the Intrinsics Guide as C functions, and the table of their emissions."""
