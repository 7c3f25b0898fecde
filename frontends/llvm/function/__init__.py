"""One function, looked at: what instructions do, where they access memory, what may be undef."""
