"""Goals, registers with wanted elements, and what each can be derived from."""
