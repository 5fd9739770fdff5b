"""Compression of responses, in the encoding that the client prefers."""

from __future__ import annotations

import gzip
from functools import lru_cache

import brotli
from django.http import HttpResponse

# In the order of preference, if the client has none.
ENCODINGS = ("br", "gzip")
# Shorter than gzip at its usual level, in about the same time.
BROTLI_QUALITY = 4
GZIP_LEVEL = 6


@lru_cache(maxsize=1024)
def choose_encoding(accept_encoding: str) -> str:
    """Return the encoding for a header `Accept-Encoding`: `br`, `gzip`, or "" for none (RFC 9110, section 12.5.3)."""
    qualities = _parse_qualities(accept_encoding)
    best = max(ENCODINGS, key=lambda encoding: qualities[encoding])
    return best if qualities[best] > 0 and qualities[best] >= qualities.get("identity", 0.0) else ""


@lru_cache(maxsize=1024)
def accepts_gzip(accept_encoding: str) -> bool:
    return _parse_qualities(accept_encoding)["gzip"] > 0


def _parse_qualities(accept_encoding: str) -> dict[str, float]:
    """Return the quality of each of ENCODINGS, and of other encodings that the header names."""
    qualities: dict[str, float] = {}
    for item in accept_encoding.lower().split(","):
        name, *parameters = (part.strip() for part in item.split(";"))
        quality = next((part[2:] for part in parameters if part.startswith("q=")), "1")
        try:
            qualities[name] = float(quality)
        except ValueError:
            qualities[name] = 0.0
    # `*` stands for all encodings that are not named.
    return qualities | {name: qualities.get(name, qualities.get("*", 0.0)) for name in ENCODINGS}


def compress(response: HttpResponse, encoding: str) -> None:
    """Compress a public response, unless that makes it longer. Its ETag becomes weak, because the bytes differ.

    Without the random length with which `GZipMiddleware` hides secrets (BREACH): public responses contain none, and the
    same bytes are stored for all.
    """
    body = response.content
    if encoding == "br":
        compressed = brotli.compress(body, quality=BROTLI_QUALITY)
    else:
        compressed = gzip.compress(body, GZIP_LEVEL, mtime=0)
    if len(compressed) >= len(body):
        return
    response.content = compressed
    response["Content-Encoding"] = encoding
    response["Content-Length"] = str(len(compressed))
    etag = response.get("ETag", "")
    if etag.startswith('"'):
        response["ETag"] = f"W/{etag}"
