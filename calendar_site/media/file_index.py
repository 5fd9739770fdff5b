"""Derived data of the image library: the names of the files of all images, and the images in the HTML of records."""

from __future__ import annotations

from django.db import connection
from django.db.models import Model

from calendar_site.derived.registry import DerivedData, register
from calendar_site.derived.tables import DerivedTable
from calendar_site.derived.triggers import Trigger
from calendar_site.media.models import Image
from calendar_site.media.querysets import html_fields, models_with_html

# The length of the beginning of a file's name that is the same for all files that were stored together
# (`uses.FILE_PREFIX`).
FILE_PREFIX_LENGTH = len(f"{Image.FOLDER}/00/") + 32

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


# --- Images in HTML --------------------------------------------------------------------------------

# The position of a text in another one, from 1; 0 if it does not contain it.
POSITION = {"sqlite": "instr", "postgresql": "strpos"}


def embedded_images(model: type[Model], row: str, *, source: str = "") -> str:
    """Return the query for the images in the HTML of a row of the model, with the columns of `EmbeddedImage`.

    `row` is a name in SQL: `NEW`, or that of the table `source`. The files that were stored together for an image share
    a prefix.
    """
    position = POSITION[connection.vendor]
    contains = " OR ".join(
        f"{position}({row}.{name}, substr(file.name, 1, {FILE_PREFIX_LENGTH})) > 0" for name in html_fields(model)
    )
    tables = f"media_imagefile file, {source}" if source else "media_imagefile file"
    return (
        f"SELECT DISTINCT '{model._meta.label_lower}', {row}.id, file.image_id "  # noqa: S608 # no value of a request
        f"FROM {tables} WHERE ({contains_images(model, row)}) AND ({contains})"
    )


def contains_images(model: type[Model], row: str) -> str:
    """Return the condition for rows whose HTML may contain images of the library."""
    position = POSITION[connection.vendor]
    return " OR ".join(f"{position}({row}.{name}, '{Image.FOLDER}/') > 0" for name in html_fields(model))


def embedded_triggers() -> list[Trigger]:
    found = []
    for model in models_with_html(Image):
        table, label, columns = model._meta.db_table, model._meta.label_lower, html_fields(model)
        name = f"{model._meta.model_name}_embedded_images"
        add = f"INSERT INTO media_embeddedimage (model_label, record_id, image_id) {embedded_images(model, 'NEW')};"
        remove = f"DELETE FROM media_embeddedimage WHERE model_label = '{label}' AND record_id = OLD.id;"  # noqa: S608
        was, is_now = contains_images(model, "OLD"), contains_images(model, "NEW")
        differs = " OR ".join(f"NEW.{column} <> OLD.{column}" for column in columns)
        found += [
            Trigger(f"{name}_added", table, "INSERT", add, is_now),
            Trigger(f"{name}_deleted", table, "DELETE", remove, was),
            Trigger(
                f"{name}_changed",
                table,
                f"UPDATE OF {', '.join(columns)}",
                remove + add,
                f"({differs}) AND ({was} OR {is_now})",
            ),
        ]
    return found


def embedded_table() -> DerivedTable:
    """Return the table of the images in the HTML of all records."""
    queries = [
        embedded_images(model, "record", source=f"{model._meta.db_table} record") for model in models_with_html(Image)
    ]
    return DerivedTable("media_embeddedimage", ("model_label", "record_id", "image_id"), " UNION ALL ".join(queries))


register(
    DerivedData(
        "images in texts",
        embedded_triggers,
        lambda: embedded_table().rebuild(),
        lambda: embedded_table().count_differences(),
    )
)
