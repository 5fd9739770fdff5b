"""Categories and tags in the admin."""

from taxonomy.admin.term_admin import CategoryAdmin, TagAdmin

__all__ = ["CategoryAdmin", "TagAdmin"]
