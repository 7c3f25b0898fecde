"""What rewriting has in common for every front end may live here; a front end's own loop is shorter without it so far."""
