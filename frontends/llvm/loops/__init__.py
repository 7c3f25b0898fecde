"""Forms of loops: reductions in other groups, splices that become loads."""
