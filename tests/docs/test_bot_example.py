"""The bots that docs/write-a-bot.md offers as a beginning, and the page itself."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import pytest

from tafelrunde.client import Client, Reset
from tafelrunde.domain.coup.stages import CoupStage
from tafelrunde.domain.game import GameId
from tafelrunde.domain.registry import GAMES
from tests.support.blocks import ADDRESS, blocks, need_curl
from tests.support.dice import Dice
from tests.support.paths import ROOT
from tests.support.patience import PATIENCE_SECONDS
from tests.support.served import Service, service
from tools.generate_clients import unprotected
from tools.node import environment

pytestmark = [pytest.mark.xdist_group("docs")]

COUP = GAMES[GameId("coup")]
EXAMPLES = ROOT / "docs" / "examples"
BOTS = {"bot.py": [sys.executable], "bot.ts": ["node"]}


@pytest.fixture(scope="module")
def served() -> Iterator[Service]:
    """A running service."""
    with service() as running:
        yield running


def run(command: Sequence[str], folder: Path = ROOT, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a program to its end, with the Node.js of the environment and no token but the given one."""
    variables = {**environment(), "TAFELRUNDE_TOKEN": "", **variables}
    seconds = 2 * PATIENCE_SECONDS
    return subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, timeout=seconds, check=False)


@pytest.mark.parametrize("bot", BOTS)
def test_example_plays_every_game_to_its_end(served: Service, bot: str) -> None:
    """It has fewer than 60 lines, knows no game, and plays all of them; its player says that it is a program."""
    assert len((EXAMPLES / bot).read_text(encoding="utf-8").splitlines()) < 60
    with Client(served.url) as guest:
        guest.sign_up()
        before = {match.match for match in guest.matches(status="over").items}
        done = run([*BOTS[bot], str(EXAMPLES / bot), served.url])
        assert (done.returncode, done.stderr) == (0, "")
        assert [line.split(":")[0] for line in done.stdout.splitlines()] == list(GAMES)
        hosts = {match.host for match in guest.matches(status="over").items if match.match not in before}
        assert all(guest.player(host).bot for host in hosts)
    assert not [*unprotected(served)]


@pytest.mark.parametrize("bot", BOTS)
def test_example_plays_on_as_the_player_of_its_token(served: Service, bot: str) -> None:
    """With a token it stays the player that it was, and takes a seat in the match that it is given."""
    with Client(served.url) as host, Client(served.url) as own:
        host.sign_up("Host")
        me = own.sign_up("My First Bot", bot=True)
        match = host.open_match("coup", 2, bots={0: "random"}, seat=None).match
        starting = threading.Thread(target=start_once_seated, args=(host, match))
        starting.start()
        done = run([*BOTS[bot], str(EXAMPLES / bot), served.url, match], TAFELRUNDE_TOKEN=own.token or "")
        starting.join()
        assert (done.returncode, done.stderr) == (0, "")
        assert re.fullmatch(r"coup: rank [12] of 2\n", done.stdout)
        assert own.match(match).chairs[1].player == me.id


def start_once_seated(host: Client, match: str) -> None:
    """Start a match as soon as its last seat is taken."""
    for item in host.follow(match):
        if not isinstance(item, Reset) and item.event["type"] == "match.seat-taken.1":
            host.start(match)
            return


