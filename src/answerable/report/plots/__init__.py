"""SVG builders: pure functions from records to markup. Colours are classes, so both themes share one drawing."""
