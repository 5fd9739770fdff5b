"""The example of a site for nginx."""

import shutil
import subprocess

import pytest

from tests.support.nginx import NGINX, write_configuration
from tests.support.programs import ROOT


@pytest.fixture
def certificate(tmp_path):
    """A certificate for the test and its key."""
    if not shutil.which(NGINX) or not shutil.which("openssl"):
        pytest.skip("nginx or openssl is not installed")
    paths = tmp_path / "fullchain.pem", tmp_path / "privkey.pem"
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    subprocess.run(  # noqa: S603
        [*command, "-subj", "/CN=calendar.example.org", "-out", paths[0], "-keyout", paths[1]],
        check=True,
        capture_output=True,
    )
    return paths


def test_site_is_valid(certificate, tmp_path):
    site = (ROOT / "deploy" / "nginx.conf").read_text()
    site = site.replace("/etc/letsencrypt/live/calendar.example.org", str(certificate[0].parent))
    configuration = write_configuration(tmp_path, site)

    done = subprocess.run([NGINX, "-t", "-c", configuration], capture_output=True, text=True, check=False)  # noqa: S603

    assert done.returncode == 0, done.stderr
    assert "[warn]" not in done.stderr
