"""Rewriting of terms towards what instructions offer."""
