"""Use the generated Python client: list, read, create, update and delete records of each resource.

Checked by mypy in strict mode, so the types of the document must admit all of this.
"""

import sys
from typing import Any, TypeVar

from calendar_client import AuthenticatedClient
from calendar_client.api.categories import (
    create_category,
    delete_category,
    get_category,
    list_categories,
    update_category,
)
from calendar_client.api.events import (
    create_event,
    delete_event,
    delete_event_by_slug,
    get_event,
    get_event_by_slug,
    list_events,
    update_event,
    update_event_by_slug,
)
from calendar_client.api.organizers import (
    create_organizer,
    delete_organizer,
    get_organizer,
    list_organizers,
    update_organizer,
)
from calendar_client.api.tags import create_tag, delete_tag, get_tag, list_tags, update_tag
from calendar_client.api.venues import create_venue, delete_venue, get_venue, list_venues, update_venue
from calendar_client.models import (
    CategoryChanges,
    CategoryList,
    Error,
    Event,
    EventChanges,
    EventList,
    NewCategory,
    NewEvent,
    NewEventForm,
    NewOrganizer,
    NewTag,
    NewTicket,
    NewVenue,
    Organizer,
    OrganizerChanges,
    OrganizerList,
    RecordReference,
    Status,
    TagChanges,
    TagList,
    Term,
    Venue,
    VenueChanges,
    VenueList,
)

Answer = TypeVar("Answer")


def expect(kind: type[Answer], answer: object) -> Answer:
    assert isinstance(answer, kind), answer
    return answer


def code_of(answer: object) -> str:
    return expect(Error, answer).code


def as_saved(record: Event | Venue | Organizer) -> object:
    """Return the record as a write returns it, without its structured data."""
    return without_json_ld(record.to_dict())


def without_json_ld(value: object) -> object:
    if isinstance(value, dict):
        return {name: without_json_ld(part) for name, part in value.items() if name != "json_ld"}
    return [without_json_ld(part) for part in value] if isinstance(value, list) else value


def use_categories(client: AuthenticatedClient) -> None:
    created = expect(Term, create_category.sync(client=client, body=NewCategory(name="Python music")))
    below = expect(Term, create_category.sync(client=client, body=NewCategory(name="Python jazz", parent=created.id)))
    assert (created.slug, below.parent) == ("python-music", created.id)
    assert get_category.sync(id=created.id, client=client) == created

    found = expect(CategoryList, list_categories.sync(client=client, hide_empty=False, include=[below.id, created.id]))
    assert [(term.name, term.count) for term in found.categories] == [("Python jazz", 0), ("Python music", 0)]

    changed = expect(
        Term, update_category.sync(id=below.id, client=client, body=CategoryChanges(description="Fast", parent=None))
    )
    assert (changed.name, changed.description, changed.parent) == ("Python jazz", "Fast", 0)
    for term in (created, below):
        assert expect(Term, delete_category.sync(id=term.id, client=client)).id == term.id
        assert code_of(get_category.sync(id=term.id, client=client)) == "category-not-found"


def use_tags(client: AuthenticatedClient) -> None:
    created = expect(Term, create_tag.sync(client=client, body=NewTag(name="Python families", slug="python-kids")))
    assert get_tag.sync(id=created.id, client=client) == created

    found = expect(TagList, list_tags.sync(client=client, hide_empty=False, slug="python-kids"))
    assert found.tags == [created]

    changed = expect(Term, update_tag.sync(id=created.id, client=client, body=TagChanges(name="Python family")))
    assert (changed.name, changed.slug) == ("Python family", "python-kids")
    assert delete_tag.sync(id=created.id, client=client) == changed
    assert code_of(get_tag.sync(id=created.id, client=client)) == "tag-not-found"


def use_venues(client: AuthenticatedClient) -> None:
    new = NewVenue(venue="Python hall", city="Bolzano", show_map=True, show_map_link="false", geo_lat=46.5, geo_lng=11)
    created = expect(Venue, create_venue.sync(client=client, body=new))
    assert (created.city, created.show_map, created.show_map_link) == ("Bolzano", True, False)
    assert (created.image, created.custom_fields) == (False, [])
    assert as_saved(expect(Venue, get_venue.sync(id=created.id, client=client))) == as_saved(created)

    found = expect(VenueList, list_venues.sync(client=client, search="python", status=[Status.PUBLISH, Status.DRAFT]))
    assert [venue.id for venue in found.venues] == [created.id]

    changes = VenueChanges(city=None, show_map=created.show_map, custom_fields=[], image=False)
    changed = expect(Venue, update_venue.sync(id=created.id, client=client, body=changes))
    assert (changed.city, changed.show_map, changed.geo_lat) == ("", True, 46.5)
    assert expect(Venue, delete_venue.sync(id=created.id, client=client)).status is Status.TRASH


def use_organizers(client: AuthenticatedClient) -> None:
    new = NewOrganizer(organizer="Python choir", email="choir@example.org")
    created = expect(Organizer, create_organizer.sync(client=client, body=new))
    assert as_saved(expect(Organizer, get_organizer.sync(id=created.id, client=client))) == as_saved(created)

    found = expect(OrganizerList, list_organizers.sync(client=client, search="python choir", has_events=False))
    assert [organizer.organizer for organizer in found.organizers] == ["Python choir"]

    changed = expect(
        Organizer, update_organizer.sync(id=created.id, client=client, body=OrganizerChanges(status=Status.DRAFT))
    )
    assert (changed.organizer, changed.status) == ("Python choir", Status.DRAFT)
    assert expect(Organizer, delete_organizer.sync(id=created.id, client=client)).status is Status.TRASH


