"""A machine's instructions as the search sees them."""
