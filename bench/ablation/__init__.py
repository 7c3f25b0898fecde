"""``make ablation``: what each named mechanism is worth, and each heuristic of CEGIS."""
