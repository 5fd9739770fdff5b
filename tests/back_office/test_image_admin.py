"""The image library in the admin: listing, uploading, changing and deleting images."""

import re
from datetime import timedelta
from functools import partial

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.models import ProtectedError
from django.utils import timezone

from calendar_site.accounts.services import create_user
from calendar_site.media.library import delete_image, prepare_image, store_image
from calendar_site.media.models import Image
from tests.factories import EventFactory, ImageFactory, OrganizerFactory, UserFactory, VenueFactory
from tests.support.admin import (
    browser_for,
    column_texts,
    form_data,
    form_errors,
    listed_titles,
    messages_in,
    post_form,
    run_action,
    submit_form,
)
from tests.support.background_tasks import run_worker
from tests.support.history import recorded_changes
from tests.support.image_files import decompression_bomb, open_image, plain_image, red_blue_image
from tests.support.records import reloaded

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files", "media_folder")]

LIST = "/admin/media/image/"
ADD = f"{LIST}add/"
CHOICES = f"{LIST}choices/"


@pytest.fixture
def credited_image(editor, prepared_image):
    return store_image(prepared_image, user=editor, alt="Red and blue", credit="Ann")


@pytest.fixture
def other_image(editor):
    return store_image(prepare_image(plain_image(size=(1200, 900)), "other.png"), user=editor, alt="Teal")


def image_path(image, name="change"):
    return f"{LIST}{image.pk}/{name}/"


def stored_files(folder):
    return sorted(path.name for path in folder.rglob("*") if path.is_file())


def upload(*contents, name="a.png"):
    files = [SimpleUploadedFile(name if len(contents) == 1 else f"{n}-{name}", c) for n, c in enumerate(contents)]
    return {"images": files, "decorative": "on", "credit": ""}


# --- Who may do what -----------------------------------------------------------------------------

SAVED, LOOK, SIGN_IN = "saved", "may only look", "sign in"
# What becomes of uploads, of changes to an own image and to another's, and of deleting them.
RIGHTS = {
    "administrator": (SAVED, SAVED, SAVED, SAVED, SAVED),
    "editor": (SAVED, SAVED, SAVED, SAVED, SAVED),
    "author": (SAVED, SAVED, LOOK, SAVED, LOOK),
    "contributor": (SAVED, LOOK, LOOK, LOOK, LOOK),
    "subscriber": (SIGN_IN,) * 5,
    None: (SIGN_IN,) * 5,
}


@pytest.mark.parametrize("role", RIGHTS)
def test_rights_are_those_on_the_very_image(role):
    user = role and create_user("somebody", role)
    client = browser_for(user)
    own, other = (ImageFactory(author=author) for author in (user or UserFactory(), UserFactory()))

    outcomes = (
        upload_outcome(client.post(ADD, upload(plain_image()))),
        *(
            upload_outcome(client.post(image_path(row), {"name": "new", "focus_x": 0.5, "focus_y": 0.5}))
            for row in (own, other)
        ),
        *(upload_outcome(client.post(image_path(row, "delete"), {"post": "yes"})) for row in (own, other)),
    )

    assert outcomes == RIGHTS[role]
    assert Image.objects.filter(name="a").exists() == (outcomes[0] == SAVED)
    left = dict(Image.objects.filter(pk__in=(own.pk, other.pk)).values_list("pk", "name"))
    expected = {
        row.pk: "new" if outcomes[1 + place] == SAVED else ""
        for place, row in enumerate((own, other))
        if outcomes[3 + place] != SAVED
    }
    assert left == expected


def upload_outcome(response):
    if response.status_code == 403:
        return LOOK
    assert response.status_code == 302
    return SIGN_IN if "/login/" in response["Location"] else SAVED


@pytest.mark.parametrize(
    ("role", "left"),
    [("editor", []), ("author", ["other"]), ("contributor", ["other", "own"]), (None, ["other", "own"])],
)
def test_action_deletes_within_the_rights(role, left):
    user = role and create_user("somebody", role)
    rows = [ImageFactory(name="own", author=user or UserFactory()), ImageFactory(name="other")]

    run_action(browser_for(user), LIST, "delete_selected", rows, post="yes")

    assert sorted(Image.objects.values_list("name", flat=True)) == left


def test_whoever_may_only_look_sees_the_image_and_no_fields(author_browser, credited_image):
    response = author_browser.get(image_path(credited_image))

    assert form_data(response) == {}
    assert "Red and blue" in response.content.decode()


