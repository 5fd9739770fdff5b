"""The elements of HTML, and what happens to them when HTML is sanitized or removed."""

from __future__ import annotations

import nh3

ALLOWED = set(nh3.ALLOWED_TAGS) - {"map", "area", "bdo", "center", "rp", "rt", "rtc", "ruby"} | {
    "figure",
    "figcaption",
}
# Removed with their content, which nobody sees: scripts, settings of word processors, heads of pages, drawings, and
# what browsers show instead of something that they cannot show.
INVISIBLE = {
    "applet", "audio", "canvas", "datalist", "iframe", "math", "noembed", "noframes", "noscript", "object", "script",
    "style", "svg", "template", "title", "video", "xml",
}  # fmt: skip
# They may stand inside a word.
INLINE = {
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "blink", "cite", "code", "data", "del", "dfn", "em", "font", "i",
    "ins", "kbd", "mark", "nobr", "q", "rb", "ruby", "s", "samp", "small", "span", "strike", "strong", "sub", "sup",
    "time", "tt", "u", "var", "wbr",
}  # fmt: skip
# All elements that browsers know, of today and of the past. Anything else in angle brackets is text (D44).
KNOWN = ALLOWED | INVISIBLE | INLINE | {
    "address", "area", "article", "aside", "base", "basefont", "bgsound", "blockquote", "body", "br", "button",
    "caption", "center", "col", "colgroup", "command", "content", "dd", "details", "dialog", "dir", "div", "dl", "dt",
    "embed", "fieldset", "footer", "form", "frame", "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header",
    "hgroup", "hr", "html", "image", "img", "input", "isindex", "keygen", "label", "legend", "li", "link", "listing",
    "main", "map", "marquee", "menu", "menuitem", "meta", "meter", "multicol", "nav", "nextid", "ol", "optgroup",
    "option", "output", "p", "param", "picture", "plaintext", "portal", "pre", "progress", "rp", "rt", "rtc", "search",
    "section", "select", "shadow", "slot", "source", "spacer", "summary", "table", "tbody", "td", "textarea", "tfoot",
    "th", "thead", "tr", "track", "ul", "xmp",
    # Elements of drawings and formulas, whose parts are sometimes copied alone.
    "animate", "animatemotion", "animatetransform", "circle", "clippath", "defs", "ellipse", "foreignobject", "g",
    "lineargradient", "mask", "mfrac", "mi", "mn", "mo", "mrow", "msqrt", "msub", "msup", "mtable", "mtd", "mtext",
    "mtr", "path", "pattern", "polygon", "polyline", "radialgradient", "rect", "set", "symbol", "tspan", "use",
}  # fmt: skip
# The prefixes of elements that word processors write, such as `<o:p>` and `<st1:place>`.
WORD_PREFIXES = {"c", "m", "o", "p", "u1", "u2", "v", "w", "x", *(f"st{number}" for number in range(1, 10))}


def is_element(name: str) -> bool:
    """Return whether a name in angle brackets is that of an element, with or without the prefix of a word processor."""
    prefix, colon, rest = name.lower().partition(":")
    if colon:
        return prefix in WORD_PREFIXES and rest.replace("-", "").isalnum()
    return prefix in KNOWN


def is_inline(name: str) -> bool:
    """Return whether an element may stand inside a word, so that removing its tags leaves one word."""
    prefix, colon, _rest = name.lower().partition(":")
    return bool(colon) or prefix in INLINE
