"""`wp/v2`: accounts, images, terms, records and descriptions of the site."""

import hashlib
from datetime import UTC, datetime

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from calendar_site.media.models import Image
from taxonomy.models import Category, Tag
from tests.factories import (
    CategoryFactory,
    EventFactory,
    ImageFactory,
    OrganizerFactory,
    TagFactory,
    UserFactory,
    VenueFactory,
)
from tests.support.api_client import api_client_for, invalid_params
from tests.support.api_writes import error_of
from tests.support.image_files import red_blue_image

WP = "/wp-json/wp/v2"
URL = f"http://testserver{WP}"


def ids_of(response) -> list[int]:
    assert response.status_code == 200, response.content
    assert response["X-WP-Total"]
    return [record["id"] for record in response.json()]


# --- Accounts


def test_own_account(db):
    user = UserFactory(role="author", username="mia", first_name="Mia", last_name="Berg", email="mia@example.org")

    record = api_client_for(user).get(f"{WP}/users/me").json()

    assert record == {
        "id": user.pk,
        "name": "Mia Berg",
        "url": "",
        "description": "",
        "link": f"http://testserver/?author={user.pk}",
        "slug": f"user-{user.pk}",
        "avatar_urls": dict.fromkeys(("24", "48", "96"), "http://testserver/favicon.ico"),
        "meta": {},
        "_links": {
            "self": [{"href": f"{URL}/users/{user.pk}"}],
            "collection": [{"href": f"{URL}/users"}],
        },
    }


OWN = {"edit_tribe_{}", "delete_tribe_{}"}
PUBLISHED = OWN | {"publish_tribe_{}", "edit_published_tribe_{}", "delete_published_tribe_{}"}
OTHERS = PUBLISHED | {
    "edit_others_tribe_{}",
    "delete_others_tribe_{}",
    "edit_private_tribe_{}",
    "delete_private_tribe_{}",
    "read_private_tribe_{}",
}
EDITOR = {"read", "upload_files", "edit_posts", "publish_posts", "edit_others_posts", "manage_categories"}


@pytest.mark.parametrize(
    ("role", "per_kind", "others"),
    [
        ("administrator", OTHERS, EDITOR | {"manage_options", "list_users"}),
        ("editor", OTHERS, EDITOR),
        ("author", PUBLISHED, {"read", "upload_files", "edit_posts", "publish_posts"}),
        ("contributor", OWN, {"read", "edit_posts"}),
        ("subscriber", set(), {"read"}),
    ],
)
def test_capabilities(db, role, per_kind, others):
    record = api_client_for(UserFactory(role=role)).get(f"{WP}/users/me?context=edit").json()

    kinds = ("events", "venues", "organizers")
    expected = others | {name.format(kind) for name in per_kind for kind in kinds}
    assert record["capabilities"] == dict.fromkeys(expected, True)
    assert record["roles"] == [role]


def test_account_without_credentials(anonymous):
    assert error_of(anonymous.get(f"{WP}/users/me")) == (401, "rest_not_logged_in")


def test_accounts_of_others(anonymous, db):
    writer, reader = UserFactory(role="author", username="secret-name"), UserFactory(role="subscriber")
    EventFactory(author=writer)
    EventFactory(author=reader, status="draft")
    administrator, subscriber = map(api_client_for, (UserFactory(role="administrator"), reader))

    assert ids_of(anonymous.get(f"{WP}/users")) == [writer.pk]
    assert b"secret-name" not in anonymous.get(f"{WP}/users").content
    assert anonymous.get(f"{WP}/users/{writer.pk}").json()["name"] == f"#{writer.pk}"
    assert error_of(anonymous.get(f"{WP}/users/{reader.pk}")) == (401, "rest_user_cannot_view")
    assert error_of(api_client_for(writer).get(f"{WP}/users/{reader.pk}")) == (403, "rest_user_cannot_view")
    assert subscriber.get(f"{WP}/users/{reader.pk}").status_code == 200
    assert {writer.pk, reader.pk} < set(ids_of(administrator.get(f"{WP}/users")))
    assert administrator.get(f"{WP}/users/{reader.pk}?context=edit").json()["roles"] == ["subscriber"]
    assert error_of(administrator.get(f"{WP}/users/999999")) == (404, "rest_user_invalid_id")


