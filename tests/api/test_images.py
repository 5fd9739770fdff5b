"""Images of records, as clients send and read them."""

from unittest.mock import ANY, patch

import pytest
from django.core.files.storage import FileSystemStorage, default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.db.models import ProtectedError
from django.test.client import encode_multipart
from django.utils import timezone

from calendar_site.media.library import delete_image, prepare_image, save_image, store_image
from calendar_site.media.models import Image
from calendar_site.tasks.models import BackgroundTask
from events.models import Event
from tests.factories import EventFactory, OrganizerFactory, VenueFactory
from tests.support.api_client import API
from tests.support.background_tasks import run_worker
from tests.support.image_files import decompression_bomb, plain_image, red_blue_image
from tests.support.remote_server import http_response

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("media_folder")]

EVENT = {"title": "Open air", "start_date": "2030-05-04 18:00", "end_date": "2030-05-04 20:00"}
PICTURE = "http://pictures.example/summer%20night.png"


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
        "filesize": len(red_blue_image()),
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

    for path, size in ((answered["url"], answered), *((s["url"], s) for s in answered["sizes"].values())):
        response = client.get(path.removeprefix("http://testserver"))
        assert len(response.getvalue()) == size["filesize"]
        assert response.headers["Content-Type"] == "image/png"
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert response.headers["Content-Security-Policy"] == "default-src 'none'; sandbox"
        assert response.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        # Pages of other sites may show the image, and their scripts read it.
        assert response.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
        assert response.headers["Access-Control-Allow-Origin"] == "*"
        assert "Access-Control-Allow-Credentials" not in response.headers


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
def test_nothing_but_images_is_given_out(client, media_folder, name):
    (media_folder / "calendar.sqlite3").write_text("secret")

    assert client.get(f"/media/{name}").status_code == 404


def test_event_takes_an_image_of_the_library_in_every_spelling(author_api, image):
    for value in (image.pk, str(image.pk), {"id": image.pk, "url": "ignored"}):
        response = author_api.post(f"{API}/events", {**EVENT, "image": value})
        assert response.status_code == 201, response.content
        assert response.json()["image"]["id"] == image.pk


def test_answer_sent_back_keeps_the_image(editor_api, image):
    event = EventFactory(image=image)
    answered = editor_api.get(f"{API}/events/{event.pk}").json()

    response = editor_api.put(f"{API}/events/{event.pk}", answered)

    assert response.json()["image"] == answered["image"]
    assert "X-Ignored-Fields" not in response.headers


@pytest.mark.parametrize("empty", ["", None, False, 0, "0"])
def test_image_is_taken_off(editor_api, image, empty):
    event = EventFactory(image=image)

    response = editor_api.patch(f"{API}/events/{event.pk}", {"image": empty})

    assert response.json()["image"] is False
    assert Image.objects.filter(pk=image.pk).exists()


def test_image_that_is_not_named_stays(editor_api, image):
    event = EventFactory(image=image)

    assert editor_api.patch(f"{API}/events/{event.pk}", {"title": "New"}).json()["image"]["id"] == image.pk


@pytest.mark.parametrize("value", [99, -1, "99", True, ["a"], {"url": "x"}, "ftp://pictures.example/a.png", "a.png"])
def test_what_is_no_image_is_refused(editor_api, serve_remotely, value):
    serve_remotely(http_response(plain_image()))

    response = editor_api.post(f"{API}/events", {**EVENT, "image": value})

    assert response.status_code == 400
    assert list(response.json()["data"]["params"]) == ["image"]
    assert not Event.objects.exists()


def test_image_is_fetched_from_its_address(author_api, author, serve_remotely, media_folder):
    serve_remotely(http_response(red_blue_image()))

    response = author_api.post(f"{API}/events", {**EVENT, "image": PICTURE})

    assert response.status_code == 201, response.content
    image = Image.objects.get()
    assert response.json()["image"]["id"] == image.pk
    assert (image.name, image.source, image.author, image.width) == ("summer night", PICTURE, author, 2000)
    assert len(files(media_folder)) == 5


