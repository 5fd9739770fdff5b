"""The pages of sources and of their imports."""

from calendar_site.transfer.admin.source_admin import SourceAdmin

__all__ = ["SourceAdmin"]
