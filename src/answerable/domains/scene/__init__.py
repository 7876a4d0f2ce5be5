"""Rendered scenes: objects on a plane, typed programs over them, and what an answer rests on."""
