"""From sources to benchmark folders."""
