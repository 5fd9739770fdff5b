from django.apps import AppConfig


class TransferConfig(AppConfig):
    name = "calendar_site.transfer"
    label = "transfer"
