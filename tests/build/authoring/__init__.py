"""Sets that people write, made up."""
