from django.core.management.base import CommandError

from calendar_site.accounts.second_factor import disable, has_second_factor
from calendar_site.accounts.services import find_user
from calendar_site.content.commands import CleanCommand


class Command(CleanCommand):
    help = (
        "Turn off the second factor of a user who has lost it, and end their sessions in the admin. "
        "They sign in with their password alone until they set up another."
    )

    def add_arguments(self, parser):
        parser.add_argument("username", metavar="NAME", help="The name of the user.")

    def handle(self, *, username, **options):
        user = find_user(username)
        if not has_second_factor(user):
            raise CommandError(f"{username} has no second factor.")
        disable(user)
        self.stdout.write(f"Turned off the second factor of {username}.")
