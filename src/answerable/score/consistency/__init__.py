"""Consistency of replies over variants of a question and over repeats of the same input (MM-R3)."""
