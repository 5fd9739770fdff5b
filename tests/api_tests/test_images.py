"""Images of records, as programs send and read them."""

from unittest.mock import ANY

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.models import ProtectedError
from django.test.client import encode_multipart

from calendar_site.content.images import delete_image, keep_image, prepare_image, save_image
from calendar_site.content.models import Image
from events.models import Event
from tests.api import API
from tests.factories import EventFactory, OrganizerFactory, VenueFactory
from tests.outside import answer
from tests.pictures import bomb, drawn, quartered

pytestmark = pytest.mark.django_db

EVENT = {"title": "Open air", "start_date": "2030-05-04 18:00", "end_date": "2030-05-04 20:00"}
PICTURE = "http://pictures.example/summer%20night.png"


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    return tmp_path


@pytest.fixture
def image(editor):
    return keep_image(prepare_image(quartered(), "Summer night.png"), editor, alt="Red and blue")


def files(folder):
    return sorted(path.name for path in folder.rglob("*") if path.is_file())


def test_event_shows_its_image_with_its_sizes(client, image, django_assert_num_queries):
    event = EventFactory(image=image)

    answered = client.get(f"{API}/events/{event.pk}").json()["image"]

    path = f"http://testserver/media/{image.file.name.removesuffix('-summer-night.png')}"
    expected = {
        "url": f"{path}-summer-night.png",
        "id": image.pk,
        "extension": "png",
        "width": 2000,
        "height": 1000,
        "filesize": len(quartered()),
        "alt": "Red and blue",
        "sizes": {
            name: {
                "url": f"{path}-summer-night-{width}x{height}.png",
                "width": width,
                "height": height,
                "mime-type": "image/png",
                "filesize": image.renditions[name]["filesize"],
            }
            for name, width, height in (
                ("thumbnail", 150, 150),
                ("medium", 300, 150),
                ("medium_large", 768, 384),
                ("large", 1024, 512),
            )
        },
    }
    assert answered == expected


def test_addresses_of_an_image_answer_its_files(client, image):
    event = EventFactory(image=image)
    answered = client.get(f"{API}/events/{event.pk}").json()["image"]

    for address, size in ((answered["url"], answered), *((s["url"], s) for s in answered["sizes"].values())):
        response = client.get(address.removeprefix("http://testserver"))
        assert len(response.getvalue()) == size["filesize"]
        assert response.headers["Content-Type"] == "image/png"
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert response.headers["Content-Security-Policy"] == "default-src 'none'; sandbox"
        assert response.headers["Cache-Control"] == "public, max-age=31536000, immutable"


@pytest.mark.parametrize(
    "name",
    [
        "",
        "images/",
        "images/aa/no.png",
        f"images/aa/{'a' * 32}-not-there.png",
        "images/../../settings.py",
        "images/%2e%2e/calendar.sqlite3",
        "calendar.sqlite3",
    ],
)
def test_nothing_but_images_is_given_out(client, media, name):
    (media / "calendar.sqlite3").write_text("secret")

    assert client.get(f"/media/{name}").status_code == 404


def test_event_takes_an_image_of_the_library_in_every_spelling(as_author, image):
    for given in (image.pk, str(image.pk), {"id": image.pk, "url": "ignored"}):
        response = as_author.post(f"{API}/events", {**EVENT, "image": given})
        assert response.status_code == 201, response.content
        assert response.json()["image"]["id"] == image.pk


def test_answer_sent_back_keeps_the_image(as_editor, image):
    event = EventFactory(image=image)
    answered = as_editor.get(f"{API}/events/{event.pk}").json()

    response = as_editor.put(f"{API}/events/{event.pk}", answered)

    assert response.json()["image"] == answered["image"]
    assert "X-Ignored-Fields" not in response.headers


@pytest.mark.parametrize("empty", ["", None, False, 0, "0"])
def test_image_is_taken_off(as_editor, image, empty):
    event = EventFactory(image=image)

    response = as_editor.patch(f"{API}/events/{event.pk}", {"image": empty})

    assert response.json()["image"] is False
    assert Image.objects.filter(pk=image.pk).exists()


def test_image_that_is_not_named_stays(as_editor, image):
    event = EventFactory(image=image)

    assert as_editor.patch(f"{API}/events/{event.pk}", {"title": "New"}).json()["image"]["id"] == image.pk


@pytest.mark.parametrize("given", [99, -1, "99", True, ["a"], {"url": "x"}, "ftp://pictures.example/a.png", "a.png"])
def test_what_is_no_image_is_refused(as_editor, serve, given):
    serve(answer(drawn()))

    response = as_editor.post(f"{API}/events", {**EVENT, "image": given})

    assert response.status_code == 400
    assert list(response.json()["data"]["params"]) == ["image"]
    assert not Event.objects.exists()


def test_image_is_fetched_from_its_address(as_author, author, serve, media):
    serve(answer(quartered()))

    response = as_author.post(f"{API}/events", {**EVENT, "image": PICTURE})

    assert response.status_code == 201, response.content
    image = Image.objects.get()
    assert response.json()["image"]["id"] == image.pk
    assert (image.name, image.source, image.author, image.width) == ("summer night", PICTURE, author, 2000)
    assert len(files(media)) == 5


def test_same_bytes_are_stored_once(as_author, serve, media):
    serve(answer(quartered()), answer(quartered()))

    first = as_author.post(f"{API}/events", {**EVENT, "image": PICTURE}).json()
    second = as_author.post(f"{API}/venues", {"venue": "Hall", "image": "http://other.example/x.png"}).json()

    assert first["image"] == second["image"]
    assert Image.objects.count() == 1
    assert len(files(media)) == 5