def test_contributors_image_is_offered_to_others_once_its_event_is_approved(contributor, author, editor):
    another = UserFactory(username="another", role="contributor")
    browser_for(contributor).post(ADD, upload(plain_image()))
    image = Image.objects.get()

    def offered():
        browsers = [browser_for(user) for user in (contributor, another, author, editor)]
        return [listed_titles(browser.get(LIST)) == ["a"] for browser in browsers]

    before = offered()
    event = EventFactory(image=image, author=contributor, status="pending")
    submitted = offered()
    run_action(browser_for(editor), "/admin/events/event/", "publish", [event])

    assert reloaded(event).status == "publish"
    assert (before, submitted, offered()) == (
        [True, False, False, True],
        [True, False, False, True],
        [True, True, True, True],
    )


# --- List ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 3])
def test_list_query_count(editor_browser, django_assert_num_queries, count):
    for _ in range(count):
        shown = ImageFactory()
        EventFactory.create_batch(2, image=shown), VenueFactory(image=shown)

    # session, user, permissions, saved views, count, page with its authors
    with django_assert_num_queries(6):
        response = editor_browser.get(LIST)

    assert column_texts(response, "use_count") == ["3"] * count


def test_list_shows_what_staff_look_for(editor_browser, editor, credited_image):
    ImageFactory(name="", alt="Nothing shows it", author=UserFactory(username="zoe"), filesize=5_000)
    EventFactory(image=credited_image), EventFactory(image=credited_image, status="trash")
    VenueFactory(image=credited_image), OrganizerFactory(image=credited_image, status="draft")

    response = editor_browser.get(LIST)

    assert listed_titles(response) == ["Nothing shows it", "Summer night"]
    assert column_texts(response, "dimensions") == [
        "1200 × 800 pixels, 4.9 KB",
        f"2000 × 1000 pixels, {len(red_blue_image()) / 1024:.1f} KB",
    ]
    assert column_texts(response, "author_name") == ["zoe", "editor"]
    assert column_texts(response, "use_count") == ["0", "4"]
    file = credited_image.renditions["thumbnail"]["file"]
    thumbnail = f'data-src="/media/{file}" width="150" height="150" alt="Red and blue" class="thumbnail">'
    assert thumbnail in response.content.decode()


def test_files_are_under_no_language(editor_browser, credited_image):
    text = editor_browser.get(f"/de{LIST}").content.decode()

    assert f'data-src="/media/{credited_image.renditions["thumbnail"]["file"]}"' in text
    assert f'href="/de{image_path(credited_image)}' in text


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("CREME", ["Crème"]),
        ("sea view", ["Harbour"]),
        ("ann", ["Crème"]),
        ("zoe", ["Harbour"]),
        ("zoe harbour", ["Harbour"]),
        ("zoe creme", []),
        ("\0", ["Harbour", "Crème"]),
    ],
)
def test_list_is_searched_by_words(editor_browser, query, found):
    ImageFactory(name="Crème", credit="Ann & Co")
    ImageFactory(name="Harbour", alt="A view of the sea", author=UserFactory(username="Zoë"))

    assert listed_titles(editor_browser.get(LIST, {"q": query})) == found


def test_list_is_filtered(editor_browser, editor):
    used, mine = ImageFactory(name="used", alt="Something"), ImageFactory(name="mine", author=editor)
    old = ImageFactory(name="old")
    Image.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(days=20))
    Image.objects.filter(pk=mine.pk).update(created_at=timezone.now() - timedelta(days=5))
    OrganizerFactory(image=used)

    def found(**parameters):
        return listed_titles(editor_browser.get(LIST, parameters))

    assert (found(used="yes"), found(used="no")) == (["used"], ["old", "mine"])
    assert (found(alt="with"), found(alt="without")) == (["used"], ["old", "mine"])
    assert [found(created=days) for days in ("1", "7", "30")] == [
        ["used"],
        ["mine", "used"],
        ["old", "mine", "used"],
    ]
    assert found(author="me") == ["mine"]
    assert found(used="no", alt="without", created="7") == ["mine"]


@pytest.mark.parametrize("parameters", [{"used": "x"}, {"alt": "x"}, {"created": "x"}, {"digest__startswith": "0"}])
def test_list_answers_nonsense_with_all_or_a_refusal(editor_browser, parameters):
    ImageFactory()

    response = editor_browser.get(LIST, parameters)

    assert response.status_code == 400 or len(listed_titles(response)) == 1


# --- Taking pictures in --------------------------------------------------------------------------


