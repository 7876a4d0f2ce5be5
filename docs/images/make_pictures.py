"""Draws the pictures of the documentation from the product itself: python docs/images/make_pictures.py"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from answerable.core.records import Abstain, Refusal
from answerable.core.seeds import Stream
from answerable.domains.chart.families import family
from answerable.domains.chart.sampler import sample_world
from answerable.domains.chart.states import Request, make_group
from answerable.domains.chart.text import font_file
from answerable.domains.raster import png
from answerable.logic.program import Lookup

SEED = 54
HERE = Path(__file__).parent
WORDS = {
    "F": "the complete chart", "S": "a value elsewhere changed", "K": "another position hidden",
    "C": "the asked value changed", "M": "the asked position hidden", "I": "the asked series removed",
}  # fmt: skip


def main() -> None:
    """Write ``group.png``: one question, six views, six obligations."""
    stream = Stream("documentation", SEED)
    world = sample_world(stream, ("vbar",))
    request = Request(
        source="documentation", figure="example", split="test",
        program=Lookup(series=world.series[1], position=world.positions[2]),
        appearance="patch", names=("documentation", SEED),
    )  # fmt: skip
    draft = make_group(world, request, family("skia"))
    if isinstance(draft, Refusal):
        raise SystemExit(f"{draft.reason}: {draft.detail}")
    wide, high, head = 650, 450, 76
    sheet = Image.new("RGB", (3 * wide + 4 * 20, 90 + 2 * (high + head + 20)), "#f4f5f7")
    pen = ImageDraw.Draw(sheet)
    bold = ImageFont.truetype(str(font_file(bold=True)), 26)
    plain = ImageFont.truetype(str(font_file()), 22)
    pen.text((24, 28), draft.group.views[0].question, font=bold, fill="#1d2129")
    for index, (view, data) in enumerate(zip(draft.group.views, draft.images, strict=True)):
        x, y = 20 + (index % 3) * (wide + 20), 90 + (index // 3) * (high + head + 20)
        abstain = isinstance(view.obligation, Abstain)
        duty = "abstain" if isinstance(view.obligation, Abstain) else f"answer {view.obligation.target}"
        pen.rectangle((x, y, x + wide - 1, y + head - 1), fill="#8f2d56" if abstain else "#176087")
        pen.text((x + 14, y + 8), f"{view.state}: {duty}", font=bold, fill="white")
        pen.text((x + 14, y + 42), WORDS[view.state], font=plain, fill="white")
        sheet.paste(Image.fromarray(png.decode(data)), (x, y + head))
    small = sheet.resize((sheet.width // 2, sheet.height // 2), Image.Resampling.LANCZOS)
    (HERE / "group.png").write_bytes(png.encode(np.asarray(small)))


if __name__ == "__main__":
    main()
