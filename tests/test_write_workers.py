"""Which of the server's workers are for writes."""

import itertools
import random
from types import SimpleNamespace

import pytest

from calendar_site.serving.write_workers import is_next_for_writes


class Server:
    """Workers that are started as gunicorn's main process does: those with the highest age are the newest."""

    def __init__(self, worker_count, write_worker_count):
        self.worker_count, self.write_worker_count = worker_count, write_worker_count
        self.ages = itertools.count(1)
        self.workers = []
        self.start_missing()

    def start(self):
        is_for_writes = is_next_for_writes(self.workers, self.worker_count, self.write_worker_count)
        self.workers.append(SimpleNamespace(age=next(self.ages), is_for_writes=is_for_writes))

    def start_missing(self):
        while len(self.workers) < self.worker_count:
            self.start()

    def reload(self):
        for _ in range(self.worker_count):
            self.start()
        del self.workers[: -self.worker_count]

    @property
    def roles(self):
        return [worker.is_for_writes for worker in self.workers]


@pytest.mark.parametrize("reading", [1, 2, 3])
@pytest.mark.parametrize("writing", [1, 2, 3])
def test_roles_stay_whatever_dies_or_is_reloaded(reading, writing):
    server = Server(reading + writing, writing)
    assert server.roles == [False] * reading + [True] * writing
    choices = random.Random(f"{reading} {writing}")

    for _ in range(200):
        if choices.random() < 0.3:
            server.reload()
        else:
            for worker in choices.sample(server.workers, choices.randint(1, len(server.workers))):
                server.workers.remove(worker)
            server.start_missing()
        assert sorted(server.roles) == [False] * reading + [True] * writing