def test_one_picture_is_taken_in_and_described_next(author_browser, author, media_folder):
    response = author_browser.post(
        ADD, {**upload(red_blue_image(), name="Summer night.png"), "credit": "Ann, <b>CC BY</b>"}
    )

    image = Image.objects.get()
    assert response["Location"] == image_path(image)
    assert (image.name, image.alt, image.credit, image.author) == ("Summer night", "", "Ann, CC BY", author)
    assert messages_in(response) == [f'<a href="{image_path(image)}">Summer night.png was added to the library.</a>']
    assert len(stored_files(media_folder)) == 5
    assert recorded_changes(image) == [("created", "author", "admin", [])]


def test_several_pictures_are_taken_in_at_once(author_browser, media_folder):
    response = author_browser.post(ADD, upload(plain_image(), plain_image(colour="red")))

    assert response["Location"] == LIST
    assert sorted(Image.objects.values_list("name", flat=True)) == ["0-a", "1-a"]
    assert len(stored_files(media_folder)) == 2


def test_what_is_there_already_is_said_and_led_to(author_browser, credited_image, media_folder):
    response = author_browser.post(ADD, upload(red_blue_image(), name="Other name.png"))

    assert response["Location"] == image_path(credited_image)
    assert messages_in(response) == [
        f'<a href="{image_path(credited_image)}">Other name.png is already in the library.</a>'
    ]
    assert (Image.objects.get().name, Image.objects.get().credit) == ("Summer night", "Ann")
    assert len(stored_files(media_folder)) == 5


def test_same_picture_twice_at_once_is_stored_once(author_browser):
    response = author_browser.post(ADD, upload(plain_image(), plain_image()))

    assert len(messages_in(response)) == 2
    assert Image.objects.count() == 1


WRONG = {
    "svg": (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "The file is not a JPEG, PNG, GIF, WebP or AVIF image."),
    "empty": (b"", "The file is not a JPEG, PNG, GIF, WebP or AVIF image."),
    "bomb": (decompression_bomb(50_000, 50_000), "The image has more than 40 megapixels or too many frames."),
    "damaged": (red_blue_image("JPEG")[:-500], "The image file is damaged."),
    "large": (b"x" * (10 * 1024 * 1024 + 1), "The file is larger than 10 MB."),
}


@pytest.mark.parametrize("kind", WRONG)
def test_invalid_file_is_refused_beside_the_field_and_the_others_are_kept(author_browser, media_folder, kind):
    content, fault = WRONG[kind]

    response = author_browser.post(ADD, upload(plain_image(), content))
    alone = author_browser.post(ADD, upload(content))

    assert form_errors(response) == {"images": [f"1-a.png: {fault}"]}
    assert form_errors(alone) == {"images": [f"a.png: {fault}"]}
    assert "0-a.png was added to the library." in response.content.decode()
    assert Image.objects.get().name == "0-a"
    assert len(stored_files(media_folder)) == 1


def test_form_without_a_picture_or_with_a_long_credit_takes_nothing_in(author_browser):
    nothing = author_browser.post(ADD, {"credit": "Ann", "decorative": "on"})
    long = author_browser.post(ADD, {**upload(plain_image()), "credit": "x" * 501})

    assert form_errors(nothing) == {"images": ["This field is required."]}
    assert form_errors(long) == {"credit": ["Ensure this value has at most 500 characters (it has 501)."]}
    assert not Image.objects.exists()


def test_scripts_are_answered_in_data(author_browser, credited_image):
    def sent(fields):
        return author_browser.post(ADD, fields, headers={"Accept": "application/json"}).json()["results"]

    (new,) = sent(upload(plain_image()))
    made = Image.objects.get(name="a")
    assert new == {
        "text": "a.png was added to the library.",
        "url": image_path(made),
        "image": {
            "id": str(made.pk),
            "text": "a",
            "alt": "",
            "decorative": True,
            "thumbnail": f"/media/{made.file}",
            "medium": f"/media/{made.file}",
            "large": f"/media/{made.file}",
        },
    }
    (known,) = sent(upload(red_blue_image()))
    assert (known["text"], known["image"]["id"]) == ("a.png is already in the library.", str(credited_image.pk))
    assert sent(upload(b"x")) == [
        {"text": "a.png: The file is not a JPEG, PNG, GIF, WebP or AVIF image.", "url": None, "image": None}
    ]
    assert sent({"decorative": "on"}) == [{"text": "This field is required.", "url": None, "image": None}]
    assert browser_for(None).post(ADD, upload(plain_image()), headers={"Accept": "application/json"}).status_code == 302


