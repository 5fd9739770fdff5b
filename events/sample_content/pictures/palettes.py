"""The colours of the pictures. Shapes name a colour by its role, so that a motif fits into every palette."""

from __future__ import annotations

from typing import NamedTuple


class Palette(NamedTuple):
    """The colours of a picture by their roles."""

    paper: str  # the background
    shade: str  # its second colour
    ink: str
    main: str
    accent: str
    light: str


PALETTES = {
    "mustard": Palette("#f2b84b", "#e5a334", "#2b2a3a", "#b5432e", "#2f6f73", "#fff3d9"),
    "sea": Palette("#bfe0e2", "#94c9cf", "#14303d", "#e4572e", "#1f7a8c", "#fdf6ec"),
    "rose": Palette("#f6c9c0", "#edafa3", "#3a2140", "#c8385a", "#4a6fa5", "#fff4ec"),
    "night": Palette("#33457c", "#283766", "#10162e", "#f2b84b", "#e56b5d", "#f6ebd3"),
    "sage": Palette("#cfddb5", "#b3c992", "#24352b", "#d9653b", "#4f7f52", "#fbf8e9"),
    "lilac": Palette("#d9cdea", "#c0aedd", "#2b1d45", "#f07a5a", "#6a4c93", "#fff8f0"),
    "brick": Palette("#e98a6b", "#dc7654", "#2e2130", "#274b6d", "#f4c65d", "#fff1e0"),
    "teal": Palette("#2f7f7b", "#276a67", "#10282b", "#f2c14e", "#f27e63", "#f7f3e3"),
    "sand": Palette("#f5e9d2", "#e8d5b0", "#2d2a32", "#d1495b", "#30638e", "#ffffff"),
    "sky": Palette("#9ccbeb", "#7fb6dd", "#1b2a41", "#f4b942", "#c8553d", "#ffffff"),
}
