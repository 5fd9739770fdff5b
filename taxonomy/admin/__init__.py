"""Categories and tags in the admin."""

from taxonomy.admin.terms import CategoryAdmin, TagAdmin

__all__ = ["CategoryAdmin", "TagAdmin"]
