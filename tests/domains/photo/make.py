"""Photos, graphs and questions for the tests of photos."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
from PIL import Image

from answerable.domains.photo.asked import Asked
from answerable.domains.photo.boxes import Box
from answerable.domains.photo.graph import Thing

WIDTH, HEIGHT = 120, 80


def box(left: int, top: int, width: int, height: int) -> Box:
    return Box(left=left, top=top, width=width, height=height)


def thing(id: str, name: str, left: int, top: int, width: int, height: int) -> Thing:
    return Thing(id=id, name=name, box=box(left, top, width, height))


DOG, CAT = thing("1", "dog", 10, 10, 20, 20), thing("2", "cat", 50, 12, 22, 18)


def asked(*others: Thing, needed: tuple[Thing, ...] = (DOG,), **changes: Any) -> Asked:
    """What the dog is, beside a cat unless others are given."""
    fields: dict[str, Any] = {
        "id": "q", "photo": "7", "file": "7.jpg", "width": WIDTH, "height": HEIGHT, "question": "What is it?",
        "answer": "dog", "boolean": False, "needed": needed, "others": others or (CAT,),
    }  # fmt: skip
    return Asked(**(fields | changes))


def pixels(width: int = WIDTH, height: int = HEIGHT) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """No two neighbours alike, and nothing grey."""
    rows, columns = np.mgrid[0:height, 0:width]
    return np.stack([rows * 3 % 256, columns * 2 % 256, (rows + columns) % 100], axis=2).astype(np.uint8)


def photo(form: str = "PNG", mode: str = "RGB", size: tuple[int, int] = (WIDTH, HEIGHT), **how: Any) -> bytes:
    """A photo's file."""
    out = io.BytesIO()
    Image.fromarray(pixels(*size)).convert(mode).save(out, form, **how)
    return out.getvalue()


def rotated(mark: int, form: str = "JPEG", size: tuple[int, int] = (WIDTH, HEIGHT)) -> bytes:
    """A photo with a rotation mark."""
    exif = Image.Exif()
    exif[0x0112] = mark
    return photo(form, size=size, exif=exif)


def node(name: str, x: int, y: int, w: int, h: int, *attributes: str, **relations: str) -> dict[str, Any]:
    """An object of a scene graph; ``near="7"`` says that it is near object 7."""
    held = [{"object": other, "name": relation.replace("_", " ")} for relation, other in relations.items()]
    return {"name": name, "x": x, "y": y, "w": w, "h": h, "attributes": list(attributes), "relations": held}


def graph(**objects: dict[str, Any]) -> dict[str, Any]:
    """A scene graph; ids have a letter before their digits."""
    return {"width": WIDTH, "height": HEIGHT, "objects": objects}


def step(operation: str, argument: str, *inputs: int) -> dict[str, Any]:
    return {"operation": operation, "dependencies": list(inputs), "argument": argument}


#: A dog near a red ball and beside a cat, and a bench.
GRAPH = graph(
    o1=node("dog", 10, 10, 20, 20, "brown", near="o2", to_the_left_of="o3"),
    o2=node("ball", 40, 50, 12, 12, "red", "round"),
    o3=node("cat", 70, 12, 22, 18, "white", "small", to_the_right_of="o1"),
    o4=node("bench", 96, 56, 22, 20, "brown"),
    o5=node("cup", 10, 55, 14, 12, "red"),
)


def question(text: str, answer: str, *steps: dict[str, Any], photo: str = "7") -> dict[str, Any]:
    """A question as GQA writes it."""
    return {
        "question": text, "answer": answer, "imageId": photo, "semantic": list(steps), "types": {"structural": "query"}
    }  # fmt: skip


WHAT_IS_NEAR = question(
    "What is near the ball?", "dog",
    step("select", "ball (o2)"), step("relate", "_,near,s (o1)", 0), step("query", "name", 1),
)  # fmt: skip