def test_image_of_a_venue_that_comes_with_its_event_is_fetched(as_editor, serve):
    serve(answer(drawn()))

    response = as_editor.post(f"{API}/events", {**EVENT, "venue": {"venue": "Hall", "image": PICTURE}})

    assert response.json()["venue"]["image"]["width"] == 40


def test_image_is_uploaded_with_a_form(as_author):
    upload = SimpleUploadedFile("Summer night.png", drawn(), "image/png")
    boundary = "BoUnDaRyStRiNg"

    body = encode_multipart(boundary, {**EVENT, "image": upload})
    response = as_author.generic("POST", f"{API}/events", body, f"multipart/form-data; boundary={boundary}")

    assert response.status_code == 201, response.content
    assert response.json()["image"]["width"] == 40


@pytest.mark.parametrize(
    "found",
    [
        answer(b"<svg xmlns='http://www.w3.org/2000/svg'/>", headers="Content-Type: image/png\r\n"),
        answer(bomb(50_000, 50_000)),
        answer(b"", status="404 Not Found"),
        answer(quartered("JPEG")[:-500]),
    ],
    ids=["svg", "bomb", "missing", "damaged"],
)
def test_picture_that_cannot_be_kept_is_refused_and_nothing_is_saved(as_author, serve, media, found):
    serve(found)

    response = as_author.post(f"{API}/events", {**EVENT, "image": PICTURE})

    assert response.status_code == 400
    assert list(response.json()["data"]["params"]) == ["image"]
    assert not Event.objects.exists()
    assert not Image.objects.exists()
    assert files(media) == []


def test_picture_at_an_inner_address_is_refused(as_author):
    response = as_author.post(f"{API}/events", {**EVENT, "image": "http://127.0.0.1:1/a.png"})

    assert response.status_code == 400
    assert response.json()["data"]["params"] == {"image": "This address is not on the public internet."}


def test_nothing_is_fetched_for_who_may_not_upload(as_contributor, serve):
    server = serve(answer(drawn()))

    response = as_contributor.post(f"{API}/events", {**EVENT, "image": PICTURE})

    assert response.status_code == 403
    assert response.json()["code"] == "rest_forbidden"
    assert server.requests == []
    assert not Event.objects.exists()


def test_nothing_is_fetched_for_a_stranger_or_for_the_record_of_another(client, as_author, serve):
    server = serve(answer(drawn()))
    event = EventFactory()

    assert client.post(f"{API}/events", {**EVENT, "image": PICTURE}, "application/json").status_code == 401
    assert as_author.patch(f"{API}/events/{event.pk}", {"image": PICTURE}).status_code == 403
    assert as_author.patch(f"{API}/events/9999", {"image": PICTURE}).status_code == 404
    assert server.requests == []


def test_contributor_may_use_an_image_of_the_library(as_contributor, image):
    assert as_contributor.post(f"{API}/events", {**EVENT, "image": image.pk}).json()["image"]["id"] == image.pk


def test_files_go_where_the_write_comes_to_nothing(as_author, serve, media):
    serve(answer(quartered()))

    # The term may not be made by an author, which shows only after the image was kept.
    response = as_author.post(f"{API}/events", {**EVENT, "image": PICTURE, "tags": ["new"]})

    assert response.status_code == 403
    assert not Image.objects.exists()
    assert files(media) == []


def test_image_in_use_cannot_be_deleted_and_another_goes_with_its_files(
    image, media, django_capture_on_commit_callbacks
):
    event = EventFactory(image=image)
    with pytest.raises(ProtectedError):
        delete_image(image, user=None)
    assert len(files(media)) == 5

    event.image = None
    event.save()
    with django_capture_on_commit_callbacks(execute=True):
        delete_image(image, user=None)
    assert files(media) == []


def test_new_focal_point_gives_its_cut_a_new_address(image, media, django_capture_on_commit_callbacks):
    before = image.renditions

    with django_capture_on_commit_callbacks(execute=True):
        save_image(image, {"focus_x": 0.9, "alt": "Blue"}, user=None)

    image.refresh_from_db()
    assert [name for name in before if image.renditions[name] != before[name]] == ["thumbnail"]
    assert image.renditions["thumbnail"] == {**before["thumbnail"], "file": ANY, "filesize": ANY}
    assert image.renditions["thumbnail"]["file"] != before["thumbnail"]["file"]
    assert image.renditions.keys() == before.keys()
    assert all(default_storage.exists(size["file"]) for size in image.renditions.values())
    assert len(files(media)) == 5


@pytest.mark.parametrize("count", [1, 3])
def test_images_of_a_list_cost_one_query(client, editor, count, django_assert_num_queries):
    images = [keep_image(prepare_image(drawn(size=(10 + n, 10)), "a.png"), editor) for n in range(3 * count)]
    for number in range(count):
        venue = VenueFactory(image=images[3 * number])
        organizer = OrganizerFactory(image=images[3 * number + 1])
        EventFactory(image=images[3 * number + 2], venues=[venue], organizers=[organizer])

    with django_assert_num_queries(10):
        events = client.get(f"{API}/events").json()["events"]
    with django_assert_num_queries(4):
        venues = client.get(f"{API}/venues").json()["venues"]

    assert [event["image"]["width"] for event in events] == [12 + 3 * n for n in range(count)]
    assert all(event["venue"]["image"] and event["organizer"][0]["image"] for event in events)
    assert all(venue["image"] for venue in venues)
