"""Images as the pages for people show them."""

from __future__ import annotations

from typing import Any, NamedTuple

from calendar_site.content.loading import Extras
from calendar_site.content.pictures import CUT

# In pixels of the stylesheet: the column of text, and a height that leaves room for what stands below.
COLUMN_WIDTH, MOST_HEIGHT = 704, 440
MARGINS = 32
# An original of more bytes is not sent to everybody.
LIGHT = 1_000_000


class Figure(NamedTuple):
    """An image in the sizes that browsers choose from, `src` the largest of them.

    `width` and `height` are those that it is shown in at the most. `original` is its address where that shows
    more, else "".
    """

    src: str
    src_width: int
    src_height: int
    srcset: str
    sizes: str
    width: int
    height: int
    alt: str
    credit: str
    original: str


def figure_of(record: dict[str, Any], extras: Extras) -> Figure | None:
    """The image of a record (as the API answers it) for its page; None without one."""
    image = record["image"]
    if not image:
        return None
    offered = _offered(image)
    largest = offered[-1]
    scale = min(1, COLUMN_WIDTH / image["width"], MOST_HEIGHT / image["height"])
    width, height = (max(1, round(image[side] * scale)) for side in ("width", "height"))
    return Figure(
        src=largest["url"],
        src_width=largest["width"],
        src_height=largest["height"],
        srcset=", ".join(f"{size['url']} {size['width']}w" for size in offered),
        sizes=f"(max-width: {width + MARGINS}px) calc(100vw - {MARGINS}px), {width}px",
        width=width,
        height=height,
        alt=image["alt"],
        credit=extras.images[image["id"]].credit,
        original=image["url"] if scale < 1 else "",
    )


def thumbnail_of(record: dict[str, Any]) -> str:
    """The address of the small square that stands for the image of a record; "" without one."""
    image = record["image"]
    return image["sizes"].get("thumbnail", image)["url"] if image else ""


def _offered(image: dict[str, Any]) -> list[dict[str, Any]]:
    """The sizes that show the whole image, each width once, the smallest first."""
    sizes = [size for name, size in image["sizes"].items() if name not in CUT]
    if not sizes or image["filesize"] <= LIGHT:
        sizes.append(image)
    by_width = {size["width"]: size for size in sizes}
    return [by_width[width] for width in sorted(by_width)]
