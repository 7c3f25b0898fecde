"""Equality saturation over the proved rules: what a lane is, whatever its spelling."""
