"""Derived data of the image library: the names of the files of all images."""

from __future__ import annotations

from django.db import connection

from calendar_site.derived.registry import DerivedData, register
from calendar_site.derived.triggers import Trigger

# The renditions of an image as rows, and the file of such a row.
RENDITIONS = {
    "sqlite": "json_each({}.renditions) rendition",
    "postgresql": "jsonb_each({}.renditions) rendition",
}
FILE = {"sqlite": "json_extract(rendition.value, '$.file')", "postgresql": "rendition.value ->> 'file'"}


def files_of_all_images() -> str:
    """Return the query for the files of all images, with their ids."""
    renditions, file = RENDITIONS[connection.vendor].format("image"), FILE[connection.vendor]
    return (
        f"SELECT file, id FROM media_image UNION "  # noqa: S608 # no value of a request
        f"SELECT {file}, image.id FROM media_image image, {renditions}"
    )


def triggers() -> list[Trigger]:
    renditions, file = RENDITIONS[connection.vendor].format("NEW"), FILE[connection.vendor]
    add = (
        f"INSERT INTO media_imagefile (name, image_id) SELECT NEW.file, NEW.id "  # noqa: S608
        f"UNION SELECT {file}, NEW.id FROM {renditions};"
    )
    remove = "DELETE FROM media_imagefile WHERE image_id = OLD.id;"
    return [
        Trigger("image_files_added", "media_image", "INSERT", add),
        Trigger("image_files_changed", "media_image", "UPDATE OF id, file, renditions", remove + add),
        Trigger("image_files_deleted", "media_image", "DELETE", remove),
    ]


def rebuild() -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM media_imagefile")
        cursor.execute(f"INSERT INTO media_imagefile (name, image_id) {files_of_all_images()}")


def count_differences() -> int:
    stored, right = "SELECT name, image_id FROM media_imagefile", files_of_all_images()
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT COUNT(*) FROM (SELECT * FROM ({stored}) a EXCEPT SELECT * FROM ({right}) b) missing "  # noqa: S608
            f"UNION ALL SELECT COUNT(*) FROM (SELECT * FROM ({right}) c EXCEPT SELECT * FROM ({stored}) d) added"
        )
        return sum(count for (count,) in cursor.fetchall())


register(DerivedData("image files", triggers, rebuild, count_differences))
