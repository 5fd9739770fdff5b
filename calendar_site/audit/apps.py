from django.apps import AppConfig


class AuditConfig(AppConfig):
    name = "calendar_site.audit"
    label = "audit"
