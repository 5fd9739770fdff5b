"""The storage of static files."""

from __future__ import annotations

from typing import Any

from pipeline.storage import PipelineMixin
from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticFilesStorage(PipelineMixin, CompressedManifestStaticFilesStorage):
    """Writes the bundles of django-pipeline, and compresses with gzip only.

    WhiteNoise would also use Brotli at its highest level, which takes over a minute.
    """

    def create_compressor(self, **options: Any) -> Compressor:
        return Compressor(use_brotli=False, **options)