def test_search_of_accounts_is_by_name_not_by_username(anonymous):
    mia = UserFactory(first_name="Mia", last_name="Berg", username="secret-name")
    EventFactory(author=mia)
    EventFactory(author=UserFactory(first_name="Tom"))

    assert ids_of(anonymous.get(f"{WP}/users?search=mia berg")) == [mia.pk]
    assert ids_of(anonymous.get(f"{WP}/users?search=secret-name")) == []
    assert ids_of(anonymous.get(f"{WP}/users?slug=user-{mia.pk},mia,user-x")) == [mia.pk]
    assert ids_of(anonymous.get(f"{WP}/users?include={mia.pk}&orderby=include&per_page=1")) == [mia.pk]


def test_private_keys_are_for_the_account_and_administrators(anonymous, author_api, db):
    writer = UserFactory(role="author")
    EventFactory(author=writer)

    assert error_of(anonymous.get(f"{WP}/users/{writer.pk}?context=edit")) == (401, "rest_forbidden_context")
    assert error_of(author_api.get(f"{WP}/users/{writer.pk}?context=edit")) == (403, "rest_forbidden_context")
    assert error_of(author_api.get(f"{WP}/users?context=edit")) == (403, "rest_forbidden_context")


def test_protected_events_make_nobody_known_but_published_ones_do(anonymous, db):
    EventFactory(author=UserFactory(id=5000), status="private")

    assert ids_of(anonymous.get(f"{WP}/users")) == []


def test_unknown_context(author_api):
    assert list(invalid_params(author_api.get(f"{WP}/users/me?context=bogus"))) == ["context"]


# --- Images


@pytest.fixture
def red_blue_picture():
    return red_blue_image()


def upload(client, content, name="poster.png", query="", **headers):
    given = {"Content-Disposition": f"attachment; filename={name}"} if name else {}
    return client.generic("POST", f"{WP}/media{query}", content, content_type="image/png", headers={**given, **headers})


def test_upload_of_a_raw_body(author, author_api, media_folder, red_blue_picture):
    response = upload(author_api, red_blue_picture, '"Große Bühne.png"')

    record, image = response.json(), Image.objects.get()
    assert (response.status_code, response["Location"]) == (201, f"{URL}/media/{image.pk}")
    source = f"http://testserver/media/{image.file}"
    assert {name: record[name] for name in record if name not in ("date", "date_gmt", "modified", "modified_gmt")} == {
        "id": image.pk,
        "guid": {"rendered": source},
        "slug": "grosse-buhne",
        "status": "inherit",
        "type": "attachment",
        "link": f"http://testserver/?attachment_id={image.pk}",
        "title": {"raw": "Große Bühne", "rendered": "Große Bühne"},
        "author": author.pk,
        "featured_media": 0,
        "template": "",
        "meta": [],
        "description": {"raw": "", "rendered": ""},
        "caption": {"raw": "", "rendered": ""},
        "alt_text": "",
        "media_type": "image",
        "mime_type": "image/png",
        "media_details": {
            "width": image.width,
            "height": image.height,
            "file": str(image.file),
            "filesize": image.filesize,
            "sizes": record["media_details"]["sizes"],
        },
        "post": None,
        "source_url": source,
        "_links": record["_links"],
    }


def test_upload_of_a_form_with_texts(author_api, media_folder, red_blue_picture):
    data = {
        "file": SimpleUploadedFile("poster.png", red_blue_picture, "image/png"),
        "title": "Poster &amp; more",
        "alt_text": "A red wall",
        "caption": "Photo: Mia",
    }

    response = author_api.generic("POST", f"{WP}/media", encode_multipart(BOUNDARY, data), MULTIPART_CONTENT)

    assert response.status_code == 201, response.content
    record = response.json()
    assert (record["title"], record["alt_text"]) == (
        {"raw": "Poster & more", "rendered": "Poster &amp; more"},
        "A red wall",
    )
    assert record["caption"] == {"raw": "Photo: Mia", "rendered": "Photo: Mia"}


@pytest.mark.parametrize(
    ("content", "headers", "error"),
    [
        (b"", {"Content-Disposition": "attachment; filename=a.png"}, (400, "rest_upload_no_data")),
        (b"x", {}, (400, "rest_upload_no_content_disposition")),
        (b"x", {"Content-Disposition": "attachment"}, (400, "rest_upload_invalid_disposition")),
        (b"x", {"Content-Disposition": "attachment; filename=a.png"}, (400, "rest_upload_sideload_error")),
        (
            b"x",
            {"Content-Disposition": "attachment; filename=a.png", "Content-MD5": "0" * 32},
            (412, "rest_upload_hash_mismatch"),
        ),
    ],
)
def test_refused_uploads(author_api, content, headers, error):
    assert error_of(upload(author_api, content, "", **headers)) == error
    assert not Image.objects.exists()


