"""The database itself refuses a category that would be its own ancestor.

A later migration that makes SQLite rebuild the category table must create the triggers anew: a rebuild
drops them. tests/taxonomy/test_models.py fails where they are missing.
"""

from django.db import migrations

SQLITE = """
CREATE TRIGGER taxonomy_category_no_circle_{event}
BEFORE {event} ON taxonomy_category
WHEN NEW.parent_id IS NOT NULL
BEGIN
    SELECT RAISE(ABORT, 'A category cannot be below itself.')
    WHERE NEW.id IN (
        WITH RECURSIVE above(id) AS (
            SELECT NEW.parent_id
            UNION
            SELECT parent_id FROM taxonomy_category, above
            WHERE taxonomy_category.id = above.id AND parent_id IS NOT NULL
        )
        SELECT id FROM above
    );
END
"""

POSTGRESQL = """
CREATE FUNCTION taxonomy_category_no_circle() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (
        WITH RECURSIVE above(id) AS (
            SELECT NEW.parent_id
            UNION
            SELECT parent_id FROM taxonomy_category, above
            WHERE taxonomy_category.id = above.id AND parent_id IS NOT NULL
        )
        SELECT 1 FROM above WHERE id = NEW.id
    ) THEN
        RAISE EXCEPTION 'A category cannot be below itself.' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER taxonomy_category_no_circle BEFORE INSERT OR UPDATE OF parent_id ON taxonomy_category
FOR EACH ROW WHEN (NEW.parent_id IS NOT NULL) EXECUTE FUNCTION taxonomy_category_no_circle();
"""


def create(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(POSTGRESQL)
        return
    for event in ("INSERT", "UPDATE"):
        schema_editor.execute(SQLITE.format(event=event))


def drop(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("DROP TRIGGER taxonomy_category_no_circle ON taxonomy_category")
        schema_editor.execute("DROP FUNCTION taxonomy_category_no_circle()")
        return
    for event in ("INSERT", "UPDATE"):
        schema_editor.execute(f"DROP TRIGGER taxonomy_category_no_circle_{event}")


class Migration(migrations.Migration):
    dependencies = [("taxonomy", "0001_initial")]
    operations = [migrations.RunPython(create, drop)]
