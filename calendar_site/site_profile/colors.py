"""Contrast of the colors of the site, by the formula of WCAG 2.2."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

# WCAG 2.2, success criterion 1.4.3, for text of normal size. Texts need more, because secondary texts are paler, and
# some texts are on tints of the background.
MIN_CONTRAST = 4.5
MIN_TEXT_CONTRAST = 7


class LowContrast(NamedTuple):
    """A color that cannot be read on the background, with its contrast."""

    name: str
    found: float
    needed: float


class ColorScheme(NamedTuple):
    """The colors of the pages, such as `#1c2127`, in a light or in a dark scheme."""

    background: str
    text: str
    link: str

    def low_contrasts(self) -> Iterator[LowContrast]:
        """Yield the colors that cannot be read on the background."""
        for name, color, needed in (("text", self.text, MIN_TEXT_CONTRAST), ("link", self.link, MIN_CONTRAST)):
            found = contrast(color, self.background)
            if found < needed:
                yield LowContrast(name, found, needed)


# The colors in site.css.
LIGHT = ColorScheme(background="#ffffff", text="#1c2127", link="#0b5cad")
DARK = ColorScheme(background="#14181c", text="#e6e9ec", link="#84bcff")


def contrast(first: str, second: str) -> float:
    """Return the contrast of two colors, from 1 to 21."""
    low, high = sorted((_luminance(first), _luminance(second)))
    return (high + 0.05) / (low + 0.05)


def mix(color: str, other: str, share: float) -> str:
    """Return the color that has this share of the first color, and is the other one for the rest."""
    pairs = zip(_channels(color), _channels(other), strict=True)
    return "#" + "".join(f"{round(first * share + second * (1 - share)):02x}" for first, second in pairs)


def _channels(color: str) -> list[int]:
    return [int(color[start : start + 2], 16) for start in (1, 3, 5)]


def _luminance(color: str) -> float:
    red, green, blue = (linear_channel(channel / 255) for channel in _channels(color))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def linear_channel(value: float) -> float:
    """Return the linear value of a channel of sRGB, both from 0 to 1."""
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
