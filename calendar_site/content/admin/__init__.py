"""The back office: the admin of Django over the same rules and services as the API."""

from calendar_site.content.admin.custom_fields import CustomFieldAdmin
from calendar_site.content.admin.images import ImageAdmin

__all__ = ["CustomFieldAdmin", "ImageAdmin"]
