from typing import Any

from calendar_site.core.commands import ServiceCommand, format_counts
from events.models import Event
from events.series.services import extend_all_series


class Command(ServiceCommand):
    help = "Create the events of all series up to SERIES_HORIZON_DAYS ahead. A background task does so every day."

    def handle(self, **options: Any) -> None:
        self.stdout.write(f"Created {format_counts({Event: extend_all_series()})}.")
