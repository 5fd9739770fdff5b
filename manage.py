#!/usr/bin/env python
"""Django's command line for this service."""

import errno
import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "calendar_site.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line
    from django.db import OperationalError

    if sys.argv[1:] in (["version"], ["--version"]):
        from calendar_site.configuration.version import VERSION

        print(VERSION)
        return
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        # The message names the setting; a traceback would not help.
        sys.exit(str(error))
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        sys.exit(130)
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG) or "--traceback" in sys.argv:
            raise
        sys.exit(f"There is no space for a file: {error}")
    except OperationalError as error:
        if "--traceback" in sys.argv:
            raise
        from calendar_site.core.database.sqlite_file import missing_database_message

        sys.exit(missing_database_message() or f"The database that DATABASE_URL names cannot be used: {error}")


if __name__ == "__main__":
    main()
