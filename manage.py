#!/usr/bin/env python
"""Django's command line for this service."""

import errno
import os
import signal
import sys

INTERRUPTED = 130


def main() -> None:
    if sys.argv[1:2] == ["prepare"]:
        signal.signal(signal.SIGINT, end_at_once)
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
        sys.exit(INTERRUPTED)
    except OperationalError as error:
        if "--traceback" in sys.argv:
            raise
        from calendar_site.core.database.sqlite_file import missing_database_message

        sys.exit(missing_database_message() or f"The database that DATABASE_URL names cannot be used: {error}")
    except Exception as error:
        full = find_full_disk(error)
        if full is None or "--traceback" in sys.argv:
            raise
        sys.exit(f"There is no space for a file: {full}")


def find_full_disk(error: BaseException | None) -> OSError | None:
    """Return the error that says that there is no space, which other errors may have been raised from."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            return error
        error = error.__cause__
    return None


def end_at_once(*_arguments: object) -> None:
    """End the process at Ctrl+C, without KeyboardInterrupt.

    Python loses that exception, or turns it into another one, if it is raised in a finalizer or while a file is closed.
    For `prepare`, whose parts are transactions, or are done again by the next start if they were not finished.
    """
    os.write(2, b"Interrupted.\n")
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    main()
