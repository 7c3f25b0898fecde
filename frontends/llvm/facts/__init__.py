"""Facts of one function: what instructions do, where they access memory, what may be undef."""
