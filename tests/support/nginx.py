"""nginx with the site in `deploy/nginx.conf`."""

from __future__ import annotations

import contextlib
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.support.programs import ROOT
from tests.support.served_app import free_port, wait_for

NGINX = shutil.which("nginx") or "/usr/sbin/nginx"
MAIN = """
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
    {site}
}}
"""


def write_configuration(folder: Path, site: str) -> Path:
    """Write a configuration of nginx with only this site, and return its path."""
    configuration = folder / "nginx.conf"
    configuration.write_text(MAIN.format(folder=folder, site=site.replace("/var/log/nginx", str(folder))))
    return configuration


def site_of(ports: Sequence[int], write_ports: Sequence[int], port: int) -> str:
    """Return the site with the service on these ports, for reads and for writes, and without TLS."""
    site = (ROOT / "deploy" / "nginx.conf").read_text()
    for numbers in (ports, write_ports):
        servers = "\n    ".join(f"server 127.0.0.1:{number} max_fails=3 fail_timeout=2s;" for number in numbers)
        site = site.replace("server 127.0.0.1:8000;", servers, 1)
    site = site.replace("listen 443 ssl http2;", f"listen 127.0.0.1:{port};")
    # All clients of a test have one address.
    site = site.replace("limit_conn calendar_connections 50;", "")
    site = re.sub(r"^ *(listen \[::\]|ssl_).*\n", "", site, flags=re.MULTILINE)
    # Without the redirect to HTTPS.
    return site[: site.rindex("server {")]


@contextlib.contextmanager
def nginx(ports: Sequence[int], folder: Path, write_ports: Sequence[int] | None = None) -> Iterator[tuple[str, int]]:
    """Yield the address of nginx in front of the services on these ports; writes may go to other ports."""
    port, folder = free_port(), folder / "nginx"
    folder.mkdir()
    configuration = write_configuration(folder, "access_log off;\n" + site_of(ports, write_ports or ports, port))
    command = [NGINX, "-c", str(configuration), "-g", "daemon off; master_process off;"]
    with (folder / "output").open("a") as output, subprocess.Popen(command, stdout=output, stderr=output) as process:  # noqa: S603
        try:
            wait_for(port, process, folder / "output")
            yield "127.0.0.1", port
        finally:
            process.terminate()