# --- Changing ------------------------------------------------------------------------------------


def test_texts_are_changed_and_nothing_is_cut_anew(editor_browser, credited_image):
    response = submit_form(
        editor_browser, image_path(credited_image), name="Night", alt="Blue <i>and</i> red", credit=""
    )

    now = reloaded(credited_image)
    assert response["Location"] == LIST
    assert (now.name, now.alt, now.credit) == ("Night", "Blue and red", "")
    assert now.renditions == credited_image.renditions
    assert listed_titles(editor_browser.get(LIST, {"q": "blue night"})) == ["Night"]


def test_focal_point_is_moved_and_the_thumbnail_follows(editor_browser, credited_image, media_folder):
    before = corner(media_folder, credited_image)

    response = submit_form(editor_browser, image_path(credited_image), focus_x="0.9", focus_y="0.1")
    run_worker()

    now = reloaded(credited_image)
    assert response["Location"] == LIST
    assert (now.focus_x, now.focus_y) == (0.9, 0.1)
    assert (before, corner(media_folder, now)) == ((255, 0, 0), (0, 0, 255))
    assert len(stored_files(media_folder)) == 5
    assert (
        '<span class="focal-marker" style="left: 90.00%; top: 10.00%">'
        in editor_browser.get(image_path(credited_image)).content.decode()
    )


def corner(media, image):
    """The colour at the upper left of the thumbnail."""
    content = (media / image.renditions["thumbnail"]["file"]).read_bytes()
    return open_image(content).convert("RGB").getpixel((5, 5))


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        ("1.1", "Ensure this value is less than or equal to 1."),
        ("-0.1", "Ensure this value is greater than or equal to 0."),
        ("nan", "Enter a number."),
        ("", "This field is required."),
        ("left", "Enter a number."),
    ],
)
def test_focal_point_outside_of_the_picture_is_refused(editor_browser, credited_image, value, fault):
    fields = {"name": "Night", "alt": "not saved", "credit": "", "focus_x": value, "focus_y": "0.5"}

    response = editor_browser.post(image_path(credited_image), fields)

    assert form_errors(response) == {"focus_x": [fault]}
    assert (reloaded(credited_image).focus_x, reloaded(credited_image).alt) == (0.5, "Red and blue")


def test_picture_whose_file_is_gone_is_not_cut_anew_but_described(editor_browser, credited_image):
    default_storage.delete(credited_image.file.name)

    refused = submit_form(editor_browser, image_path(credited_image), focus_y="0.2")
    saved = submit_form(editor_browser, image_path(credited_image), alt="Red")

    assert form_errors(refused) == {"focus_y": ["The original file is missing, so the image cannot be cropped again."]}
    assert (saved["Location"], reloaded(credited_image).alt) == (LIST, "Red")


def test_page_that_has_grown_old_takes_nothing_back(editor_browser, credited_image):
    old_page = form_data(editor_browser.get(image_path(credited_image)))

    post_form(editor_browser, image_path(credited_image), old_page, alt="New", focus_x="0.8")
    merged = editor_browser.post(image_path(credited_image), {**old_page, "credit": "Ben"})
    asked = editor_browser.post(image_path(credited_image), {**old_page, "alt": "Mine", "focus_x": "0.1"})

    now = reloaded(credited_image)
    text = "Someone else has changed this to: %s. Save again to replace it with your value."
    assert (merged["Location"], now.alt, now.focus_x, now.credit) == (LIST, "New", 0.8, "Ben")
    assert form_errors(asked) == {"alt": [text % "New"], "focus_x": [text % "0.8"]}
    editor_browser.post(image_path(credited_image), form_data(asked))
    assert (reloaded(credited_image).alt, reloaded(credited_image).focus_x) == ("Mine", 0.1)


def test_form_shows_all_sizes_and_what_is_known_of_the_file(editor_browser, credited_image):
    text = editor_browser.get(image_path(credited_image)).content.decode()

    assert [f"/media/{size['file']}" in text for size in credited_image.renditions.values()] == [True] * 4
    assert "2000 × 1000 pixels" in text
    assert "image/png" in text


# --- Where it is shown ---------------------------------------------------------------------------


def uses(client, image):
    """The names of the records that the form leads to, and its sentences."""
    text = client.get(image_path(image)).content.decode()
    listed = text.partition('<ul class="uses">')[2].partition("</ul>")[0]
    return re.findall(r'<li><a href="/admin/[^"]+/change/">(.*?)</a></li>', listed), text


