import secrets
import string
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db.models import Q

from calendar_site.accounts.models import User
from calendar_site.accounts.roles import ADMINISTRATOR, CONTENT_MODELS, TERM_MODELS
from calendar_site.accounts.services import create_user
from calendar_site.api.site_urls import SiteURLs, default_api_base
from calendar_site.configuration import listen_address
from calendar_site.core.commands import ServiceCommand
from calendar_site.core.database.write_lock import write_lock
from calendar_site.core.http.admin_path import ADMIN_PATH

FIRST_ADMINISTRATOR = "admin"
PASSWORD_LENGTH = 20


class Command(ServiceCommand):
    help = (
        "Prepare a new database: load the sample content (unless SAMPLE_CONTENT=0) and create the first "
        "administrator, whose password is printed once. Running the command again changes nothing."
    )

    def handle(self, **options: Any) -> None:
        password = None
        # All or nothing, so that an interrupted first start can be repeated.
        with write_lock():
            if not has_administrator():
                is_empty = not has_content()
                password = create_first_administrator()
                if is_empty and settings.SAMPLE_CONTENT:
                    self.stdout.write("Loading the sample content (without it: SAMPLE_CONTENT=0) …")
                    self.stdout.flush()
                    call_command("load_sample_content", stdout=self.stdout)
        if password:
            self.stdout.write(f"Created the administrator {FIRST_ADMINISTRATOR} with the password {password}")
            self.stdout.write("Save the password now. It will not be shown again.")
        root = settings.PUBLIC_URL or listen_address.local_url()
        api = f"{root}/{default_api_base()}"
        self.stdout.write(f"API:   {api}/events")
        self.stdout.write(f"Admin: {root}{ADMIN_PATH}")
        docs = SiteURLs(root, api, root).docs or "docs/ in the project"
        self.stdout.write(f"Docs:  {docs}; OpenAPI: {api}/doc")


def has_administrator() -> bool:
    return User.objects.filter(Q(is_superuser=True) | Q(groups__name=ADMINISTRATOR)).exists()


def has_content() -> bool:
    # By name, because this package must not import the apps above it.
    return any(apps.get_model(label)._default_manager.exists() for label in (*CONTENT_MODELS, *TERM_MODELS))


def create_first_administrator() -> str:
    """Create the account and return its password. Raises ValidationError if the name is taken."""
    alphabet = string.ascii_letters + string.digits
    password = "".join(secrets.choice(alphabet) for _ in range(PASSWORD_LENGTH))
    create_user(FIRST_ADMINISTRATOR, ADMINISTRATOR, password=password)
    return password
