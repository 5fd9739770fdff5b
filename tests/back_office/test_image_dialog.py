"""The dialog that chooses an image of the library, and the alternative text that an upload needs."""

import json
import re
from html import unescape

import pytest
from django.contrib.auth.models import Permission
from django.core.files.uploadedfile import SimpleUploadedFile

from calendar_site.back_office.library.picker import MAX_PAGE, PER_PAGE
from calendar_site.media.models import Image
from tests.factories import EventFactory, ImageFactory, UserFactory, VenueFactory
from tests.support.admin import browser_for, form_errors, listed_titles, submit_form
from tests.support.image_files import plain_image

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

LIST = "/admin/media/image/"
ADD, PICKER = f"{LIST}add/", f"{LIST}picker/"
CHOICE = re.compile(r'data-image="([^"]*)"')
NEXT = re.compile(r'data-page="(\d+)"')


def shown(client, **query):
    """Return the data of the shown images, and the number of the next page."""
    response = client.get(PICKER, query)
    assert response.status_code == 200, response.content
    text = response.content.decode()
    return [json.loads(unescape(data)) for data in CHOICE.findall(text)], [int(page) for page in NEXT.findall(text)]


def names(client, **query):
    return [image["text"] for image in shown(client, **query)[0]]


def upload(*contents, **fields):
    files = [SimpleUploadedFile(f"{place}.png", content, "image/png") for place, content in enumerate(contents)]
    return {"images": files, "credit": "", **fields}


# --- The dialog ----------------------------------------------------------------------------------


def test_dialog_has_the_newest_images_and_a_form(author_browser, image):
    ImageFactory(name='Harbour "A & B" <3', decorative=True)

    text = author_browser.get(PICKER).content.decode()

    assert names(author_browser) == ['Harbour "A & B" <3', str(image)]
    assert shown(author_browser)[0][1] == {
        "id": str(image.pk),
        "text": str(image),
        "alt": "Red and blue",
        "decorative": False,
        "thumbnail": f"/media/{image.renditions['thumbnail']['file']}",
        "medium": f"/media/{image.renditions['medium']['file']}",
        "large": f"/media/{image.first_rendition('large')['file']}",
    }
    assert "<3" not in text
    assert 'type="search"' in text
    assert f'action="{ADD}"' in text


def test_dialog_of_an_empty_library_begins_with_the_upload(author_browser):
    empty = author_browser.get(PICKER).content.decode()
    ImageFactory(name="Boat")

    assert ("<details open>" in empty, "<details>" in author_browser.get(PICKER).content.decode()) == (True, True)


def test_pages_and_searches_have_only_images(author_browser):
    for number in range(PER_PAGE + 1):
        ImageFactory(name=f"Boat {number}")
    ImageFactory(name="Harbour")

    first, more = shown(author_browser, q="boat", page=1)
    last, end = shown(author_browser, q="boat", page=2)

    assert ([image["text"] for image in first], more) == ([f"Boat {n}" for n in range(PER_PAGE, 0, -1)], [2])
    assert ([image["text"] for image in last], end) == (["Boat 0"], [])
    assert shown(author_browser, q="boat", page=3) == ([], [])
    assert "<form" not in author_browser.get(PICKER, {"page": 1}).content.decode()
    assert names(author_browser, q="\0harb", page=1) == ["Harbour"]


@pytest.mark.parametrize("page", ["", "0", "-1", "x", str(MAX_PAGE + 1), "9" * 30])
def test_invalid_pages_are_refused(author_browser, page):
    assert author_browser.get(PICKER, {"page": page}).status_code == 400


@pytest.mark.parametrize("count", [1, 3])
def test_dialog_query_count(editor_browser, django_assert_num_queries, count):
    for _ in range(count):
        ImageFactory()

    # session, user, permissions, images
    with django_assert_num_queries(4):
        found = names(editor_browser)

    assert len(found) == count