def test_digest_of_the_file_is_accepted(author_api, media_folder, red_blue_picture):
    digest = hashlib.md5(red_blue_picture, usedforsecurity=False).hexdigest()

    assert upload(author_api, red_blue_picture, **{"Content-MD5": digest.upper()}).status_code == 201


def test_form_without_a_file(author_api):
    form = encode_multipart(BOUNDARY, {"title": "x"})

    response = author_api.generic("POST", f"{WP}/media", form, MULTIPART_CONTENT)

    assert error_of(response) == (400, "rest_upload_no_data")


def test_who_may_upload(anonymous, contributor_api, subscriber_api, red_blue_picture):
    assert error_of(upload(anonymous, red_blue_picture)) == (401, "rest_cannot_create")
    assert error_of(upload(contributor_api, red_blue_picture)) == (403, "rest_cannot_create")
    # The permission comes before what is wrong with the request.
    assert error_of(upload(subscriber_api, b"", "")) == (403, "rest_cannot_create")
    assert not Image.objects.exists()


def test_same_image_again_keeps_the_texts_of_somebody_else(author_api, media_folder, red_blue_picture):
    first = upload(author_api, red_blue_picture, query="?title=First").json()
    other = api_client_for(UserFactory(role="author"))

    second = upload(other, red_blue_picture, query="?title=Second")
    third = upload(author_api, red_blue_picture, query="?title=Third").json()

    assert (second.status_code, second.json()["id"], second.json()["title"]["raw"]) == (201, first["id"], "First")
    assert (third["id"], third["title"]["raw"]) == (first["id"], "Third")


def test_texts_that_are_not_stored_are_reported(author_api, media_folder, red_blue_picture):
    response = upload(author_api, red_blue_picture, query="?description=x&slug=y")

    assert response["X-Ignored-Fields"] == "description, slug"


@pytest.mark.parametrize("method", ["post", "put", "patch"])
def test_texts_can_be_changed(author, author_api, method):
    image = ImageFactory(name="Old", alt="Red", author=author)

    record = getattr(author_api, method)(f"{WP}/media/{image.pk}", {"title": {"raw": "New"}, "caption": "Me"}).json()

    assert (record["title"]["raw"], record["caption"]["raw"], record["alt_text"]) == ("New", "Me", "Red")


def test_invalid_texts_name_the_arguments_of_the_client(author, author_api):
    image = ImageFactory(author=author)

    assert list(invalid_params(author_api.put(f"{WP}/media/{image.pk}", {"alt_text": "a" * 501}))) == ["alt_text"]
    assert list(invalid_params(author_api.put(f"{WP}/media/{image.pk}", {"title": 5}))) == ["title"]


def test_images_of_others_cannot_be_changed_or_deleted(anonymous, author_api, subscriber_api, editor_api):
    image = ImageFactory()
    url = f"{WP}/media/{image.pk}"

    for client, status in ((anonymous, 401), (subscriber_api, 403), (author_api, 403)):
        assert error_of(client.put(url, {"title": "x"})) == (status, "rest_cannot_edit")
        assert error_of(client.delete(f"{url}?force=true")) == (status, "rest_cannot_delete")
    assert editor_api.put(url, {"title": "x"}).status_code == 200
    assert error_of(editor_api.put(f"{WP}/media/999999", {})) == (404, "rest_post_invalid_id")


def test_delete_of_an_image_has_to_be_confirmed(editor_api, media_folder):
    image = ImageFactory(name="Poster")
    url = f"{WP}/media/{image.pk}"

    assert error_of_501(editor_api.delete(url)) == "rest_trash_not_supported"
    assert list(invalid_params(editor_api.delete(f"{url}?force=perhaps"))) == ["force"]
    deleted = editor_api.delete(f"{url}?force=true").json()

    assert (deleted["deleted"], deleted["previous"]["title"]["raw"]) == (True, "Poster")
    assert not Image.objects.exists()


def error_of_501(response) -> str:
    assert response.status_code == 501
    return response.json()["code"]


