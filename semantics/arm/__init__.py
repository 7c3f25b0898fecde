"""AArch64 with Neon: semantics imported from Arm's own text, emissions, CPUs and features."""
