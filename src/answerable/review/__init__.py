"""People judge groups, or what a model explains: a local page, a store that keeps every vote, and what it exports."""