def test_same_bytes_are_stored_once(author_api, serve_remotely, media_folder):
    serve_remotely(http_response(red_blue_image()), http_response(red_blue_image()))

    first = author_api.post(f"{API}/events", {**EVENT, "image": PICTURE}).json()
    second = author_api.post(f"{API}/venues", {"venue": "Hall", "image": "http://other.example/x.png"}).json()

    assert first["image"] == second["image"]
    assert Image.objects.count() == 1
    assert len(files(media_folder)) == 5


def test_image_of_a_venue_that_comes_with_its_event_is_fetched(editor_api, serve_remotely):
    serve_remotely(http_response(plain_image()))

    response = editor_api.post(f"{API}/events", {**EVENT, "venue": {"venue": "Hall", "image": PICTURE}})

    assert response.json()["venue"]["image"]["width"] == 40


def test_image_is_uploaded_with_a_form(author_api):
    upload = SimpleUploadedFile("Summer night.png", plain_image(), "image/png")
    boundary = "BoUnDaRyStRiNg"

    body = encode_multipart(boundary, {**EVENT, "image": upload})
    response = author_api.generic("POST", f"{API}/events", body, f"multipart/form-data; boundary={boundary}")

    assert response.status_code == 201, response.content
    assert response.json()["image"]["width"] == 40


@pytest.mark.parametrize(
    "found",
    [
        http_response(b"<svg xmlns='http://www.w3.org/2000/svg'/>", headers="Content-Type: image/png\r\n"),
        http_response(decompression_bomb(50_000, 50_000)),
        http_response(b"", status="404 Not Found"),
        http_response(red_blue_image("JPEG")[:-500]),
    ],
    ids=["svg", "bomb", "missing", "damaged"],
)
def test_picture_that_cannot_be_kept_is_refused_and_nothing_is_saved(author_api, serve_remotely, media_folder, found):
    serve_remotely(found)

    response = author_api.post(f"{API}/events", {**EVENT, "image": PICTURE})

    assert response.status_code == 400
    assert list(response.json()["data"]["params"]) == ["image"]
    assert not Event.objects.exists()
    assert not Image.objects.exists()
    assert files(media_folder) == []


def test_picture_at_an_inner_address_is_refused(author_api):
    response = author_api.post(f"{API}/events", {**EVENT, "image": "http://127.0.0.1/a.png"})

    assert response.status_code == 400
    assert response.json()["data"]["params"] == {"image": "The URL does not point to the public internet."}


def test_nothing_is_fetched_while_another_argument_is_invalid(author_api, serve_remotely):
    server = serve_remotely(http_response(plain_image()))

    response = author_api.post(f"{API}/events", {**EVENT, "image": PICTURE, "website": "none"})

    assert list(response.json()["data"]["params"]) == ["website"]
    assert server.requests == []


def test_images_that_cannot_be_fetched_are_all_named(author_api, serve_remotely):
    serve_remotely(http_response(b"", status="404 Not Found"), http_response(b"no image"))

    response = author_api.post(
        f"{API}/events", {**EVENT, "image": PICTURE, "venue": {"venue": "Hall", "image": "http://other.example/x.png"}}
    )

    assert response.status_code == 400
    errors = response.json()["data"]["params"]
    assert list(errors) == ["image", "venue", "venue.image"]
    assert errors["venue"] == f"venue.image: {errors['venue.image']}"
    assert not Event.objects.exists()


# --- URLs of images of this service


def urls_of(client, image, prefix=""):
    """Return the URLs of the original and of all renditions, as a response contains them."""
    event = EventFactory(image=image)
    record = client.get(f"{prefix}{API}/events/{event.pk}").json()["image"]
    return [record["url"], *(size["url"] for size in record["sizes"].values())]


@pytest.mark.parametrize("public_url", ["", "https://calendar.example.org/whats-on"])
@pytest.mark.parametrize("prefix", ["", "/de"])
def test_url_of_an_own_image_links_it_and_fetches_nothing(
    contributor_api, image, serve_remotely, settings, public_url, prefix
):
    settings.PUBLIC_URL = public_url
    server = serve_remotely(http_response(plain_image()))
    urls = urls_of(contributor_api, image, prefix)
    first = urls[0]
    urls += [first.replace("http://", "https://"), f"{first}?v=1#top", f" {first} ", first.replace("-", "%2D")]

    records = [contributor_api.post(f"{prefix}{API}/events", {**EVENT, "image": url}).json() for url in urls]

    assert len(urls) == 9
    assert [record["image"]["id"] for record in records] == [image.pk] * 9
    assert Image.objects.count() == 1
    assert server.requests == []


