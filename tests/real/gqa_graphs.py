"""Scene graphs of our own for the shared photos of GQA, whose own graphs are not shared: boxes drawn by eye.

Objects that a program names keep their ids; every other id is ours.
"""

from __future__ import annotations

from typing import Any

from tests.domains.photo.make import node

GRAPHS: dict[str, dict[str, Any]] = {
    "1159529": {
        "width": 800, "height": 533,
        "objects": {
            "1039893": node("pond", 0, 230, 100, 110, "blue"),
            "1039872": node("cart", 92, 222, 218, 172, "blue", near="1039893"),
            "a1": node("flag", 304, 50, 145, 115, "white"),
            "a2": node("sign", 518, 225, 100, 118, "brown"),
            "a3": node("airplane", 555, 140, 245, 160, "white"),
            "a4": node("man", 385, 262, 46, 104),
            "a5": node("fence", 460, 305, 230, 215, "wooden"),
        },
    },
    "2371269": {
        "width": 500, "height": 375,
        "objects": {
            "3855001": node("traffic light", 2, 125, 82, 54, "metal"),
            "1669822": node("camera", 30, 98, 22, 55, on="3855001"),
            "3007398": node("signal", 270, 220, 90, 20),
            "1837456": node("car", 252, 272, 82, 66, at="3007398"),
            "3484036": node("trash can", 410, 250, 60, 90),
            "b1": node("bus stop", 405, 225, 95, 125),
            "b2": node("suv", 62, 235, 135, 125),
            "b3": node("van", 0, 255, 82, 120),
            "b4": node("lamp", 335, 195, 26, 60),
            "b5": node("tree", 330, 0, 170, 220),
            "b6": node("street light", 20, 230, 20, 45),
        },
    },
    "2351608": {
        "width": 375, "height": 500,
        "objects": {
            "1883117": node("shirt", 176, 148, 19, 20),
            "1935688": node("man", 172, 140, 26, 56, wearing="1883117"),
            "c1": node("cow", 178, 225, 65, 100, "black"),
            "c2": node("calf", 202, 182, 55, 80, "black"),
            "c3": node("rock", 40, 345, 34, 40),
            "c4": node("stone", 38, 413, 46, 24),
            "c5": node("stump", 84, 180, 24, 50),
            "c6": node("branch", 250, 300, 18, 22),
        },
    },
    "2370134": {
        "width": 500, "height": 375,
        "objects": {
            "3435449": node("vase", 456, 198, 20, 34, "silver", "metal"),
            "2827701": node("pitcher", 474, 195, 26, 38, "silver", "metal"),
            "d1": node("refrigerator", 0, 75, 225, 300, "silver"),
            "d2": node("picture", 380, 80, 42, 58),
            "d3": node("bottle", 426, 186, 14, 34),
            "d4": node("spoon", 432, 62, 14, 58),
            "d5": node("box", 220, 155, 25, 60),
            "d6": node("faucet", 388, 165, 24, 52),
        },
    },
}  # fmt: skip
