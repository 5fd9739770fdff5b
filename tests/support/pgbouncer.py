"""PgBouncer as `deploy/pgbouncer.ini` configures it, in front of servers of a test."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from tests.support.postgresql_server import PostgreSQLServer, folder_of_postgres
from tests.support.programs import ROOT
from tests.support.served_app import free_port, wait_for


@contextlib.contextmanager
def pgbouncer(**servers: PostgreSQLServer) -> Iterator[dict[str, str]]:
    """Yield the URLs of the databases `calendar` of these servers, by the name of the server."""
    port = free_port()
    with folder_of_postgres() as folder:
        users = folder / "userlist.txt"
        users.write_text('"postgres" ""\n')
        configuration = folder / "pgbouncer.ini"
        configuration.write_text(_configuration(port, users, servers))
        as_postgres = ["--user", "postgres"] if os.geteuid() == 0 else []
        command = [shutil.which("pgbouncer") or "/usr/sbin/pgbouncer", "--quiet", *as_postgres, str(configuration)]
        log = folder / "log"
        with log.open("a") as output, subprocess.Popen(command, stdout=output, stderr=output) as process:  # noqa: S603
            try:
                wait_for(port, process, log)
                yield {name: f"postgres://postgres@127.0.0.1:{port}/{name}" for name in servers}
            finally:
                process.kill()


def _configuration(port: int, users: Path, servers: dict[str, PostgreSQLServer]) -> str:
    """Return the example with this port, these databases, and users who need no password."""
    databases = "\n".join(
        f"{name} = host=127.0.0.1 port={server.port} dbname=calendar user=postgres" for name, server in servers.items()
    )
    text = (ROOT / "deploy" / "pgbouncer.ini").read_text()
    for setting, value in (("listen_port", str(port)), ("auth_type", "trust"), ("auth_file", str(users))):
        text = re.sub(f"^{setting} = .*", f"{setting} = {value}", text, flags=re.MULTILINE)
    return re.sub("^calendar = .*", databases, text, flags=re.MULTILINE)