def test_image_in_use_is_not_deleted(editor_api):
    image = ImageFactory()
    EventFactory(image=image)

    assert error_of(editor_api.delete(f"{WP}/media/{image.pk}?force=true")) == (409, "rest_cannot_delete")
    assert Image.objects.exists()


def test_images_are_shown_with_what_one_may_read(anonymous, author_api, author, editor_api):
    used, unused, in_draft, hidden, own = (ImageFactory() for _number in range(5))
    Image.objects.filter(pk=own.pk).update(author=author)
    EventFactory(image=used)
    EventFactory(image=in_draft, status="draft")
    EventFactory(image=hidden, password="secret")

    assert ids_of(anonymous.get(f"{WP}/media")) == [used.pk]
    assert ids_of(author_api.get(f"{WP}/media")) == [own.pk, used.pk]
    assert set(ids_of(editor_api.get(f"{WP}/media"))) == {used.pk, unused.pk, in_draft.pk, hidden.pk, own.pk}
    for image in (unused, in_draft, hidden):
        assert error_of(anonymous.get(f"{WP}/media/{image.pk}")) == (404, "rest_post_invalid_id")
        assert error_of(author_api.get(f"{WP}/media/{image.pk}")) == (404, "rest_post_invalid_id")
    assert anonymous.get(f"{WP}/media/{used.pk}").json()["title"] == {"rendered": used.name}
    assert error_of(anonymous.get(f"{WP}/media/{used.pk}?context=edit")) == (401, "rest_forbidden_context")


def test_filters_of_images(editor_api):
    red, blue = ImageFactory(name="Red wall"), ImageFactory(name="Blue wall")

    def found(query: str) -> list[int]:
        return ids_of(editor_api.get(f"{WP}/media?{query}"))

    assert found("search=red") == [red.pk]
    assert found(f"include={blue.pk},{red.pk}&orderby=include") == [blue.pk, red.pk]
    assert found(f"exclude={blue.pk}") == [red.pk]
    assert found("slug=red-wall,nobody") == [red.pk]
    assert found("media_type=video") == []
    assert found("mime_type=image/gif") == []
    assert found("orderby=title&order=asc") == [blue.pk, red.pk]
    assert found("after=2000-01-01&orderby=id&order=asc") == [red.pk, blue.pk]
    assert found("before=2000-01-01") == []


# --- Terms


def test_list_of_terms(anonymous):
    parent = CategoryFactory(name="Music")
    child = CategoryFactory(name="Jazz", parent=parent)
    EventFactory(categories=[child])

    listed = anonymous.get(f"{WP}/tribe_events_cat")

    assert [record["name"] for record in listed.json()] == ["Jazz", "Music"]
    jazz = listed.json()[0]
    assert {name: jazz[name] for name in jazz if name != "_links"} == {
        "id": child.pk,
        "count": 1,
        "description": "",
        "link": "http://testserver/events/category/jazz/",
        "name": "Jazz",
        "slug": "jazz",
        "taxonomy": "tribe_events_cat",
        "parent": parent.pk,
        "meta": [],
    }
    assert jazz["_links"]["self"] == [{"href": f"{URL}/tribe_events_cat/{child.pk}", "targetHints": {"allow": ["GET"]}}]
    assert ids_of(anonymous.get(f"{WP}/tribe_events_cat?hide_empty=true")) == [child.pk]
    assert ids_of(anonymous.get(f"{WP}/tribe_events_cat?parent={parent.pk}")) == [child.pk]
    assert ids_of(anonymous.get(f"{WP}/tribe_events_cat?slug=music,nobody")) == [parent.pk]
    assert ids_of(anonymous.get(f"{WP}/tribe_events_cat?include=999")) == []


def test_pages_of_terms(anonymous):
    TagFactory.create_batch(3)

    first, last = anonymous.get(f"{WP}/tags?per_page=2"), anonymous.get(f"{WP}/tags?per_page=2&page=2")

    assert (first["X-WP-Total"], first["X-WP-TotalPages"]) == ("3", "2")
    assert first["Link"].startswith(f'<{URL}/tags?per_page=2&page=2>; rel="next", ')
    assert last["Link"].startswith(f'<{URL}/tags?per_page=2&page=1>; rel="prev", ')
    assert ids_of(anonymous.get(f"{WP}/tags?page=9")) == []
    assert list(invalid_params(anonymous.get(f"{WP}/tags?per_page=101"))) == ["per_page"]


