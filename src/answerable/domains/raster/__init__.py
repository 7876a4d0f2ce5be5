"""Pixels and image files: what every kind of picture shares."""
