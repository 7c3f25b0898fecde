"""Price tables that ship, by the CPUs that they are for."""
