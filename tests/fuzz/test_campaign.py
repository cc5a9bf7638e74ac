"""Campaigns: findings are kept, counted once, reproduced, written as tests, reported; nothing is lost."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time

import pytest

import opcodes
from fuzz import crossing
from fuzz.campaign import Campaign, Options
from fuzz.findings import Finding, to_data
from fuzz.generated import GeneratedFunction
from fuzz.pairs import crossed
from fuzz.progress import Lines
from fuzz.store import NoCampaign, Store

WRONG = "user:tests.fuzz.wrong_machines.boxing"
COMMAND = [sys.executable, "-c", "from translator.command_line import main; main()"]
PROGRAM = to_data(GeneratedFunction("def f(n):\n    return n\n", ("f(1)",)))


def opshift(*arguments, cwd=None):
    """The command in a process of its own."""
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    environment = {**os.environ, "PYTHONPATH": root, "OPSHIFT_FUZZ_NUMPY": "0"}
    done = subprocess.run(
        [*COMMAND, "fuzz", *map(str, arguments)], capture_output=True, text=True, env=environment, cwd=cwd
    )
    return done


def finding(rough, signature=None, python="3.13"):
    return Finding(
        "disagreement", "interpret", python, python, rough, signature or rough, rough, PROGRAM, "f(1)"
    )


def test_findings_are_kept_once_and_counted(tmp_path):
    store = Store(tmp_path)
    first = store.found(finding("a | b"))
    assert first == (1, True)
    assert store.found(finding("a | b")) == (1, False)
    assert store.found(finding("a | b", python="3.10")) == (1, True)
    assert store.found(finding("c | d"))[0] == 2
    store.close()
    (one, two) = Store(tmp_path, create=False).findings()
    assert (one.times, one.pythons, two.times) == (3, ["3.10", "3.13"], 1)


def test_findings_that_turn_out_to_be_one_are_one(tmp_path):
    store = Store(tmp_path)
    for rough in ("a", "b"):
        number, _ = store.found(finding(rough))
        store.made_small(number, finding(rough, "the same at the same place"))
    assert [(each.number, each.times, each.small) for each in store.findings()] == [(1, 2, True)]
    assert store.found(finding("b"))[0] == 1


def test_one_that_fails_in_two_places_is_two(tmp_path):
    store = Store(tmp_path)
    number, _ = store.found(finding("a"))
    assert store.made_small(number, finding("a", "a | here")) == 1
    assert store.made_small(number, finding("a", "a | there")) == 2
    assert store.made_small(number, finding("a", "a | there")) == 2
    assert store.count() == 2


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """A campaign against a machine that is wrong, run by the command."""
    folder = tmp_path_factory.mktemp("campaign")
    done = opshift(
        "run", "--python", sys.executable, "--target", WRONG, "--examples", 12, "--corpus", folder, "--json"
    )
    assert done.returncode == 1, done.stderr
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert events[0]["event"] == "started" and events[-1]["event"] == "end"
    assert events[-1]["findings"] >= 1
    assert any(event["event"] == "finding" and event["small"] for event in events)
    return folder


def test_list_names_target_and_version(corpus):
    done = opshift("list", "--corpus", corpus)
    here = ".".join(map(str, opcodes.HOST))
    assert done.returncode == 0 and WRONG in done.stdout and here in done.stdout
    rows = json.loads(opshift("list", "--corpus", corpus, "--json").stdout)
    assert {"id", "times", "program", "signature", "expected", "got"} <= rows[0].keys()


def test_reproduce_shows_both_sides_and_fails(corpus):
    done = opshift("reproduce", 1, "--corpus", corpus)
    assert done.returncode == 1
    for said in ("def f(", "CPython:", "they part:", "where:"):
        assert said in done.stdout, done.stdout + done.stderr


def test_a_written_test_fails_as_long_as_the_finding_does(corpus, tmp_path):
    path = tmp_path / "test_it.py"
    assert opshift("test", 1, "--corpus", corpus, "-o", path).stdout.strip() == str(path)
    text = path.read_text(encoding="utf-8")
    assert "def test_finding_1():" in text
    scope = {}
    exec(compile(text, str(path), "exec"), scope)
    with pytest.raises(pytest.fail.Exception, match="part at f"):
        scope["test_finding_1"]()
    exec(compile(text.replace(WRONG, WRONG.replace("boxing", "right")), str(path), "exec"), scope)
    scope["test_finding_1"]()


def test_the_report_is_one_page_with_every_instruction(corpus):
    done = opshift("report", "--corpus", corpus)
    page, markdown = (open(path, encoding="utf-8").read() for path in done.stdout.split())
    assert "http" not in page and "<script" not in page
    assert "class=never>never" in page and "**never**" in markdown
    for name in (
        "RETURN_VALUE",
        "LOAD_SUPER_ATTR" if "LOAD_SUPER_ATTR" in opcodes.table(opcodes.HOST).opmap else "CALL",
    ):
        assert name in page and name in markdown
    assert "never carried out" in markdown


def test_a_campaign_goes_on_where_it_was(corpus):
    before = Store(corpus, create=False).streams()[0]
    assert before["programs"] == 12
    again = opshift("run", "--corpus", corpus)
    assert again.returncode == 2 and "has a campaign already" in again.stderr
    done = opshift("run", "--resume", "--examples", 16, "--corpus", corpus)
    assert done.returncode == 1, done.stderr
    assert Store(corpus, create=False).streams()[0]["programs"] == 16


def test_killed_in_the_middle_nothing_found_is_lost(tmp_path):
    running = subprocess.Popen(
        [*COMMAND, "fuzz", "run", "--target", WRONG, "--seconds", "600", "--corpus", str(tmp_path)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    database = tmp_path / "campaign.sqlite"
    found = 0
    while not found and running.poll() is None:
        time.sleep(0.1)
        try:
            found = sqlite3.connect(database).execute("SELECT count(*) FROM findings").fetchone()[0]
        except sqlite3.Error:
            continue
    running.send_signal(signal.SIGKILL)
    running.wait()
    store = Store(tmp_path, create=False)
    kept = list(store.findings())
    assert len(kept) >= found >= 1
    assert kept[0].finding.program["source"]


def test_ctrl_c_ends_it_well(tmp_path):
    class Impatient(Lines):
        interrupted = False

        def found(self, number, finding, small):
            if not self.interrupted:
                self.interrupted = True
                raise KeyboardInterrupt

    store = Store(tmp_path)
    campaign = Campaign(store, Options(targets=(WRONG,), seconds=600), Impatient())
    campaign.run()
    assert campaign.stopped and store.count() >= 1
    assert store.streams()[0]["programs"] >= 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("list", "--corpus", "nowhere"), "no campaign in 'nowhere'"),
        (("run", "--target", "goto"), "no target 'goto'"),
        (("run", "--target", "user:no.such.machine"), "cannot be imported"),
        (("run", "--python", "3.9"), "no opcode tables for CPython 3.9"),
        (("run", "--resume"), "nothing to resume"),
        (("run", "--target", "cross"), "needs two Pythons"),
        (("run", "--seconds", "soon"), "'soon' is not a valid float"),
        (("run", "--cluster", "tcp://127.0.0.1:1", "--examples", "1"), "Dask"),
    ],
)
def test_bad_input_is_one_line(arguments, said, tmp_path):
    done = opshift(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr and done.stderr.count("\n") == 1, done.stderr


def test_a_finding_that_there_is_not(tmp_path):
    with pytest.raises(NoCampaign, match=r"no finding 3 in .*: there are none"):
        Store(tmp_path).finding(3)


def test_bytecode_of_another_version_agrees_and_a_difference_is_seen():
    version = next(each for each in opcodes.VERSIONS if each != opcodes.HOST)
    other = shutil.which(f"python{version[0]}.{version[1]}")
    assert other, "this test needs another CPython on PATH"
    script = "log = []\ndef f(n):\n    for i in range(n):\n        log.append(i * 2)\n    return log[-1] / n\n\n#: f(3)\n"
    assert crossed(script, other, sys.executable) is None
    function = GeneratedFunction("def f(n):\n    return [n]\n", ("f(1)",))
    item = crossing.export(function)
    item["observations"] = [text.replace('"1"', '"2"') for text in item["observations"]]
    call, expected, got = crossing.carry_out(item, crossing.header())
    assert call == "f(1)" and expected.difference(got).startswith("result[0]: 2")
