"""Faults between the files of images and the database: no file of an image is lost, and orphans are cleaned up."""

import errno
import os
import time

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage, default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import OperationalError, connection, connections
from django.test.client import encode_multipart

from calendar_site.core.database.write_lock import on_rollback, write_lock
from calendar_site.media.library import save_image
from calendar_site.media.models import Image
from tests.support.api_client import API
from tests.support.image_files import red_blue_image
from venues.models import Venue

pytestmark = pytest.mark.django_db(transaction=True, serialized_rollback=True)

DAYS = 86_400


class FullDisk(FileSystemStorage):
    """A storage that stops in the middle of its third file."""

    saved = 0

    def save(self, name, content, max_length=None):
        FullDisk.saved += 1
        if FullDisk.saved < 3:
            return super().save(name, content, max_length)
        super().save(name, ContentFile(content.read()[:10]), max_length)
        raise OSError(errno.ENOSPC, "No space left on device")


class StorageOutsideOfWrites(FileSystemStorage):
    """A storage that refuses to work while the write lock is taken."""

    def save(self, name, content, max_length=None):
        assert not connection.in_atomic_block
        return super().save(name, content, max_length)


def use_storage(settings, storage_class):
    backend = f"{__name__}.{storage_class.__name__}"
    settings.STORAGES = {**settings.STORAGES, "default": {"BACKEND": backend}}


def upload(api, venue="Hall"):
    file = SimpleUploadedFile("a.png", red_blue_image(), "image/png")
    body = encode_multipart("BoUnDaRy", {"venue": venue, "image": file})
    return api.generic("POST", f"{API}/venues", body, "multipart/form-data; boundary=BoUnDaRy")


def files(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def files_of_images():
    return sorted(name for image in Image.objects.all() for name in image.file_names)


def make_old(folder):
    for path in folder.rglob("*"):
        os.utime(path, (time.time() - 2 * DAYS,) * 2)


def test_full_disk_leaves_nothing_and_a_later_upload_works(author_api, media_folder, settings):
    FullDisk.saved = 0
    use_storage(settings, FullDisk)

    refused = upload(author_api)

    assert (refused.status_code, refused.json()["code"]) == (503, "rest_busy")
    assert refused.headers["Retry-After"]
    assert files(media_folder) == []
    assert (Image.objects.count(), Venue.objects.count()) == (0, 0)
    use_storage(settings, StorageOutsideOfWrites)
    assert upload(author_api).status_code == 201
    assert files(media_folder) == files_of_images()


def test_files_are_stored_and_cropped_without_the_write_lock(author_api, media_folder, settings, editor):
    use_storage(settings, StorageOutsideOfWrites)

    assert upload(author_api).status_code == 201
    save_image(Image.objects.get(), changes={"focus_x": 0.9}, user=editor)

    assert len(files_of_images()) == 5
    assert set(files_of_images()) <= set(files(media_folder))


def test_files_of_a_write_that_fails_are_deleted(author_api, media_folder):
    file = SimpleUploadedFile("a.png", red_blue_image(), "image/png")
    event = {"title": "Open air", "start_date": "2030-05-04", "end_date": "2030-05-04", "image": file, "tags": "new"}
    body = encode_multipart("BoUnDaRy", event)

    response = author_api.generic("POST", f"{API}/events", body, "multipart/form-data; boundary=BoUnDaRy")

    assert response.status_code == 403
    assert files(media_folder) == []


def lose_connection_at_commit(monkeypatch, *, is_committed):
    """Let the next COMMIT report a lost connection, after or before it was carried out."""
    database = connections["default"]
    commit = database._commit

    def lose():
        monkeypatch.setattr(database, "_commit", commit)
        if is_committed:
            commit()
        raise OperationalError("server closed the connection unexpectedly")

    monkeypatch.setattr(database, "_commit", lose)


def test_files_of_a_write_that_was_committed_unnoticed_are_kept(author_api, media_folder, monkeypatch):
    author_api.get(f"{API}/venues")
    lose_connection_at_commit(monkeypatch, is_committed=True)

    response = upload(author_api)

    assert response.status_code >= 500
    assert Image.objects.count() == 1
    assert len(files(media_folder)) == 5
    assert files(media_folder) == files_of_images()


def test_orphans_of_a_lost_commit_are_cleaned_up_after_a_day(author_api, media_folder, monkeypatch, run_command):
    author_api.get(f"{API}/venues")
    lose_connection_at_commit(monkeypatch, is_committed=False)
    assert upload(author_api).status_code >= 500
    orphans = files(media_folder)
    assert upload(author_api).status_code == 201

    assert (Image.objects.count(), len(orphans), len(files(media_folder))) == (1, 5, 10)
    assert run_command("clean_media") == ["Files without an image: 0. Images with missing files: 0."]
    make_old(media_folder)
    assert run_command("clean_media", "--dry-run") == [
        *(f"Would delete {name}" for name in orphans),
        "Files without an image: 5. Images with missing files: 0.",
    ]
    assert len(files(media_folder)) == 10
    run_command("clean_media")
    assert files(media_folder) == files_of_images()


def test_orphan_that_is_deleted_meanwhile_is_passed_over(media_folder, monkeypatch, run_command):
    for name in ("a.png", "b.png"):
        default_storage.save(f"{Image.FOLDER}/2030/{name}", SimpleUploadedFile(name, b""))
    make_old(media_folder)
    deleted = f"{Image.FOLDER}/2030/a.png"
    get_modified_time = default_storage.get_modified_time

    def delete_first(name):
        default_storage.delete(deleted)
        return get_modified_time(name)

    monkeypatch.setattr(default_storage._wrapped, "get_modified_time", delete_first)

    assert run_command("clean_media") == [
        f"Deleted {Image.FOLDER}/2030/b.png",
        "Files without an image: 1. Images with missing files: 0.",
    ]


def test_lost_files_are_reported_and_replaced_by_the_next_upload(author_api, media_folder, run_command):
    upload(author_api)
    image = Image.objects.get()
    lost = [image.file.name, image.renditions["medium"]["file"]]
    for name in lost:
        default_storage.delete(name)
    assert run_command("clean_media") == [
        f"Image {image.pk} lacks {', '.join(lost)}. Upload the same file again to replace it.",
        "Files without an image: 0. Images with missing files: 1.",
    ]

    record = upload(author_api, "Barn").json()["image"]

    assert record["id"] == image.pk
    assert len(files_of_images()) == 5
    assert set(files_of_images()) <= set(files(media_folder))


def test_error_in_undoing_a_write_does_not_hide_its_cause():
    undone = []

    def fail():
        raise OSError("storage gone")

    def write():
        with write_lock():
            on_rollback(lambda: undone.append(1))
            on_rollback(fail)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write()

    assert undone == [1]


def test_write_that_may_have_been_committed_is_not_undone(monkeypatch):
    undone = []
    connection.ensure_connection()
    lose_connection_at_commit(monkeypatch, is_committed=True)

    with pytest.raises(OperationalError), write_lock():
        on_rollback(lambda: undone.append(1))

    assert undone == []
