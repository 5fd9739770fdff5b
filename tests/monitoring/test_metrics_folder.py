"""The folder with the metrics of all processes."""

import os
import subprocess
import sys
from pathlib import Path

from calendar_site.serving.metrics_folder import create_metrics_folder


def test_folders_of_killed_services_are_deleted(tmp_path):
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    names = [f"calendar-metrics-{ended.pid}-a", f"calendar-metrics-{os.getppid()}-b", "calendar-metrics-x-c", "other"]
    for name in names:
        (tmp_path / name).mkdir()
        (tmp_path / name / "counter_1.db").write_text("")

    created = Path(create_metrics_folder(str(tmp_path)))

    assert created.name.startswith(f"calendar-metrics-{os.getpid()}-")
    assert {path.name for path in tmp_path.iterdir()} == {*names[1:], created.name}


def test_a_number_that_no_process_can_have_is_stale(tmp_path):
    (tmp_path / f"calendar-metrics-{10**30}-a").mkdir()

    created = Path(create_metrics_folder(str(tmp_path)))

    assert list(tmp_path.iterdir()) == [created]
