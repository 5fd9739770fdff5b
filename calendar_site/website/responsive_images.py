"""Images as the pages show them."""

from __future__ import annotations

from typing import NamedTuple

from calendar_site.api.site_urls import SiteURLs
from calendar_site.media.loading import ImageRow
from calendar_site.media.processing import CROPPED

# In CSS pixels: the text column, and a height that leaves room for the content below.
COLUMN_WIDTH, MAX_HEIGHT = 704, 440
MARGINS = 32
# A larger original is left out of the sizes that browsers choose from.
MAX_ORIGINAL_BYTES = 1_000_000


class ImageSource(NamedTuple):
    """A file of an image: the original or a rendition."""

    url: str
    width: int
    height: int


class ResponsiveImage(NamedTuple):
    """An image in the sizes that browsers choose from; `src` is the largest of them.

    `width` and `height` are the maximum size on the page, in CSS pixels. `original_url` is "" if the original shows no
    more.
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
    original_url: str


def responsive_image(image: ImageRow | None, urls: SiteURLs) -> ResponsiveImage | None:
    """Return the image of a record for its page, None if it has none."""
    if image is None:
        return None
    sources = _sources(image, urls)
    largest = sources[-1]
    scale = min(1, COLUMN_WIDTH / image.width, MAX_HEIGHT / image.height)
    width, height = (max(1, round(side * scale)) for side in (image.width, image.height))
    return ResponsiveImage(
        src=largest.url,
        src_width=largest.width,
        src_height=largest.height,
        srcset=", ".join(f"{source.url} {source.width}w" for source in sources),
        sizes=f"(max-width: {width + MARGINS}px) calc(100vw - {MARGINS}px), {width}px",
        width=width,
        height=height,
        alt=image.alt,
        credit=image.credit,
        original_url=urls.media_url(image.file) if scale < 1 else "",
    )


def thumbnail_url(image: ImageRow | None, urls: SiteURLs) -> str:
    """Return the URL of the small square that stands for the image in a list, "" for no image."""
    if image is None:
        return ""
    thumbnail = image.renditions.get("thumbnail")
    return urls.media_url(thumbnail["file"] if thumbnail else image.file)


def _sources(image: ImageRow, urls: SiteURLs) -> list[ImageSource]:
    """Return the files that show the whole image, one for each width, the smallest first."""
    sources = [
        ImageSource(urls.media_url(size["file"]), size["width"], size["height"])
        for name, size in image.renditions.items()
        if name not in CROPPED
    ]
    if not sources or image.filesize <= MAX_ORIGINAL_BYTES:
        sources.append(ImageSource(urls.media_url(image.file), image.width, image.height))
    by_width = {source.width: source for source in sources}
    return [by_width[width] for width in sorted(by_width)]
