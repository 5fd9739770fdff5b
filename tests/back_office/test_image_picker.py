"""The image of an event, venue or organizer in the admin: choosing, showing and removing it."""

import pytest

from calendar_site.accounts.services import create_user
from calendar_site.media.models import Image
from tests.factories import EventFactory, ImageFactory
from tests.support.admin import browser_for, column_texts, form_data, form_errors, post_form
from tests.support.records import reloaded

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

EVENTS = "/admin/events/event/"


def rendition_path(image, size):
    return f"/media/{image.renditions[size]['file']}"


@pytest.mark.parametrize("role", ["editor", "author", "contributor"])
def test_image_is_chosen_shown_and_taken_off(kind, image, role):
    client = browser_for(create_user("somebody", role))

    client.post(f"{kind.list}add/", kind.new_form(status="draft", image=image.pk))
    row = kind.factory._meta.model.objects.get()
    chosen, page = row.image, client.get(kind.page(row))
    shown = form_data(page)
    post_form(client, kind.page(row), shown, title="changed")
    kept = reloaded(row).image
    post_form(client, kind.page(row), shown, image="")

    assert (chosen, kept, reloaded(row).image) == (image, image, None)
    assert shown["image"] == [str(image.pk)]
    assert (
        f'<img src="{rendition_path(image, "medium")}" alt=""><figcaption>Red and blue</figcaption>'
        in page.content.decode()
    )
    assert Image.objects.get() == image


@pytest.mark.usefixtures("unrendered_pages")
@pytest.mark.parametrize("nonsense", ["99", "abc", "9" * 30, "-1", "\0", "http://127.0.0.1/a.png"])
def test_what_is_no_image_is_refused_beside_the_field(kind, editor, nonsense):
    row = kind.factory(title="as it was", image=ImageFactory())

    response = browser_for(editor).post(kind.page(row), kind.saved_form(row, title="changed", image=nonsense))

    assert list(form_errors(response)) == ["image"]
    assert (reloaded(row).title, reloaded(row).image) == ("as it was", row.image)


def test_form_that_is_wrong_in_something_else_keeps_the_choice_and_saves_nothing(kind, author, image):
    wrong = kind.new_form(title="", status="publish", image=image.pk)

    response = browser_for(author).post(f"{kind.list}add/", wrong)

    assert list(form_errors(response)) == ["title"]
    assert form_data(response)["image"] == [str(image.pk)]
    assert rendition_path(image, "medium") in response.content.decode()
    assert not kind.factory._meta.model.objects.exists()


def test_two_changes_of_the_image_are_for_the_user_to_decide(kind, editor):
    row = kind.factory(image=ImageFactory(name="Old"))
    theirs, mine = ImageFactory(name="Theirs"), ImageFactory(name="Mine")
    client = browser_for(editor)
    old_page = form_data(client.get(kind.page(row)))

    post_form(client, kind.page(row), old_page, image=theirs.pk)
    asked = client.post(kind.page(row), {**old_page, "image": mine.pk})

    assert form_errors(asked) == {
        "image": ["Someone else has changed this to: Theirs. Save again to replace it with your value."]
    }
    client.post(kind.page(row), form_data(asked))
    assert reloaded(row).image == mine


def test_image_field_itself_has_no_file_input(kind, author, contributor):
    forms = [browser_for(user).get(f"{kind.list}add/").content.decode() for user in (author, contributor)]

    assert ['type="file"' in form for form in forms] == [False, False]


def test_whoever_may_only_look_sees_the_image(kind, author, image):
    row = kind.factory(image=image)

    text = browser_for(author).get(kind.page(row)).content.decode()

    assert f'<a href="/media/{image.file}"><img src="{rendition_path(image, "medium")}"' in text
    assert 'name="image"' not in text


def test_list_shows_thumbnails(kind, editor, image):
    kind.factory(image=image), kind.factory()

    response = browser_for(editor).get(kind.list)

    assert response.content.decode().count(f'data-src="{rendition_path(image, "thumbnail")}"') == 1
    assert len(column_texts(response, "thumbnail")) == 2


@pytest.mark.parametrize("count", [1, 3])
def test_thumbnails_cost_no_query(kind, editor, django_assert_num_queries, count):
    for _ in range(count):
        kind.factory(image=ImageFactory())
    client = browser_for(editor)

    # session, user, permissions, saved views, count, page; of events venues, categories, and three for the years
    with django_assert_num_queries(11 if kind.name == "event" else 6):
        client.get(kind.list)


def test_image_of_a_protected_event_is_shown_to_whoever_may_change_it_alone(author, editor, image):
    event = EventFactory(image=image, password="sesame")
    pages = (EVENTS, f"{EVENTS}{event.pk}/change/")

    shown = [
        [
            rendition_path(image, size) in browser_for(user).get(page).content.decode()
            for page, size in zip(pages, sizes, strict=True)
        ]
        for user, sizes in ((editor, ("thumbnail", "medium")), (author, ("thumbnail", "medium")))
    ]

    assert shown == [[True, True], [False, False]]