def test_page_leads_to_a_better_bot_with_a_rating(tmp_path: Path) -> None:
    """Its `choose` fits into the example; the arena measures it against bots and exploiters, also from an empty folder."""
    (better,) = blocks(ROOT / "docs" / "write-a-bot.md", "python")
    example = (EXAMPLES / "bot.py").read_text(encoding="utf-8")
    mine = re.sub(r"def choose\(.*?\n\n\n", lambda _: better + "\n\n", example, flags=re.DOTALL)
    assert mine.count("def choose(") == 1
    (tmp_path / "my_bot.py").write_text(mine, encoding="utf-8")
    command = next(
        line for block in blocks(ROOT / "docs" / "write-a-bot.md", "sh") for line in block.splitlines() if "arena" in line
    )
    words = command.replace("--deals 50", "--deals 2 --bots random,always-bluffs --json").split()[1:]
    done = run([sys.executable, "-P", "-m", "tafelrunde.workers", *words], tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    printed = json.loads(done.stdout)
    assert [(duel["challenger"], duel["other"], duel["matches"]) for duel in printed["duels"]] == [
        ("my_bot.py", "random", 4),
        ("my_bot.py", "always-bluffs", 4),
    ]
    assert printed["standing"]["low"] <= printed["standing"]["points"] <= printed["standing"]["high"]


def section_of(title: str) -> str:
    """Return a section of the page."""
    return (ROOT / "docs" / "write-a-bot.md").read_text(encoding="utf-8").split(f"## {title}\n")[1].split("\n## ")[0]


def rows_of(section: str) -> Iterator[list[str]]:
    """Yield the cells of each line of the tables of a section."""
    for line in section.splitlines():
        if line.startswith("| `"):
            yield [cell.strip() for cell in line.strip("|").split(" | ")]


def test_page_names_the_commands_of_each_stage_of_coup() -> None:
    """What is legal in any stage, with all options, is in its row, and nothing else."""
    stages = {stage.key for stage in CoupStage}
    named: dict[str, set[str]] = {}
    table_of_stages = section_of("Coup: stages, commands, and the table").split("The fields of")[0]
    for first, *_, commands in rows_of(table_of_stages):
        for stage in stages & set(re.findall(r"`([\w-]+)`", first)):
            named[stage] = set(re.findall(r"`(coup\.[\w-]+)`", commands))
    found: dict[str, set[str]] = {stage: set() for stage in stages}
    for options in ({}, {"fifth_role": "inquisitor"}, {"duel_draft": True}):
        for seed in range(60):
            rng = random.Random(seed)
            dice = Dice(seed)
            table = COUP.create(msgspec.convert(options, COUP.options_type), 2)
            COUP.rulebook.set_up(table, dice)
            while (ask := COUP.pending(table)) is not None:
                seat = rng.choice(ask.open)
                legal = COUP.legal(table, seat)
                stage = msgspec.to_builtins(COUP.view(table, seat))["stage"]
                found[stage] |= {msgspec.to_builtins(command)["type"] for command in legal}
                COUP.play(table, seat, rng.choice(legal), dice)
    assert found == named


def test_page_names_all_fields_of_the_table_of_coup() -> None:
    """For people: the schema of the view is for programs."""
    rows = rows_of(section_of("Coup: stages, commands, and the table"))
    named = {field for first, *_ in rows for field in re.findall(r"`(\w+)`", first)}
    assert {field.name for field in msgspec.structs.fields(COUP.view_type)} <= named


def test_service_is_started_by_a_block_of_its_own() -> None:
    """It runs until it is stopped: what stands behind it in a pasted block would never be carried out."""
    pages = [*(ROOT / "docs").rglob("*.md"), ROOT / "README.md"]
    starting = re.compile(r"^(?:\S+=\S+ )*(?:\S*/)?tafelrunde (?:serve|api)\s*$|^make serve\s*$", re.MULTILINE)
    wrong = {
        page.name: block
        for page in pages
        for block in blocks(page, "sh")
        if starting.search(block) and len([line for line in block.splitlines() if line.strip()]) > 1
    }
    assert wrong == {}


def test_page_lets_a_bot_with_a_name_sit_down(served: Service, tmp_path: Path) -> None:
    """Its commands as printed: a new player that is a program, its token in the environment, a seat in the match named."""
    need_curl()
    copied, named = (block for block in blocks(ROOT / "docs" / "write-a-bot.md", "sh") if "my_bot.py http" in block)
    copying = copied.splitlines()[0].replace("docs/examples", str(EXAMPLES))
    with Client(served.url) as host:
        host.sign_up("Host")
        match = host.open_match("coup", 2, bots={0: "random"}, seat=None).match
        starting = threading.Thread(target=start_once_seated, args=(host, match))
        starting.start()
        script = f"{copying}\n{named.replace(ADDRESS, served.url)}"
        (tmp_path / ".venv").symlink_to(Path(sys.prefix))
        done = run(["bash", "-euc", script], tmp_path, MATCH=match)
        starting.join()
        assert (done.returncode, done.stderr) == (0, "")
        assert re.fullmatch(r"coup: rank [12] of 2\n", done.stdout)
        seated = host.match(match).chairs[1]
        assert (seated.name, seated.program) == ("My First Bot", True)


def test_arena_names_the_program_that_fails(tmp_path: Path) -> None:
    """A program that is not there, or ends with an error, is one sentence with its last words."""
    (tmp_path / "broken.py").write_text("raise SystemExit('no idea')")
    arena = [
        sys.executable,
        "-P",
        "-m",
        "tafelrunde.workers",
        "arena",
        "coup",
        "--seats",
        "2",
        "--deals",
        "1",
        "--bots",
        "random",
    ]
    broken = run([*arena, "--program", "broken.py"], tmp_path)
    assert (broken.returncode, broken.stderr.splitlines()[-1]) == (2, "broken.py failed: no idea")


def test_signed_statement_is_made_and_checked_as_printed(served: Service, tmp_path: Path) -> None:
    """The blocks of docs/bots.md sign with OpenSSL, the service accepts it, and OpenSSL verifies what everyone can read."""
    shell = blocks(ROOT / "docs" / "bots.md", "sh")
    signing = next(place for place, block in enumerate(shell) if "genpkey" in block)
    script = "".join(shell[signing : signing + 2]).replace(ADDRESS, served.url)
    done = run(["bash", "-euo", "pipefail", "-c", script], tmp_path)
    assert (done.returncode, done.stdout) == (0, "Signature Verified Successfully\n"), done.stderr
    with Client(served.url) as guest:
        stated = json.loads((tmp_path / "program.json").read_bytes())
        (statement,) = guest.program(stated["player"]).statements
        assert statement.text == (tmp_path / "statement.txt").read_text()
