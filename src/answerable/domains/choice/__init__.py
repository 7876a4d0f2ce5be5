"""Multiple-choice questions on any domain's worlds: unsolvable problems with proofs."""
