"""Store a backup of a small service of this version, from which later versions test their upgrade.

Usage: `store_release.py`, once for each release and each database: SQLite, or the PostgreSQL server in DATABASE_URL.
"""

import lzma
import os
import secrets
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from calendar_site.configuration.version import VERSION  # noqa: E402
from tests.support.databases import is_postgresql, temporary_database  # noqa: E402

RELEASES = ROOT / "tests" / "faults" / "releases"


def main() -> None:
    url = os.environ.get("DATABASE_URL", "")
    engine = "postgresql" if is_postgresql(url) else "sqlite"
    target = RELEASES / f"{VERSION}-{engine}.tar.xz"
    if target.exists():
        sys.exit(f"{target.relative_to(ROOT)} exists. A release that was stored is never changed.")
    with tempfile.TemporaryDirectory() as name, temporary_database(url, "release", Path(name)) as database:
        folder = Path(name)
        settings = {"DATABASE_URL": database, "DATA_DIR": name, "SECRET_KEY": secrets.token_urlsafe(50)}
        os.environ.update({**settings, "DEBUG": "true", "SITE_TIME_ZONE": "America/Halifax"})
        fill(folder)
        RELEASES.mkdir(exist_ok=True)
        (backup,) = (folder / "backups").iterdir()
        target.write_bytes(lzma.compress(backup.read_bytes()))
    print(f"{target.relative_to(ROOT)}: {target.stat().st_size} bytes")


def fill(folder: Path) -> None:
    """Create a record of each kind, and write a backup."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "calendar_site.settings")
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connections

    from calendar_site.accounts.services import create_user
    from calendar_site.content.services import save_content
    from organizers.models import Organizer
    from taxonomy.models import Category, Tag
    from taxonomy.services import save_term
    from tests.support.browser.shown_records import create_records
    from venues.models import Venue

    call_command("migrate", verbosity=0)
    user = create_user("first", "administrator")
    save_content(Venue(), changes={"title": "Orrery Planetarium", "city": "Port Ellery"}, user=user)
    save_content(Organizer(), changes={"title": "Friends of the night sky"}, user=user)
    for model, title in ((Category, "Astronomy"), (Tag, "outdoors")):
        save_term(model(), changes={"name": title}, user=user)
    create_records(folder / "records.json")
    (folder / "backups").mkdir()
    call_command("backup", folder / "backups", verify=True)
    connections.close_all()


if __name__ == "__main__":
    main()
