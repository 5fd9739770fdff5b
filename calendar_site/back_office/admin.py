"""Register the admins of the library."""

from calendar_site.back_office.custom_field_admin import CustomFieldAdmin
from calendar_site.back_office.library.image_admin import ImageAdmin

__all__ = ["CustomFieldAdmin", "ImageAdmin"]
