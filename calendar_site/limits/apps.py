from django.apps import AppConfig


class LimitsConfig(AppConfig):
    name = "calendar_site.limits"
    label = "limits"
