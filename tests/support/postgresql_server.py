"""A PostgreSQL server of its own, for tests that stop or freeze it."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg

from tests.support.databases import name_of
from tests.support.served_app import free_port


def server_programs() -> Path:
    """Return the folder of the newest installed server."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb")) or [Path(shutil.which("initdb") or "")]
    return found[-1].parent


@contextlib.contextmanager
def folder_of_postgres() -> Iterator[Path]:
    """Yield a new folder that the account of the server may write to; it is deleted at the end."""
    # Not in the folders of pytest, which only their owner may read.
    folder = Path(tempfile.mkdtemp(prefix="postgresql-"))
    if os.geteuid() == 0:
        # PostgreSQL and PgBouncer refuse to run as root.
        account = pwd.getpwnam("postgres")
        os.chown(folder, account.pw_uid, account.pw_gid)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


@dataclass
class PostgreSQLServer:
    """A running server, whose data are in `folder`."""

    folder: Path
    port: int

    @classmethod
    @contextlib.contextmanager
    def started(cls) -> Iterator[PostgreSQLServer]:
        """Yield a new server; it is stopped and deleted at the end."""
        with folder_of_postgres() as folder:
            server = cls(folder, free_port())
            options = ["--username", "postgres", "--auth", "trust", "--encoding", "UTF8", "--no-sync"]
            server.run("initdb", "--pgdata", str(folder / "data"), *options)
            with server.running():
                yield server

    @contextlib.contextmanager
    def standby(self) -> Iterator[PostgreSQLServer]:
        """Yield a streaming replica of this server; it is stopped and deleted at the end."""
        with folder_of_postgres() as folder:
            replica = PostgreSQLServer(folder, free_port())
            primary = ["--host", "127.0.0.1", "--port", str(self.port), "--username", "postgres"]
            options = ["--write-recovery-conf", "--checkpoint", "fast", "--no-sync"]
            replica.run("pg_basebackup", "--pgdata", str(folder / "data"), *primary, *options)
            with replica.running():
                yield replica

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """Run the server inside the block."""
        self.start()
        try:
            yield
        finally:
            with contextlib.suppress(subprocess.CalledProcessError):
                self.stop()

    @property
    def url(self) -> str:
        return f"postgres://postgres@127.0.0.1:{self.port}/calendar"

    def run(self, program: str, *arguments: str) -> None:
        as_postgres = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        command = [*as_postgres, str(server_programs() / program), *arguments]
        subprocess.run(command, cwd=self.folder, check=True, stdout=subprocess.DEVNULL)  # noqa: S603

    def control(self, *arguments: str) -> None:
        self.run("pg_ctl", "--pgdata", str(self.folder / "data"), "--wait", "--silent", *arguments)

    def start(self) -> None:
        options = f"-c listen_addresses=127.0.0.1 -c port={self.port} -c unix_socket_directories= -c fsync=off"
        self.control("start", "--log", str(self.folder / "log"), "--options", options)

    def stop(self) -> None:
        self.control("stop", "--mode", "immediate")

    @contextlib.contextmanager
    def frozen(self) -> Iterator[None]:
        """Stop all its processes inside the block; connections stay open."""
        master = int((self.folder / "data" / "postmaster.pid").read_text().split()[0])
        pids = [master, *(int(pid) for pid in Path(f"/proc/{master}/task/{master}/children").read_text().split())]
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            for pid in pids:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGCONT)

    def connect(self, database: str = "calendar") -> psycopg.Connection:
        return psycopg.connect(f"postgresql://postgres@127.0.0.1:{self.port}/{database}", autocommit=True)

    def count_locks(self, kind: str) -> int:
        """Return the number of granted locks of this kind."""
        query = "SELECT 1 FROM pg_locks WHERE locktype = %s AND granted"
        with self.connect() as server:
            return len(server.execute(query, [kind]).fetchall())

    def create_database(self) -> None:
        with self.connect("postgres") as server:
            server.execute("CREATE DATABASE calendar")

    def copy(self, url: str) -> None:
        """Copy a database of another server."""
        self.create_database()
        with subprocess.Popen(  # noqa: S603
            [str(server_programs() / "pg_dump"), "--dbname", url.replace("postgres:", "postgresql:", 1)],
            stdout=subprocess.PIPE,
        ) as dump:
            assert name_of(url)
            own = f"postgresql://postgres@127.0.0.1:{self.port}/calendar"
            command = [str(server_programs() / "psql"), "--quiet", "--set", "ON_ERROR_STOP=1", "--dbname", own]
            subprocess.run(command, stdin=dump.stdout, stdout=subprocess.DEVNULL, check=True)  # noqa: S603
