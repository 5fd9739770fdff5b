"""The daily deletion of files that no image has, and the table of the files of images."""

from datetime import timedelta

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import connection
from django.utils import timezone

from calendar_site.media.library import delete_image, find_by_file, save_image
from calendar_site.media.models import Image, ImageFile, OrphanedFile
from tests.support.background_tasks import run_daily_tasks

pytestmark = pytest.mark.django_db

ORPHAN = "images/ab/orphan.png"


@pytest.fixture
def orphan(media_folder):
    return default_storage.save(ORPHAN, ContentFile(b"x"))


def note_earlier(**age):
    OrphanedFile.objects.update(noticed_at=timezone.now() - timedelta(**age))


def stored_files(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize(("days", "age", "is_deleted"), [(30, 30, True), (30, 29, False), (0, 100, False)])
def test_orphans_are_deleted_some_time_after_they_were_noticed(
    image, orphan, media_folder, settings, days, age, is_deleted
):
    run_daily_tasks()
    assert stored_files(media_folder) == sorted([*image.file_names, ORPHAN])
    assert list(OrphanedFile.objects.values_list("name", flat=True)) == [ORPHAN]

    note_earlier(days=age)
    settings.ORPHANED_FILE_DAYS = days
    run_daily_tasks()

    assert stored_files(media_folder) == sorted([*image.file_names, *([] if is_deleted else [ORPHAN])])


def test_files_that_have_an_image_again_are_kept(image, media_folder):
    """An older database is restored, and the newer one a month later."""
    newer = image.file_names
    Image.objects.filter(pk=image.pk).update(file="images/ab/older.png", renditions={})
    run_daily_tasks()
    assert sorted(OrphanedFile.objects.values_list("name", flat=True)) == sorted(newer)
    note_earlier(days=40)

    Image.objects.filter(pk=image.pk).update(file=newer[0], renditions=image.renditions)
    run_daily_tasks()

    assert (stored_files(media_folder), OrphanedFile.objects.count()) == (sorted(newer), 0)


def test_every_file_of_an_image_is_found_whatever_changed_it(image, editor):
    def found():
        return {name for name in names if find_by_file(name) == image}

    names = image.file_names
    assert len(names) > 3
    assert found() == set(names)

    save_image(image, changes={"focus_x": 0.1, "focus_y": 0.2}, user=editor)
    names = [*names, *image.file_names]
    assert found() == set(image.file_names) != set(names)

    Image.objects.update(renditions={})
    assert found() == {image.file.name}

    image.refresh_from_db()
    delete_image(image, user=editor)
    assert (found(), ImageFile.objects.count()) == (set(), 0)


def test_files_of_images_are_rebuilt(image, run_command):
    expected = dict.fromkeys(image.file_names, image.pk)
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM media_imagefile WHERE name = %s", [image.file.name])
        cursor.execute("INSERT INTO media_imagefile (name, image_id) VALUES ('other.png', 1)")
    with pytest.raises(Exception, match=r"Derived data differs"):
        run_command("rebuild_derived", "--check")

    run_command("rebuild_derived")

    assert dict(ImageFile.objects.values_list("name", "image_id")) == expected
    run_command("rebuild_derived", "--check")
