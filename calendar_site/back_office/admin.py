"""Register the admins of the library, of the site, and of background tasks."""

from calendar_site.back_office.custom_field_admin import CustomFieldAdmin
from calendar_site.back_office.library.image_admin import ImageAdmin
from calendar_site.back_office.site_admin import SiteProfileAdmin
from calendar_site.back_office.task_admin import BackgroundTaskAdmin

__all__ = ["BackgroundTaskAdmin", "CustomFieldAdmin", "ImageAdmin", "SiteProfileAdmin"]
