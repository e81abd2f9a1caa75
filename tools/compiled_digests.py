"""`python -m tools.compiled_digests FORM MATCHES GAME...`: what bots play in one form of the rules, as a digest per game.

A digest is over all that the rules say: who is asked, what is legal, the view of the asked seat, each event, the form of the
table that logs have digests of, and the result. Beside it stand the digests of rules and of bots' code that records name: they
are of the release, not of its form. Beginners, bots by rules of thumb and random ones sit at each table, in every number of
seats; in each fortieth match they search. FORM is checked: a comparison of one form with itself would mean nothing.
"""

from __future__ import annotations

import hashlib
import importlib
import random
import sys
from collections.abc import Sequence

import msgspec

from tafelrunde.domain.bots import character
from tafelrunde.domain.game import AnyGame, InvalidOptions, Level, Options
from tafelrunde.domain.registry import GAMES
from tafelrunde.domain.search import SampledChance, Steps
from tafelrunde.service.features.records.record import rules_digest
from tafelrunde.service.matches.bot_answers import bot_code
from tools.commands import CommandLine

SEARCHED_EVERY, STEPS = 40, 2


def played(game: AnyGame, seed: int) -> bytes:
    """Return all that the rules say in one match, encoded."""
    rng = random.Random(seed)
    seats = rng.randint(game.min_seats, game.max_seats)
    levels = [Level.RULES, Level.BEGINNER, Level.RANDOM, *([] if seed % SEARCHED_EVERY else [Level.SEARCH_SMALL])]
    bots = [bot for name, bot in game.bots().items() if character(game, name).level in levels]
    players = [bots[rng.randrange(len(bots))] for _ in range(seats)]
    table = game.create(_options(game, seats), seats)
    chance = SampledChance(rng)
    said = list[object]()
    events = game.start(table, chance)
    while True:
        for event in events:
            game.fold(table, event)
        ask = game.pending(table)
        said += [events, table.digest_form(), ask]
        said = [hashlib.sha256(msgspec.json.encode(said, order="deterministic")).digest()]
        if ask is None:
            return msgspec.json.encode([said, game.standing(table)])
        seat = ask.open[0]
        view, legal = game.view(table, seat), game.legal(table, seat)
        said += [view, legal, game.menu(table, seat), game.default(table, seat)]
        events = game.decide(table, seat, players[seat].choose(view, legal, rng, Steps(STEPS)), chance)


def _options(game: AnyGame, seats: int) -> Options:
    """Return the usual options, or those of team mode if there are that many seats in teams only."""
    options = game.options_type()
    try:
        game.check(options, seats)
    except InvalidOptions:
        options = msgspec.convert({"mode": "team"}, game.options_type)
    return options


def named(game: AnyGame) -> tuple[str, str]:
    """Return what records name of a game: the digest of its rules, and that of its bots' code."""
    return rules_digest(game), bot_code(game)


def is_compiled(game: AnyGame) -> bool:
    """Return whether the rules of a game are machine code."""
    return not str(importlib.import_module(f"{type(game).__module__.rpartition('.')[0]}.rules").__file__).endswith(".py")


def main(form: str, matches: int, chosen: Sequence[str]) -> None:
    """Print one digest per game, and what records name of it."""
    for game in GAMES.values():
        folder = type(game).__module__.split(".")[2]
        if folder not in chosen:
            continue
        if is_compiled(game) != (form == "compiled"):
            sys.exit(f"the rules of {folder} are not {form} here")
        found = hashlib.sha256(b"".join(played(game, seed) for seed in range(matches)))
        print(folder, matches, found.hexdigest(), *named(game))  # noqa: T201 - what the command is for


if __name__ == "__main__":
    command = CommandLine(__doc__)
    command.add_argument("form", choices=("plain", "compiled"))
    command.add_argument("matches", type=int)
    command.add_argument("games", nargs="*", help="names of their folders in domain/")
    given = command.parse_args()
    main(given.form, given.matches, given.games)