def test_url_of_an_own_image_may_be_in_a_form_and_in_a_new_venue(author_api, editor_api, image, serve_remotely):
    server = serve_remotely(http_response(plain_image()))
    url = urls_of(author_api, image)[1]

    form = author_api.post(f"{API}/venues", f"venue=Hall&image={url}", content_type="application/x-www-form-urlencoded")
    nested = editor_api.post(f"{API}/events", {**EVENT, "venue": {"venue": "Barn", "image": url}})

    assert form.json()["image"]["id"] == nested.json()["venue"]["image"]["id"] == image.pk
    assert server.requests == []


def test_own_images_are_not_limited_by_request(editor_api, image):
    url = urls_of(editor_api, image)[0]
    organizers = [{"organizer": f"Club {number}", "image": f"{url}?{number}"} for number in range(5)]

    record = editor_api.post(f"{API}/events", {**EVENT, "organizer": organizers}).json()

    assert [organizer["image"]["id"] for organizer in record["organizer"]] == [image.pk] * 5


def test_urls_of_images_at_an_object_store_are_own_urls(author_api, image, serve_remotely, settings):
    settings.MEDIA_URL = "https://store.example.org/calendar/"
    server = serve_remotely(http_response(plain_image()))
    url = urls_of(author_api, image)[0]

    record = author_api.post(f"{API}/events", {**EVENT, "image": url}).json()

    assert url == f"https://store.example.org/calendar/{image.file.name}"
    assert record["image"]["id"] == image.pk
    assert server.requests == []


@pytest.mark.parametrize(
    "name", ["images/aa/none.png", "", "../settings.py", "a%00b", "%FF", "images/{first}/{file}.svg"]
)
def test_url_of_an_own_file_that_is_no_image_is_refused_and_not_fetched(author_api, image, serve_remotely, name):
    server = serve_remotely(http_response(plain_image()))

    response = author_api.post(f"{API}/events", {**EVENT, "image": f"http://testserver/media/{name}"})

    assert response.json()["data"]["params"] == {"image": "There is no image with this URL."}
    assert server.requests == []
    assert not Event.objects.exists()


@pytest.mark.parametrize(
    "url",
    [
        "http://else.example.org/media/{name}",
        "http://testserver:8000/media/{name}",
        "http://testserver/other/{name}",
        "http://testserver.example.org/media/{name}",
    ],
)
def test_url_of_another_host_or_path_is_fetched(author_api, image, serve_remotely, settings, url):
    settings.HTTP_CLIENT_PORTS = [80, 8000]
    server = serve_remotely(http_response(plain_image()))

    record = author_api.post(f"{API}/events", {**EVENT, "image": url.format(name=image.file.name)}).json()

    assert record["image"]["id"] != image.pk
    assert len(server.requests) == 1


def test_stranger_cannot_find_images_by_url(client, subscriber_api, image):
    body = {**EVENT, "image": f"http://testserver/media/{image.file.name}"}

    assert client.post(f"{API}/events", body, content_type="application/json").status_code == 401
    assert subscriber_api.post(f"{API}/events", body).status_code == 403


def test_image_that_is_named_twice_is_fetched_once(editor_api, serve_remotely):
    server = serve_remotely(http_response(plain_image()))

    response = editor_api.post(
        f"{API}/events", {**EVENT, "image": PICTURE, "venue": {"venue": "Hall", "image": PICTURE}}
    )

    assert response.json()["image"] == response.json()["venue"]["image"]
    assert len(server.requests) == 1


def test_contributors_upload_in_the_admin_only(contributor_api):
    upload = SimpleUploadedFile("Summer night.png", plain_image(), "image/png")
    body = encode_multipart("BoUnDaRy", {**EVENT, "image": upload})

    response = contributor_api.generic("POST", f"{API}/events", body, "multipart/form-data; boundary=BoUnDaRy")

    assert (response.status_code, Image.objects.count()) == (403, 0)