def test_form_leads_to_what_shows_the_image_as_far_as_the_user_may_see_it(
    editor_browser, author_browser, author, credited_image
):
    (
        EventFactory(title="Concert", image=credited_image),
        EventFactory(title="Draft", image=credited_image, status="draft"),
    )
    EventFactory(title="Mine", image=credited_image, status="trash", author=author)
    EventFactory(title="Secret meeting", image=credited_image, password="sesame")
    (
        VenueFactory(title="Hall & bar", image=credited_image),
        OrganizerFactory(title="Hidden", image=credited_image, status="private"),
    )
    EventFactory(title="Another")

    of_editor, _text = uses(editor_browser, credited_image)
    of_author, text = uses(author_browser, credited_image)

    assert of_editor == [
        "Venue: Hall &amp; bar",
        "Organizer: Hidden",
        "Event: Secret meeting",
        "Event: Mine (in the trash)",
        "Event: Draft",
        "Event: Concert",
    ]
    assert of_author == ["Venue: Hall &amp; bar", "Event: Mine (in the trash)", "Event: Concert"]
    assert "do not have permission to view" not in text


def test_form_names_the_last_of_many_and_counts_the_others(editor_browser, credited_image, monkeypatch):
    monkeypatch.setattr("calendar_site.media.uses.MAX_USES_LISTED", 2)
    for number in range(3):
        VenueFactory(title=f"Hall {number}", image=credited_image)

    named, text = uses(editor_browser, credited_image)

    assert named == ["Venue: Hall 2", "Venue: Hall 1"]
    assert "1 more record not listed here." in text


@pytest.mark.parametrize("count", [1, 3])
def test_form_query_count(editor_browser, credited_image, django_assert_num_queries, count):
    EventFactory.create_batch(count, image=credited_image), VenueFactory.create_batch(count, image=credited_image)
    editor_browser.get(image_path(credited_image))

    # session, user, permissions; image, author; for each of five kinds: the records, how many may be seen, all of them,
    # and those with the image in their HTML, but categories have none; the newest revision and drafts of the form
    with django_assert_num_queries(5 + 19 + 2):
        editor_browser.get(image_path(credited_image))


def in_description(image, *sizes):
    """Return a description with the image in each of these sizes, as the editor writes it."""
    files = [image.first_rendition(size)["file"] for size in sizes]
    return "".join(f'<p><img src="https://calendar.example.org/media/{file}" alt=""></p>' for file in files)


def test_form_leads_to_texts_with_the_image(editor_browser, author_browser, credited_image, other_image):
    EventFactory(title="Concert", description=in_description(credited_image, "large", "medium"))
    EventFactory(title="Draft", status="draft", description=in_description(credited_image, "full"))
    EventFactory(title="Secret meeting", password="sesame", description=in_description(credited_image, "large"))
    VenueFactory(title="Hall", image=credited_image, excerpt=in_description(credited_image, "thumbnail"))
    OrganizerFactory(title="Choir", description=in_description(other_image, "large"))

    of_editor, _text = uses(editor_browser, credited_image)
    of_author, text = uses(author_browser, credited_image)

    assert of_editor == ["Venue: Hall", "Event: Secret meeting", "Event: Draft", "Event: Concert"]
    assert of_author == ["Venue: Hall", "Event: Concert"]
    assert "do not have permission to view" not in text
    assert uses(editor_browser, other_image)[0] == ["Organizer: Choir"]


# --- Deleting ------------------------------------------------------------------------------------


def test_deleting_asks_first_and_takes_the_files_along(editor_browser, credited_image, media_folder):
    asked = editor_browser.get(image_path(credited_image, "delete"))
    assert (asked.status_code, asked.context["deleted_objects"], Image.objects.count()) == (200, ["Summer night"], 1)

    response = editor_browser.post(image_path(credited_image, "delete"), {"post": "yes"})
    run_worker()

    assert response["Location"] == LIST
    assert not Image.objects.exists()
    assert stored_files(media_folder) == []


@pytest.mark.parametrize("factory", [EventFactory, VenueFactory, OrganizerFactory])
def test_image_in_use_stays_and_it_is_said_why(editor_browser, credited_image, media_folder, factory):
    factory(image=credited_image, status="trash")

    for response in (
        editor_browser.get(image_path(credited_image, "delete")),
        editor_browser.post(image_path(credited_image, "delete"), {"post": "yes"}),
    ):
        assert response["Location"] == image_path(credited_image)
    assert messages_in(response)[-1:] == [
        "Summer night cannot be deleted because 1 record uses it. "
        "Remove the image from that record first: see “Used by”."
    ]
    assert Image.objects.exists()
    assert len(stored_files(media_folder)) == 5


