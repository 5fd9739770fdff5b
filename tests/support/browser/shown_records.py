"""The accounts and records of the browser tests, in addition to the sample content."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.contrib.auth.models import Group
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from calendar_site.accounts.email_change.services import request_email_change
from calendar_site.accounts.email_change.tokens import make_token
from calendar_site.accounts.models import PendingEmail, User
from calendar_site.accounts.password_links.services import invite
from calendar_site.accounts.password_links.tokens import INVITATIONS
from calendar_site.accounts.roles import ROLES
from calendar_site.accounts.services import create_application_password, create_user
from calendar_site.content.services import save_content, trash_linked
from calendar_site.core.choices import Status
from calendar_site.core.dates.conversion import from_local, site_zone
from calendar_site.custom_fields.models import CustomField
from calendar_site.custom_fields.services import save_custom_field
from calendar_site.media.library import prepare_image, store_image
from calendar_site.review.services import send_back
from calendar_site.site_profile.models import SiteProfile
from calendar_site.site_profile.services import save_site_profile
from calendar_site.submissions.services import report_mistake
from calendar_site.transfer.models import EventPair, ImportRun, Outcome, RunState, Source, SourceKind
from calendar_site.transfer.sources import save_source
from events.models import Event, Series
from events.series.services import save_series
from events.services import event_services, save_event, trash_event
from organizers.models import Organizer
from taxonomy.models import Category, Tag
from tests.support.browser.admin_site import PASSWORD
from tests.support.example_tasks import fail
from tests.support.image_files import red_blue_image
from venues.models import Venue


def create_records(file: Path) -> None:
    """Create an account named after each role and a record of every kind, and write their ids to `file`."""
    people = {role: create_user(role, role, password=PASSWORD) for role in ROLES}
    # Tests change how these users sign in, so that neither other tests nor another attempt may use them.
    for name in ("otto", "otto2", "rita", "rita2"):
        create_user(name, "editor", password=PASSWORD)
    waiting = _create_event(people["contributor"], "A walk that waits for review", status=Status.PENDING)
    returned = _create_event(people["contributor"], "A walk that was sent back", status=Status.PENDING)
    send_back(returned, services=event_services, user=people["editor"], note="Where does it start?")
    _create_far_month(people["editor"])
    records = _create_record_of_each_kind(people["administrator"], people["author"])
    reviews = {"pending_event": waiting.pk, "returned_event": returned.pk}
    file.write_text(json.dumps({**records, **reviews, **_create_links(people["administrator"])}))


def _create_far_month(editor: User) -> None:
    """Create a month of each kind of entry, whose dates do not depend on the current day, and are those of no test."""
    zone = site_zone()
    for title, start, end, changes in (
        ("Choir", "2042-06-10 19:00:00", "2042-06-10 21:00:00", {}),
        ("Market", "2042-06-14 00:00:00", "2042-06-14 23:59:59", {"all_day": True}),
        ("Boat trip", "2042-06-20 10:00:00", "2042-06-20 12:00:00", {"event_status": "cancelled"}),
        ("Dance", "2042-06-21 22:00:00", "2042-06-22 02:00:00", {"sold_out": True}),
        ("Exhibition", "2042-06-23 10:00:00", "2042-06-29 18:00:00", {}),
        *((f"Talk {number}", f"2042-06-27 1{number}:00:00", f"2042-06-27 1{number}:30:00", {}) for number in range(7)),
    ):
        dates = {"start": from_local(start, zone), "end": from_local(end, zone)}
        save_event(Event(), changes={"title": title, **dates, **changes}, user=editor)


def _create_links(administrator: User) -> dict[str, Any]:
    """Return the paths of invitations by username, and the token that confirms a new address of the administrator."""
    invitations = {}
    for name in ("irma", "irma2", "ivan"):
        user = create_user(name, "author", email=f"{name}@example.org")
        invite(user, by=administrator)
        invitations[name] = INVITATIONS.make_path(user)
    request_email_change(administrator, "administrator@example.org")
    return {"invitations": invitations, "email_token": make_token(PendingEmail.objects.get(user=administrator))}


def _create_record_of_each_kind(administrator: User, author: User) -> dict[str, Any]:
    password, _secret = create_application_password(administrator, "Reading the calendar")
    image = store_image(prepare_image(red_blue_image(), "Two halves.png"), user=administrator, alt="Red beside blue")
    field = CustomField()
    profile = save_site_profile(SiteProfile(), changes={"contact": "<p>Write to us.</p>"}, user=administrator)
    save_custom_field(
        field, changes={"resource": "event", "name": "dress_code", "label": "Dress code"}, user=administrator
    )
    event = _create_event(
        administrator, "An evening in the observatory", excerpt="With the big telescope.", image=image
    )
    # A second state, so that there is something to compare.
    save_event(event, changes={"title": "A long evening in the observatory", "featured": True}, user=administrator)
    trashed = {"event": trash_event(_create_event(administrator, "A walk that nobody took"), user=administrator)}
    places = {}
    for name, model in (("venue", Venue), ("organizer", Organizer)):
        thrown_away = save_content(model(), changes={"title": f"No longer the {name}"}, user=administrator)
        trashed[name] = trash_linked(thrown_away, user=administrator)
        places[name] = model.objects.order_by("pk").first()
    category = Category.objects.order_by("pk").first()
    tag = Tag.objects.order_by("pk").first()
    first, last = Event.history.filter(id=event.pk).order_by("history_id").values_list("history_id", flat=True)
    public = {"event": event, **places, "category": category, "tag": tag}
    return {
        **{kind: row.pk for kind, row in public.items()},
        "public": {kind: reverse(f"{kind}-page", args=[row.slug]) for kind, row in public.items()},
        **{f"trashed_{kind}": row.pk for kind, row in trashed.items()},
        "authors_event": _create_event(author, "A reading by the author").pk,
        "series": _create_series(administrator).pk,
        "first_state": first,
        "last_state": last,
        "image": image.pk,
        "custom_field": field.pk,
        "site_profile": profile.pk,
        "mistake_report": report_mistake(event, "It begins an hour later.", "visitor@example.org").pk,
        "application_password": password.pk,
        "user": author.pk,
        **_create_source(administrator),
        "background_task": fail.enqueue("no luck").id,
        "group": Group.objects.create(name="Box office").pk,
    }


def _create_source(user: User) -> dict[str, int]:
    source = Source(name="Town hall", kind=SourceKind.TABLE)
    table = SimpleUploadedFile("events.csv", b"Title,Date,Note\nChoir,2030-06-01,loud\n")
    save_source(source, user=user, file=table)
    kept, other = Event.objects.filter(status=Status.PUBLISH).order_by("pk").values_list("pk", flat=True)[:2]
    EventPair.objects.create(kept_id=kept, other_id=other)
    run = ImportRun.objects.create(source=source, user=user, state=RunState.FINISHED, started_at=timezone.now())
    for outcome in (Outcome.REJECTED, Outcome.KEPT, Outcome.CREATED):
        run.entries.create(outcome=outcome, kind="event", title="Choir", reason="title", raw="BEGIN:VEVENT")
    return {"source": source.pk, "import_run": run.pk}


def _create_series(user: User) -> Series:
    start = (timezone.now() + timedelta(days=4)).replace(hour=18, minute=0, second=0, microsecond=0)
    fields = {"title": "Stargazing every month", "start": start, "end": start + timedelta(hours=2)}
    return save_series(Series(), changes={**fields, "rrule": "FREQ=MONTHLY;COUNT=6;BYDAY=1FR"}, user=user)


def _create_event(user: User, title: str, **more: Any) -> Event:
    start = (timezone.now() + timedelta(days=3)).replace(hour=19, minute=0, second=0, microsecond=0)
    fields = {"title": title, "start": start, "end": start + timedelta(hours=2), "status": Status.PUBLISH}
    return save_event(Event(), changes={**fields, **more}, user=user)
