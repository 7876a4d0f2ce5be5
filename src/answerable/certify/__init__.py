"""Checking proofs without trusting whoever made them."""