def test_writes_of_terms(editor_api):
    created = editor_api.post(f"{WP}/tags", {"name": "R&amp;B", "description": "Music"})
    pk = created.json()["id"]

    assert (created.status_code, created["Location"]) == (201, f"{URL}/tags/{pk}")
    assert (created.json()["name"], created.json()["_links"]["self"][0]["href"]) == ("R&B", f"{URL}/tags/{pk}")
    assert editor_api.patch(f"{WP}/tags/{pk}", {"name": "Soul"}).json()["name"] == "Soul"
    assert error_of_501(editor_api.delete(f"{WP}/tags/{pk}")) == "rest_trash_not_supported"
    deleted = editor_api.delete(f"{WP}/tags/{pk}?force=true").json()
    assert (deleted["deleted"], deleted["previous"]["name"]) == (True, "Soul")
    assert not Tag.objects.exists()


def test_wrong_writes_of_terms(editor_api):
    known = TagFactory(name="Known")

    taken = editor_api.post(f"{WP}/tags", {"name": "KNOWN"})
    assert (error_of(taken), taken.json()["data"]["term_id"]) == ((400, "term_exists"), known.pk)
    assert error_of(editor_api.post(f"{WP}/tags")) == (400, "rest_missing_callback_param")
    lost = editor_api.post(f"{WP}/tribe_events_cat", {"name": "Lost", "parent": 999})
    assert error_of(lost) == (400, "rest_term_invalid")
    assert error_of(editor_api.get(f"{WP}/tags/999")) == (404, "rest_term_invalid")
    assert error_of(editor_api.put(f"{WP}/tags/999", {"name": "x"})) == (404, "rest_term_invalid")
    assert not Category.objects.exists()


def test_who_may_write_terms(anonymous, contributor_api, author_api):
    tag = TagFactory()
    url = f"{WP}/tags/{tag.pk}"

    for client, status in ((anonymous, 401), (contributor_api, 403), (author_api, 403)):
        assert error_of(client.post(f"{WP}/tags", {"name": "x"})) == (status, "rest_cannot_create")
        assert error_of(client.put(url, {"name": "x"})) == (status, "rest_cannot_update")
        assert error_of(client.delete(f"{url}?force=true")) == (status, "rest_cannot_delete")
        assert error_of(client.get(f"{url}?context=edit")) == (status, "rest_forbidden_context")
    assert author_api.post(f"{WP}/tribe_events_cat", {"name": "x"}).status_code == 201


# --- Records


def test_event_as_a_post(anonymous, editor_api):
    author = UserFactory(id=88)
    venue, organizer = VenueFactory(title="Hall"), OrganizerFactory(title="Club")
    tag, category = TagFactory(name="Open air"), CategoryFactory(name="Music")
    event = EventFactory(
        title="R & D",
        description="<p>Loud</p>",
        excerpt="Short",
        start="2030-05-04 18:00",
        end="2030-05-04 20:00",
        time_zone="Europe/Rome",
        author=author,
        venues=[venue],
        organizers=[organizer],
        tags=[tag],
        categories=[category],
        image=ImageFactory(id=66),
    )

    post = anonymous.get(f"{WP}/tribe_events/{event.pk}").json()

    dates = ("date", "date_gmt", "modified", "modified_gmt")
    assert all(len(post[name]) == len("2030-05-04T18:00:00") for name in dates)
    assert {name: value for name, value in post.items() if name not in (*dates, "_links")} == {
        "id": event.pk,
        "guid": {"rendered": f"http://testserver/?post_type=tribe_events&p={event.pk}"},
        "slug": "r-d",
        "status": "publish",
        "type": "tribe_events",
        "link": "http://testserver/event/r-d/",
        "title": {"rendered": "R &amp; D"},
        "content": {"rendered": "<p>Loud</p>", "protected": False},
        "excerpt": {"rendered": post["excerpt"]["rendered"], "protected": False},
        "author": 88,
        "featured_media": 66,
        "template": "",
        "tags": [tag.pk],
        "tribe_events_cat": [category.pk],
        "class_list": [
            f"post-{event.pk}",
            "tribe_events",
            "type-tribe_events",
            "status-publish",
            "hentry",
            "tag-open-air",
            "tribe_events_cat-music",
        ],
        "meta": {
            "_EventStartDate": "2030-05-04 18:00:00",
            "_EventEndDate": "2030-05-04 20:00:00",
            "_EventStartDateUTC": "2030-05-04 16:00:00",
            "_EventEndDateUTC": "2030-05-04 18:00:00",
            "_EventTimezone": "Europe/Rome",
            "_EventURL": "",
            "_EventCost": "",
            "_EventAllDay": False,
            "_EventShowMap": False,
            "_EventShowMapLink": False,
            "_EventVenueID": [venue.pk],
            "_EventOrganizerID": [organizer.pk],
        },
    }
    assert post["_links"]["wp:featuredmedia"] == [{"embeddable": True, "href": f"{URL}/media/66"}]
    edited = editor_api.get(f"{WP}/tribe_events/{event.pk}?context=edit").json()
    assert (edited["title"], edited["content"]["raw"]) == ({"raw": "R & D", "rendered": "R &amp; D"}, "<p>Loud</p>")