def test_nothing_is_fetched_for_who_may_not_upload(contributor_api, serve_remotely):
    server = serve_remotely(http_response(plain_image()))

    response = contributor_api.post(f"{API}/events", {**EVENT, "image": PICTURE})

    assert response.status_code == 403
    assert response.json()["code"] == "rest_forbidden"
    assert server.requests == []
    assert not Event.objects.exists()


def test_nothing_is_fetched_for_a_stranger_or_for_the_record_of_another(client, author_api, serve_remotely):
    server = serve_remotely(http_response(plain_image()))
    event = EventFactory()

    assert client.post(f"{API}/events", {**EVENT, "image": PICTURE}, "application/json").status_code == 401
    assert author_api.patch(f"{API}/events/{event.pk}", {"image": PICTURE}).status_code == 403
    assert author_api.patch(f"{API}/events/9999", {"image": PICTURE}).status_code == 404
    assert server.requests == []


def test_contributor_may_use_an_image_of_the_library(contributor_api, image):
    assert contributor_api.post(f"{API}/events", {**EVENT, "image": image.pk}).json()["image"]["id"] == image.pk


def test_files_go_where_the_write_comes_to_nothing(author_api, serve_remotely, media_folder):
    serve_remotely(http_response(red_blue_image()))

    # The term may not be made by an author, which shows only after the image was kept.
    response = author_api.post(f"{API}/events", {**EVENT, "image": PICTURE, "tags": ["new"]})

    assert response.status_code == 403
    assert not Image.objects.exists()
    assert files(media_folder) == []


def test_image_in_use_cannot_be_deleted_and_another_goes_with_its_files(image, media_folder):
    event = EventFactory(image=image)
    with pytest.raises(ProtectedError):
        delete_image(image, user=None)
    assert len(files(media_folder)) == 5

    event.image = None
    event.save()
    delete_image(image, user=None)
    run_worker()
    assert files(media_folder) == []


def test_files_stay_if_the_deletion_of_their_image_is_rolled_back(image, media_folder):
    with transaction.atomic():
        delete_image(image, user=None)
        transaction.set_rollback(True)
    run_worker()

    assert len(files(media_folder)) == 5


def test_files_are_deleted_in_the_end_if_the_store_fails_at_first(image, media_folder):
    delete_image(image, user=None)
    with patch.object(FileSystemStorage, "delete", side_effect=OSError("The store does not answer.")):
        run_worker()
    assert len(files(media_folder)) == 5

    BackgroundTask.objects.update(run_after=timezone.now())
    run_worker()
    assert files(media_folder) == []


def test_new_focal_point_gives_its_cut_a_new_address(image, media_folder):
    before = image.renditions

    save_image(image, changes={"focus_x": 0.9, "alt": "Blue"}, user=None)
    run_worker()

    image.refresh_from_db()
    assert [name for name in before if image.renditions[name] != before[name]] == ["thumbnail"]
    assert image.renditions["thumbnail"] == {**before["thumbnail"], "file": ANY, "filesize": ANY}
    assert image.renditions["thumbnail"]["file"] != before["thumbnail"]["file"]
    assert image.renditions.keys() == before.keys()
    assert all(default_storage.exists(size["file"]) for size in image.renditions.values())
    assert len(files(media_folder)) == 5


@pytest.mark.parametrize("count", [1, 3])
def test_images_of_a_list_cost_one_query(client, editor, count, django_assert_num_queries):
    images = [
        store_image(prepare_image(plain_image(size=(10 + n, 10)), "a.png"), user=editor) for n in range(3 * count)
    ]
    for number in range(count):
        venue = VenueFactory(image=images[3 * number])
        organizer = OrganizerFactory(image=images[3 * number + 1])
        EventFactory(image=images[3 * number + 2], venues=[venue], organizers=[organizer])

    with django_assert_num_queries(9):
        events = client.get(f"{API}/events").json()["events"]
    with django_assert_num_queries(2):
        venues = client.get(f"{API}/venues").json()["venues"]

    assert [event["image"]["width"] for event in events] == [12 + 3 * n for n in range(count)]
    assert all(event["venue"]["image"] and event["organizer"][0]["image"] for event in events)
    assert all(venue["image"] for venue in venues)
