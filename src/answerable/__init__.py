"""Answerable: does a vision-language model answer because of the image?

Importing this package does nothing: no network, no environment reading, no heavy library.
"""

__version__ = "0.1.0"