def use_events(client: AuthenticatedClient) -> None:
    category = expect(Term, create_category.sync(client=client, body=NewCategory(name="Python concerts")))
    venue = expect(Venue, create_venue.sync(client=client, body=NewVenue(venue="Python park")))

    # Names, and the data of new records.
    first = expect(
        Event,
        create_event.sync(
            client=client,
            body=NewEvent(
                title="Python night",
                start_date="2027-03-20 18:00:00",
                end_date="2027-03-20T20:00:00",
                timezone="Europe/Rome",
                cost=[10, "30"],
                venue=NewVenue(venue="Python cellar", city="Trento"),
                organizer=[NewOrganizer(organizer="Python band")],
                categories=["Python concerts", "Python, late"],
                tags="Python wine",
                tickets=[NewTicket(name="Seat", price=10.5, currency="EUR")],
            ),
        ),
    )
    assert first.start.isoformat() == "2027-03-20T18:00:00+01:00"
    assert [term.name for term in first.categories] == ["Python concerts", "Python, late"]
    assert [(ticket.name, ticket.price) for ticket in first.tickets] == [("Seat", "10.50")]
    cellar = expect(Venue, first.venue)
    assert (cellar.venue, cellar.city, first.organizer[0].organizer) == ("Python cellar", "Trento", "Python band")

    # IDs, and the records of a response.
    second = expect(
        Event,
        create_event.sync(
            client=client,
            body=NewEvent(
                title="Python morning",
                start_date="2027-03-21 08:00:00",
                end_date="2027-03-21 09:00:00",
                cost=5,
                status=Status.DRAFT,
                image=False,
                venue=[venue.id, RecordReference(id=cellar.id), str(venue.id), NewVenue(venue="Python cellar")],
                organizer=first.organizer[0].id,
                categories=[category.id],
                tags=[RecordReference(id=first.tags[0].id)],
                post_parent=first.id,
                custom_fields=[],
            ),
        ),
    )
    assert isinstance(second.venue, list)
    assert [place.venue for place in second.venue] == ["Python park", "Python cellar"]
    assert [term.id for term in second.categories] == [category.id]
    assert [term.name for term in second.tags] == ["Python wine"]
    assert (second.cost_details.values, second.post_parent, second.status) == (["5"], first.id, Status.DRAFT)

    # A form, which generated clients choose by the class of the body.
    form = NewEventForm(title="Python form", start_date="2027-03-22", end_date="2027-03-22", all_day=True)
    third = expect(Event, create_event.sync(client=client, body=form))
    assert (third.title, third.all_day) == ("Python form", True)

    def listed(**arguments: Any) -> list[str]:
        answer = list_events.sync(client=client, start_date="2027-03-01", end_date="2027-04-01", **arguments)
        return [event.title for event in expect(EventList, answer).events]

    everything = ["Python night", "Python morning", "Python form"]
    assert listed() == everything
    assert listed(categories=["python-concerts"]) == listed(categories=[category.id]) == everything[:2]
    assert listed(tags=[first.tags[0].slug, first.tags[0].id], venue=[venue.id]) == ["Python morning"]
    assert listed(status=[Status.DRAFT]) == ["Python morning"]
    assert listed(starts_after="2027-03-20 20:00:00", strict_dates=True) == everything[1:]
    assert listed(include=[third.id, first.id], per_page=1, page=2) != listed(include=[third.id, first.id], per_page=1)
    assert code_of(list_events.sync(client=client, start_date="nonsense")) == "rest_invalid_param"

    assert as_saved(expect(Event, get_event.sync(id=second.id, client=client))) == as_saved(second)
    assert expect(Event, get_event_by_slug.sync(first.slug, client=client)).id == first.id

    changes = EventChanges(title="Python evening", categories=[], venue=[], cost=None, status=Status.PUBLISH)
    changed = expect(Event, update_event.sync(id=second.id, client=client, body=changes))
    assert (changed.title, changed.categories, changed.venue, changed.cost) == ("Python evening", [], [], "")
    assert (changed.organizer[0].organizer, changed.status) == ("Python band", Status.PUBLISH)
    by_slug = expect(
        Event, update_event_by_slug.sync(first.slug, client=client, body=EventChanges(end_date="2027-03-20 21:00:00"))
    )
    assert (by_slug.end_date, by_slug.start_date) == ("2027-03-20 21:00:00", first.start_date)

    assert expect(Event, delete_event_by_slug.sync(first.slug, client=client)).status is Status.TRASH
    assert expect(Event, delete_event.sync(id=second.id, client=client)).status is Status.TRASH
    assert code_of(delete_event.sync(id=second.id, client=client)) == "event-is-in-trash"
    assert listed() == ["Python form"]
    delete_event.sync(id=third.id, client=client)


def main(base_url: str, _user: str, password: str) -> None:
    # An application password is also a bearer token.
    with AuthenticatedClient(base_url=base_url, token=password, raise_on_unexpected_status=True) as client:
        for use in (use_categories, use_tags, use_venues, use_organizers, use_events):
            use(client)
    stranger = AuthenticatedClient(base_url=base_url, token="wrong")  # noqa: S106
    assert code_of(create_tag.sync(client=stranger, body=NewTag(name="Stranger"))) == "incorrect_password"


if __name__ == "__main__":
    main(*sys.argv[1:])
