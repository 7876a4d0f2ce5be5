"""Tables: typed cells under a header, drawn in several styles."""