def test_venues_and_organizers_as_posts(anonymous):
    venue = VenueFactory(title="Hall", city="Lima", website="https://hall.example.org")
    organizer = OrganizerFactory(title="Club", email="c@example.org")

    assert anonymous.get(f"{WP}/tribe_venue/{venue.pk}").json()["meta"] == {
        "_VenueAddress": "",
        "_VenueCity": "Lima",
        "_VenueCountry": "",
        "_VenueProvince": "",
        "_VenueState": "",
        "_VenueStateProvince": "",
        "_VenueZip": "",
        "_VenuePhone": "",
        "_VenueURL": "https://hall.example.org",
    }
    (listed,) = anonymous.get(f"{WP}/tribe_organizer").json()
    assert (listed["id"], listed["meta"]) == (
        organizer.pk,
        {"_OrganizerEmail": "c@example.org", "_OrganizerPhone": "", "_OrganizerWebsite": ""},
    )


def test_list_of_events(anonymous, editor_api):
    tag, parent = TagFactory(), CategoryFactory(name="Music")
    child = CategoryFactory(name="Jazz", parent=parent)
    old = EventFactory(title="Old", published_at=datetime(2025, 1, 1, tzinfo=UTC), tags=[tag])
    new = EventFactory(title="New", published_at=datetime(2025, 1, 2, tzinfo=UTC), categories=[child])
    EventFactory(title="Over", start="2020-01-01 10:00", end="2020-01-01 11:00")
    EventFactory(title="Hidden", hide_from_listings=True)
    draft = EventFactory(title="Draft", status="draft")

    def found(query: str = "", client=anonymous) -> list[int]:
        return ids_of(client.get(f"{WP}/tribe_events?{query}"))

    assert found() == found(client=editor_api) == [new.pk, old.pk]
    assert found("order=asc") == [old.pk, new.pk]
    assert found(f"tags={tag.pk}") == [old.pk]
    assert found(f"tribe_events_cat={parent.pk}") == [new.pk]
    assert found("search=new") == [new.pk]
    assert found("slug=old") == [old.pk]
    assert found("before=2025-01-01T12:00:00") == [old.pk]
    assert found(f"author={old.author_id}") == [old.pk]
    assert found(f"include={old.pk},{new.pk}&orderby=include") == [old.pk, new.pk]
    assert found("status=draft", editor_api) == [draft.pk]
    assert list(invalid_params(anonymous.get(f"{WP}/tribe_events?status=draft"))) == ["status"]
    assert error_of(anonymous.get(f"{WP}/tribe_events?page=9")) == (400, "rest_post_invalid_page_number")


def test_filters_do_not_tell_what_a_password_hides(anonymous, editor_api):
    tag = TagFactory(name="Secret tag")
    event = EventFactory(title="Party", password="secret", description="Champagne", tags=[tag], image=ImageFactory())

    post = anonymous.get(f"{WP}/tribe_events/{event.pk}").json()

    assert post["content"] == {"rendered": "", "protected": True}
    assert (post["tags"], post["class_list"][5:], post["featured_media"]) == ([], [], 0)
    assert post["meta"]["_EventStartDate"]
    assert ids_of(anonymous.get(f"{WP}/tribe_events?tags={tag.pk}")) == []
    assert ids_of(anonymous.get(f"{WP}/tribe_events?search=champagne")) == []
    assert ids_of(anonymous.get(f"{WP}/tribe_events?search=party")) == [event.pk]
    assert ids_of(editor_api.get(f"{WP}/tribe_events?tags={tag.pk}")) == [event.pk]


