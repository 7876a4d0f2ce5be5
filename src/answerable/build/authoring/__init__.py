"""Questions that people write, and candidates that programs propose to them."""
