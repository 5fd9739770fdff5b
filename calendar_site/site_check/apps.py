from django.apps import AppConfig


class SiteCheckConfig(AppConfig):
    name = "calendar_site.site_check"
    label = "site_check"
