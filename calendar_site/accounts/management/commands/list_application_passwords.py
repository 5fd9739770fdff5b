from calendar_site.accounts.services import find_user
from calendar_site.content.commands import CleanCommand


class Command(CleanCommand):
    help = "List a user's application passwords: label, when it was created and last used (UTC)."

    def add_arguments(self, parser):
        parser.add_argument("username", metavar="NAME", help="The name of the user.")

    def handle(self, *, username, **options):
        rows = [
            (password.label, shown(password.created_at), shown(password.last_used_at))
            for password in find_user(username).application_passwords.all()
        ]
        rows.insert(0, ("LABEL", "CREATED", "LAST USED"))
        width = max(len(label) for label, *_times in rows)
        for label, created, last_used in rows:
            self.stdout.write(f"{label:{width}}  {created:16}  {last_used}")


def shown(moment) -> str:
    return f"{moment:%Y-%m-%d %H:%M}" if moment else "never"