def test_unreadable_records(anonymous, author_api, subscriber_api):
    event, venue = EventFactory(status="draft"), VenueFactory(status="draft")

    for path in (f"tribe_events/{event.pk}", f"tribe_venue/{venue.pk}"):
        assert error_of(anonymous.get(f"{WP}/{path}")) == (401, "rest_forbidden")
        assert error_of(subscriber_api.get(f"{WP}/{path}")) == (403, "rest_forbidden")
        assert error_of(author_api.get(f"{WP}/{path}")) == (403, "rest_forbidden")
    for pk in ("999999", "9" * 40):
        assert error_of(anonymous.get(f"{WP}/tribe_organizer/{pk}")) == (404, "rest_post_invalid_id")


def test_editing_needs_the_permission(anonymous, author_api):
    event = EventFactory()
    url = f"{WP}/tribe_events/{event.pk}?context=edit"

    assert error_of(anonymous.get(url)) == (401, "rest_forbidden_context")
    assert error_of(author_api.get(url)) == (403, "rest_forbidden_context")
    assert error_of(anonymous.get(f"{WP}/tribe_events?context=edit")) == (401, "rest_forbidden_context")


@pytest.mark.parametrize("path", ["tribe_events", "tribe_venue", "tribe_organizer", "users", "types", "posts"])
def test_records_are_not_written_here(editor_api, path):
    assert error_of(editor_api.post(f"{WP}/{path}", {"title": "x"})) == (404, "rest_no_route")


@pytest.mark.parametrize("path", ["tribe_events", "tribe_venue", "tribe_organizer", "tags", "media", "users"])
def test_lists_take_a_fixed_number_of_queries(editor_api, path):
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    def count_queries() -> int:
        editor_api.get(f"{WP}/{path}")
        with CaptureQueriesContext(connection) as captured:
            ids_of(editor_api.get(f"{WP}/{path}"))
        return len(captured)

    def add() -> None:
        EventFactory(
            venues=[VenueFactory()],
            organizers=[OrganizerFactory()],
            tags=[TagFactory()],
            author=UserFactory(),
            image=ImageFactory(),
        )

    add()
    few = count_queries()
    for _number in range(4):
        add()

    assert count_queries() == few <= 16


# --- Descriptions


def test_types_and_taxonomies(anonymous):
    types, taxonomies = anonymous.get(f"{WP}/types").json(), anonymous.get(f"{WP}/taxonomies").json()

    assert list(types) == ["post", "page", "attachment", "tribe_events", "tribe_venue", "tribe_organizer"]
    assert types["tribe_events"]["taxonomies"] == ["post_tag", "tribe_events_cat"]
    assert (types["tribe_events"]["has_archive"], types["tribe_venue"]["has_archive"]) == (True, False)
    assert anonymous.get(f"{WP}/taxonomies/post_tag").json() == taxonomies["post_tag"]
    assert (taxonomies["post_tag"]["rest_base"], taxonomies["tribe_events_cat"]["hierarchical"]) == ("tags", True)
    assert error_of(anonymous.get(f"{WP}/types/nobody")) == (404, "rest_type_invalid")
    assert error_of(anonymous.get(f"{WP}/taxonomies/nobody")) == (404, "rest_taxonomy_invalid")


def test_settings(settings, anonymous, editor_api, administrator):
    settings.SITE_NAME, settings.SITE_TIME_ZONE = "Town hall", "Europe/Rome"

    record = api_client_for(administrator).get(f"{WP}/settings").json()

    assert {name: record[name] for name in ("title", "url", "timezone", "start_of_week", "posts_per_page")} == {
        "title": "Town hall",
        "url": "http://testserver",
        "timezone": "Europe/Rome",
        "start_of_week": 1,
        "posts_per_page": 9,
    }
    assert error_of(anonymous.get(f"{WP}/settings")) == (401, "rest_forbidden")
    assert error_of(editor_api.get(f"{WP}/settings")) == (403, "rest_forbidden")


@pytest.mark.parametrize("path", ["posts", "pages", "categories", "comments"])
def test_what_the_service_does_not_have(anonymous, path):
    assert ids_of(anonymous.get(f"{WP}/{path}")) == []
    assert error_of(anonymous.get(f"{WP}/{path}/1")) == (404, "rest_post_invalid_id")