def test_images_of_hidden_records_are_not_offered(author, contributor, editor):
    EventFactory(image=ImageFactory(name="Of a draft", author=editor), status="draft", author=editor)
    VenueFactory(image=ImageFactory(name="Of a venue", author=editor))

    assert names(browser_for(contributor)) == ["Of a venue"]
    assert names(browser_for(editor)) == ["Of a venue", "Of a draft"]


def test_users_who_may_not_upload_only_choose(image):
    looker = UserFactory(is_staff=True)
    looker.user_permissions.add(Permission.objects.get(codename="view_image"))
    client = browser_for(looker)

    assert names(client) == [str(image)]
    assert "<form" not in client.get(PICKER).content.decode()


def test_dialog_is_closed_to_strangers(subscriber, editor_browser):
    subscriber.is_staff = True
    subscriber.save()

    assert browser_for(subscriber).get(PICKER).status_code == 403
    assert browser_for(None).get(PICKER).status_code == 302
    assert editor_browser.post(PICKER).status_code == 405


def test_forms_and_editors_have_the_dialog(kind, author, contributor):
    forms = [browser_for(user).get(f"{kind.list}add/").content.decode() for user in (author, contributor)]

    for form in forms:
        assert f'class="open-image-dialog" data-url="{PICKER}"' in form
        assert f'data-image-dialog="{PICKER}"' in form
    assert ["Choose or upload an image…" in form for form in forms] == [True, True]


# --- Alternative texts ---------------------------------------------------------------------------

MISSING = {"alt": ["Describe the image, or mark it as decorative."]}
BOTH = {"decorative": ["A decorative image has no alternative text."]}
SHARED = {"alt": ["Several images cannot have the same alternative text. Upload them one by one."]}


@pytest.mark.parametrize(
    ("fields", "stored"),
    [({"alt": "A red square"}, ("A red square", False)), ({"decorative": "on"}, ("", True))],
)
def test_upload_has_an_alternative_text_or_is_decorative(author_browser, fields, stored):
    response = author_browser.post(ADD, upload(plain_image(), **fields))

    image = Image.objects.get()
    assert response.status_code == 302
    assert (image.alt, image.decorative) == stored


@pytest.mark.parametrize(
    ("files", "fields", "errors"),
    [
        (1, {}, MISSING),
        (1, {"alt": " "}, MISSING),
        (1, {"alt": "Red", "decorative": "on"}, BOTH),
        (2, {"alt": "Red"}, SHARED),
    ],
)
def test_other_uploads_are_refused(author_browser, files, fields, errors):
    contents = [plain_image(colour=colour) for colour in ("red", "blue")][:files]

    assert form_errors(author_browser.post(ADD, upload(*contents, **fields))) == errors
    assert not Image.objects.exists()


def test_uploading_an_image_again_describes_it_within_the_rights(author, editor, editor_browser):
    own, others = (plain_image(colour=colour) for colour in ("red", "blue"))
    browser_for(author).post(ADD, upload(own, decorative="on"))
    editor_browser.post(ADD, upload(others, decorative="on"))

    for content in (own, others):
        browser_for(author).post(ADD, upload(content, alt="A square"))

    assert dict(Image.objects.values_list("author__username", "alt")) == {"author": "A square", "editor": ""}


def test_decorative_images_do_not_miss_a_text(editor_browser):
    ImageFactory(name="Decorative", decorative=True)
    ImageFactory(name="Missing")
    ImageFactory(name="Described", alt="A boat")

    found = {
        value: listed_titles(editor_browser.get(LIST, {"alt": value})) for value in ("with", "without", "decorative")
    }

    assert found == {"with": ["Described"], "without": ["Missing"], "decorative": ["Decorative"]}


def test_form_of_an_image_refuses_a_text_for_a_decorative_one(editor_browser, image):
    change = f"{LIST}{image.pk}/change/"

    assert form_errors(submit_form(editor_browser, change, decorative="on")) == BOTH
    assert submit_form(editor_browser, change, decorative="on", alt="").status_code == 302
    image.refresh_from_db()
    assert (image.alt, image.decorative) == ("", True)
