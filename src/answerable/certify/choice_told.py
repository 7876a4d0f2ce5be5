"""What is told of a multiple-choice group: the words for its kernel's premises."""

from __future__ import annotations

from answerable.certify.told import ESTABLISHES

#: In the order in which they are checked: of the image files, then the kernel's for choices.
CHOICE_ESTABLISHES: dict[str, str] = {
    "image": ESTABLISHES["image"],
    "bound": ESTABLISHES["bound"],
    "admissible": "every world is one the domain admits",
    "complete": "every world draws whole",
    "executors": ESTABLISHES["executors"],
    "options": "every setting offers the same options in every rotation once, and no two could be one answer",
    "answers": "in F the target alone is what the program gives; every other view abstains for its problem's reason",
    "unsolvable": "AAD: no option left is the answer; IASD: no option can be one; IVQD: what is named is not there",
    "pixels": "every stored picture is its world's drawing, pixel for pixel",
}
