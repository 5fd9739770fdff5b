import secrets
import string

from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db.models import Q

from calendar_site import server
from calendar_site.accounts.models import User
from calendar_site.accounts.roles import ADMINISTRATOR, CONTENT, TERMS
from calendar_site.accounts.services import create_user
from calendar_site.api.links import own_base
from calendar_site.content.commands import CleanCommand
from calendar_site.content.transactions import writing

FIRST_ADMINISTRATOR = "admin"
PASSWORD_LENGTH = 20


class Command(CleanCommand):
    help = (
        "Prepare a new database: load the sample content (unless SAMPLE_CONTENT=0) and create the first "
        "administrator, whose password is printed this once. Changes nothing once that is done."
    )

    def handle(self, **options):
        password = None
        # All or nothing, so that a start that was broken off begins anew.
        with writing():
            if not has_administrator():
                is_empty = not has_content()
                password = create_first_administrator()
                if is_empty and settings.SAMPLE_CONTENT:
                    call_command("load_sample_content", stdout=self.stdout)
        if password:
            self.stdout.write(f"Created the administrator {FIRST_ADMINISTRATOR} with the password {password}")
            self.stdout.write("Keep it: it is shown this once.")
        address = settings.PUBLIC_URL or server.address()
        api = f"{address}/{own_base()}"
        self.stdout.write(f"API:   {api}/events")
        self.stdout.write(f"Admin: {address}/admin/")
        self.stdout.write(f"Docs:  {api}/doc (OpenAPI); README.md and docs/ for people")


def has_administrator() -> bool:
    return User.objects.filter(Q(is_superuser=True) | Q(groups__name=ADMINISTRATOR)).exists()


def has_content() -> bool:
    # By name: the models of the apps stand above the accounts.
    return any(apps.get_model(label)._default_manager.exists() for label in (*CONTENT, *TERMS))


def create_first_administrator() -> str:
    """Creates the account and answers its password. Raises ValidationError where the name is taken."""
    alphabet = string.ascii_letters + string.digits
    password = "".join(secrets.choice(alphabet) for _ in range(PASSWORD_LENGTH))
    create_user(FIRST_ADMINISTRATOR, ADMINISTRATOR, password=password)
    return password
