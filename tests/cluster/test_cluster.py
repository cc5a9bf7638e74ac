"""A campaign over a Dask cluster of several processes, and examples shared through a real Redis.

Run by `tox -e cluster`: it needs Dask, and Debian's redis-server on PATH.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time

import pytest
import redis
from distributed import LocalCluster

from fuzz.campaign import Campaign, Options
from fuzz.examples import Examples, NoDatabase
from fuzz.progress import Lines
from fuzz.recipes import Recipe
from fuzz.store import Store

WRONG = "user:tests.fuzz.wrong_machines.boxing"


@pytest.fixture
def cluster():
    with LocalCluster(n_workers=3, threads_per_worker=1, processes=True, dashboard_address=None) as found:
        yield found


class Murderous(Lines):
    """Kills one of the cluster's processes as soon as programs have been run."""

    def __init__(self, cluster):
        super().__init__()
        self.cluster, self.killed = cluster, None

    def changed(self, campaign):
        super().changed(campaign)
        if self.killed is None and any(tally.programs for tally in campaign.tallies.values()):
            nanny = next(iter(self.cluster.workers.values()))
            self.killed = nanny.pid
            os.kill(self.killed, 9)


def test_a_campaign_survives_the_death_of_a_worker(cluster, tmp_path):
    progress = Murderous(cluster)
    targets = ("interpret", "roundtrip", WRONG)
    options = Options(targets=targets, examples=60, cluster=cluster.scheduler_address, reducing=2.0)
    campaign = Campaign(Store(tmp_path), options, progress)
    campaign.run()
    assert progress.killed is not None, "there was no time to kill a worker"
    programs = {stream["target"]: stream["programs"] for stream in campaign.store.streams()}
    assert programs.keys() == set(targets) and all(count >= 60 for count in programs.values())
    kept = list(campaign.store.findings())
    assert {each.finding.target for each in kept} == {WRONG}
    assert sum(each.times for each in kept) > 20


@pytest.fixture
def server(tmp_path):
    """A Redis of our own, on a free port."""
    program = shutil.which("redis-server")
    assert program, "redis-server is not on PATH: install Debian's package redis-server"
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    running = subprocess.Popen(
        [program, "--port", str(port), "--save", "", "--dir", str(tmp_path)], stdout=subprocess.DEVNULL
    )
    address = f"redis://127.0.0.1:{port}/0"
    for _ in range(100):
        try:
            redis.Redis.from_url(address).ping()
            break
        except redis.RedisError:
            time.sleep(0.1)
    yield address
    running.terminate()
    running.wait()


def test_examples_are_shared_through_redis(server, tmp_path):
    options = Options(targets=("interpret",), examples=40, redis=server)
    Campaign(Store(tmp_path / "one"), options, Lines()).run()
    shared = Examples(tmp_path / "two", server)
    found = shared.fresh("interpret", "3.13 interpret")
    assert len(found) > 5
    for text in found:
        assert Recipe.from_bytes(text.encode()).program().source
    assert not (tmp_path / "one" / "examples").exists()
    assert shared.fresh("interpret", "3.13 interpret") != found


def test_a_redis_that_is_not_there_is_named(tmp_path):
    with pytest.raises(NoDatabase, match="no Redis at 'redis"):
        Examples(tmp_path, "redis://127.0.0.1:1/0")
