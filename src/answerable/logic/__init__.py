"""Typed programs as data, and the interpreters that run them."""
