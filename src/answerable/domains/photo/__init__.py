"""Photographs whose objects have boxes: questions on them, and masks that hide what an answer rests on, or do not."""
