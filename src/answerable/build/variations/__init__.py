"""Variations of somebody's questions: what is changed, and what the changed question then demands."""