@pytest.mark.parametrize("size", ["full", "large", "thumbnail"])
@pytest.mark.parametrize("factory", [EventFactory, VenueFactory, OrganizerFactory])
def test_image_in_a_text_stays(editor_browser, editor, credited_image, other_image, media_folder, factory, size):
    factory(description=in_description(credited_image, size))
    chosen = [credited_image, other_image]

    refused = editor_browser.post(image_path(credited_image, "delete"), {"post": "yes"})
    done = run_action(editor_browser, LIST, "delete_selected", chosen, post="yes")

    assert (refused["Location"], len(messages_in(refused))) == (image_path(credited_image), 1)
    assert messages_in(done)[-2:] == [
        f'Not deleted because they are in use: <a href="{image_path(credited_image)}">Summer night</a>.',
        "Successfully deleted 1 image.",
    ]
    assert list(Image.objects.all()) == [credited_image]
    with pytest.raises(ProtectedError):
        delete_image(credited_image, user=editor)


def test_action_asks_and_deletes_what_nothing_shows(author_browser, author, credited_image):
    free, used = ImageFactory(name="free", author=author), ImageFactory(name="used", author=author)
    EventFactory(image=used)
    rows = [free, used, credited_image]

    asked = run_action(author_browser, LIST, "delete_selected", rows)
    assert (asked.status_code, asked.context["deletable_objects"]) == (200, [["free"]])
    assert Image.objects.count() == 3
    done = run_action(author_browser, LIST, "delete_selected", rows, post="yes")

    assert set(Image.objects.values_list("name", flat=True)) == {"used", "Summer night"}
    assert messages_in(done) == [
        "Skipped (no permission to delete): Summer night.",
        f'Not deleted because they are in use: <a href="{image_path(used)}">used</a>.',
        "Successfully deleted 1 image.",
    ]


def test_action_on_nothing_but_what_is_shown_deletes_nothing(editor_browser, credited_image):
    VenueFactory(image=credited_image)

    response = run_action(editor_browser, LIST, "delete_selected", [credited_image])

    assert response["Location"] == LIST
    assert messages_in(response) == [
        f'Not deleted because they are in use: <a href="{image_path(credited_image)}">Summer night</a>.'
    ]
    assert Image.objects.exists()


# --- Choosing ------------------------------------------------------------------------------------


def test_choices_are_the_whole_library_with_thumbnails(contributor, credited_image):
    ImageFactory(name="Harbour")
    ask = partial(browser_for(contributor).get, CHOICES)
    asked = {"app_label": "events", "model_name": "event", "field_name": "image"}

    assert [choice["text"] for choice in ask(asked).json()["results"]] == ["Harbour", "Summer night"]
    assert ask({**asked, "term": "red"}).json() == {
        "results": [
            {
                "id": str(credited_image.pk),
                "text": "Summer night",
                "alt": "Red and blue",
                "decorative": False,
                "thumbnail": f"/media/{credited_image.renditions['thumbnail']['file']}",
                "medium": f"/media/{credited_image.renditions['medium']['file']}",
                "large": f"/media/{credited_image.first_rendition('large')['file']}",
            }
        ],
        "pagination": {"more": False},
    }


def test_one_choice_is_told_as_it_is_now(contributor, credited_image):
    ImageFactory(name="Harbour")
    asked = {"app_label": "events", "model_name": "event", "field_name": "image"}

    def choices_for(chosen):
        results = browser_for(contributor).get(CHOICES, {**asked, "id": chosen}).json()["results"]
        return [(choice["text"], choice["alt"]) for choice in results]

    Image.objects.filter(pk=credited_image.pk).update(alt="Blue and red")

    assert choices_for(credited_image.pk) == [("Summer night", "Blue and red")]
    assert [choices_for(nonsense) for nonsense in ("", "0", "x", "9" * 30, "\0")] == [[]] * 5


def test_choices_are_closed_to_those_without_work_here(subscriber):
    subscriber.is_staff = True
    subscriber.save()
    asked = {"app_label": "events", "model_name": "event", "field_name": "image"}

    assert browser_for(subscriber).get(CHOICES, {**asked, "id": "1"}).status_code == 403
    assert browser_for(subscriber).get(CHOICES, asked).status_code == 403
    assert browser_for(None).get(CHOICES, asked).status_code == 302
