"""The report: data first, then markup. Everything drawn here is read from a scores folder and its benchmark."""
