"""Screenshots of small Python programs: a language as data, two executors, editor pictures, proofs."""
