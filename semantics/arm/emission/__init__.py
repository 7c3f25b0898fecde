"""The entries of Arm's list as C functions, and the table of their emissions."""
