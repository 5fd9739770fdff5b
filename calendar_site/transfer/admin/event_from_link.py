"""Filling in the form of a new event from a link to a page or a calendar. Nothing is saved."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from calendar_site.back_office.forms.filled_in import filled_in_url
from calendar_site.back_office.urls import admin_url
from calendar_site.core import clock
from calendar_site.core.dates.conversion import in_utc, parse_zone
from calendar_site.core.permissions import can_create
from calendar_site.core.text.html import sanitize_html
from calendar_site.core.types import AnyUser
from calendar_site.core.validators import validate_http_url
from calendar_site.transfer.imports.errors import SourceError
from calendar_site.transfer.imports.records import ImportedRecord, RecordKind
from calendar_site.transfer.imports.report import time_in_words
from calendar_site.transfer.models import Source, SourceKind
from calendar_site.transfer.readers.fetching import fetch_url
from calendar_site.transfer.readers.registry import make_reader
from calendar_site.transfer.readers.text import decode
from events.models import Event
from organizers.models import Organizer
from taxonomy.models import Category, Tag
from venues.models import Venue

COPIED = ("title", "description", "website", "cost", "event_status", "attendance_mode", "online_url", "all_day")
MAX_CHOICES = 50
INPUT_LENGTHS = {True: 10, False: 16}


def event_from_link_view(request: HttpRequest, *, model_admin: Any) -> HttpResponse:
    """Read the link of a POST, and open the form of a new event with what it says.

    If there are several events, the user chooses one.
    """
    if not can_create(request.user, Event):
        raise PermissionDenied
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    link = request.POST.get("link", "").strip()
    try:
        records = read_link(link)
    except SourceError as error:
        messages.error(request, str(error))
        return HttpResponseRedirect(admin_url(Event, "add"))
    number = request.POST.get("number", "")
    chosen = next((record for place, record in enumerate(records) if str(place) == number), None)
    if chosen is None and len(records) > 1:
        context = {
            **model_admin.admin_site.each_context(request),
            "title": _("Which event?"),
            "link": link,
            "choices": [(record.title, time_in_words(record)) for record in records[:MAX_CHOICES]],
        }
        return TemplateResponse(request, "admin/transfer/choose_event.html", context)
    values, missing = form_values(chosen or records[0], request.user)
    messages.success(request, _("The form is filled in from %(link)s. Nothing is saved yet.") % {"link": link[:200]})
    for note in missing:
        messages.warning(request, note)
    return HttpResponseRedirect(filled_in_url(request, Event, values))


def read_link(link: str) -> list[ImportedRecord]:
    """Return the events of a page or calendar, the upcoming ones first. Raises SourceError if it has none."""
    url = link.replace("webcal://", "https://", 1) if link.startswith("webcal://") else link
    try:
        validate_http_url(url)
    except ValidationError as error:
        raise SourceError(_("Enter a URL that starts with http:// or https://.")) from error
    fetched = fetch_url(Source(kind=SourceKind.JSONLD, url=url), url)
    is_calendar = "BEGIN:VCALENDAR" in decode(fetched.content[:1000]).upper()
    source = Source(kind=SourceKind.ICS if is_calendar else SourceKind.JSONLD, name=url)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "link"
        file.write_bytes(fetched.content)
        reader = make_reader(source, file)
        (Path(folder) / "read").mkdir()
        reader.fetch(Path(folder) / "read")
        records = [record for record in reader.records() if isinstance(record, ImportedRecord)]
    if not records:
        raise SourceError(_("There are no schema.org events at this address."))
    now = clock.now()
    return sorted(records, key=lambda record: (in_utc(record.values["end"]) < now, in_utc(record.values["start"])))


def form_values(record: ImportedRecord, user: AnyUser) -> tuple[dict[str, Any], list[str]]:
    """Return the initial values of the form, and what the user has to add."""
    values: dict[str, Any] = {name: record.values[name] for name in COPIED if record.values.get(name)}
    values["description"] = sanitize_html(values.get("description", ""))
    values["time_zone"] = record.values["time_zone"]
    length = INPUT_LENGTHS[bool(record.values.get("all_day"))]
    for name in ("start", "end"):
        values[name] = _local(record, name).isoformat()[:length]
    notes: list[str] = []
    for relation, name, model in (("venues", "ordered_venues", Venue), ("organizers", "ordered_organizers", Organizer)):
        found, missing = _find_by_name(record, relation, model, user)
        values[name] = found
        notes += [
            _("It is not in the calendar yet, so add it: %(name)s.") % {"name": f"{model._meta.verbose_name} “{title}”"}
            for title in missing
        ]
    values |= {"categories": _known_terms(record, "categories", Category), "tags": _known_terms(record, "tags", Tag)}
    if record.kind == RecordKind.SERIES:
        notes.append(_("It repeats. Choose under “Repeats” when."))
    return values, notes


def _known_terms(record: ImportedRecord, relation: str, model: Any) -> list[int]:
    names = [str(link.values.get("name", "")) for link in record.links.get(relation, ())]
    keys = {model.key_of(name) for name in names if name}
    return list(model.objects.filter(name_key__in=keys).order_by("pk").values_list("pk", flat=True))


def _find_by_name(record: ImportedRecord, relation: str, model: Any, user: AnyUser) -> tuple[list[int], list[str]]:
    found: list[int] = []
    missing: list[str] = []
    for link in record.links.get(relation, ()):
        title = str(link.values.get("title", ""))
        row = model.objects.find_by_name(title, None, user) if title else None
        if row is not None:
            found.append(row.pk)
        elif title:
            missing.append(title)
    return found, missing


def _local(record: ImportedRecord, name: str) -> datetime:
    values: Mapping[str, Any] = record.values
    moment: datetime = values[name]
    return moment.astimezone(parse_zone(values["time_zone"]).tz)
