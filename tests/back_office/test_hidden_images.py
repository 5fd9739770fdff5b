"""Images of hidden records: nobody sees them who may not see the record, wherever the admin shows images."""

from datetime import UTC, datetime

import pytest

from calendar_site.media.models import EmbeddedImage, Image
from tests.factories import EventFactory, ImageFactory, OrganizerFactory, VenueFactory
from tests.support.admin import browser_for

pytestmark = pytest.mark.django_db

HIDDEN = {
    "draft": {"status": "draft"},
    "private": {"status": "private"},
    "trash": {"status": "trash"},
    "scheduled": {"status": "future", "published_at": datetime(2099, 1, 1, tzinfo=UTC)},
}
FACTORIES = {"event": EventFactory, "venue": VenueFactory, "organizer": OrganizerFactory}
CASES = [(kind, fields) for kind in FACTORIES for fields in HIDDEN.values()] + [("event", {"password": "secret"})]


def img(image):
    return f'<p><img src="https://calendar.example.org/media/{image.file}" alt=""></p>'


def shown_images(client):
    """The ids of the images that the library, the picker, the palette and the autocomplete of an event show."""
    library = {row.pk for row in client.get("/admin/media/image/").context["cl"].result_list}
    picker = {int(choice["id"]) for choice in client.get("/admin/media/image/picker/").context["choices"]}
    palette = client.get("/admin/search/", {"s": "unannounced"}).json()["results"]
    found = {int(match["url"].split("/")[-3]) for match in palette if "/media/image/" in match["url"]}
    query = {"app_label": "events", "model_name": "event", "field_name": "image", "term": "unannounced"}
    chosen = {int(row["id"]) for row in client.get("/admin/autocomplete/", query).json()["results"]}
    return library, picker, found, chosen


@pytest.mark.parametrize("in_text", [False, True], ids=["image", "text"])
@pytest.mark.parametrize(("kind", "fields"), CASES)
def test_image_of_a_hidden_record_is_shown_to_those_who_may_see_the_record(
    author, contributor, editor, kind, fields, in_text
):
    image, public = (ImageFactory(name=f"unannounced {number}", author=editor) for number in range(2))
    for used, more in ((image, fields), (public, {})):
        FACTORIES[kind](author=editor, **({"description": img(used)} if in_text else {"image": used}), **more)

    for user, expected in ((contributor, {public.pk}), (author, {public.pk}), (editor, {image.pk, public.pk})):
        client = browser_for(user)
        assert shown_images(client) == (expected,) * 4
        change_page = client.get(f"/admin/media/image/{image.pk}/change/")
        assert (change_page.status_code == 200) == (user == editor)
        assert client.get(f"/admin/media/image/{public.pk}/change/").status_code == 200


def test_image_of_a_hidden_and_a_visible_record_is_shown(contributor, editor):
    image = ImageFactory(name="unannounced", author=editor)
    EventFactory(status="draft", author=editor, description=img(image))
    EventFactory(author=editor, excerpt=img(image))
    other = ImageFactory(name="unannounced other", author=editor)
    EventFactory(status="draft", author=editor, image=other)

    client = browser_for(contributor)

    assert shown_images(client) == ({image.pk},) * 4
    assert "do not have permission" not in client.get(f"/admin/media/image/{image.pk}/change/").content.decode()


def test_numbers_of_uses_leave_out_hidden_records(contributor, editor):
    image = ImageFactory(author=editor)
    EventFactory(author=editor, image=image)
    EventFactory(author=editor, image=image, status="draft")

    (seen,) = browser_for(contributor).get("/admin/media/image/").context["cl"].result_list
    (known,) = browser_for(editor).get("/admin/media/image/").context["cl"].result_list

    assert (seen.use_count, known.use_count) == (1, 2)


def test_own_image_of_a_hidden_record_stays_visible(contributor, editor):
    image = ImageFactory(name="unannounced", author=contributor)
    EventFactory(status="draft", author=editor, image=image)

    assert shown_images(browser_for(contributor)) == ({image.pk},) * 4


def test_images_in_texts_follow_every_change(editor):
    first, second = ImageFactory(author=editor), ImageFactory(author=editor)
    event = EventFactory(author=editor, description=img(first))
    venue = VenueFactory(author=editor, excerpt=img(first) + img(second))

    def embedded():
        rows = EmbeddedImage.objects.order_by("model_label", "record_id", "image_id")
        return list(rows.values_list("model_label", "record_id", "image_id"))

    assert embedded() == [
        ("events.event", event.pk, first.pk),
        ("venues.venue", venue.pk, first.pk),
        ("venues.venue", venue.pk, second.pk),
    ]
    event.description = img(second)
    event.save()
    type(venue).objects.update(excerpt="")
    assert embedded() == [("events.event", event.pk, second.pk)]
    event.delete()
    assert embedded() == []
    assert Image.objects.count() == 2
