"""Counterexample-guided synthesis of one lane's program over the components of a grammar."""
