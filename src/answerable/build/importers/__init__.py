"""Published benchmarks to groups: one module a layout; nothing is proved, and every view says who vouches for it."""
