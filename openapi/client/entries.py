"""What a player keeps of a tournament before it draws its nonce: the file `c....tournament.json` of docs/auditing.md."""

from __future__ import annotations

import base64
from hashlib import sha256
from pathlib import Path

import msgspec

from .shapes import Plain, SigningKeys, TournamentSheet

FORMAT = "tafelrunde.kept-tournament.1"
ENDING = ".tournament.json"
MOST_ROUNDS, MOST_TABLES = 63, 32
"""How many rounds a tournament has, and how many tables a round, at most."""


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """What binds the deals of a tournament. `deal_secret` is None until the tournament is over."""

    tournament: str
    draw_commitment: str
    deal_commitment: str
    public_ids: bool
    deal_secret: str | None = None


class KeptTournament(msgspec.Struct, frozen=True, kw_only=True):
    """What was kept of a tournament: who signs, its terms and settings, the nonce of the player, and who had joined before.

    `player` is the player's own id, and `ahead` has the ids of players and the names of bots that had joined before, in order.
    Both are empty until the answer to the join has arrived.
    """

    format: str = FORMAT
    service: str
    origin: str
    keys: tuple[str, ...]
    checkpoints: tuple[str, ...]
    terms: Terms
    game: str
    seats: int
    kind: str
    options: dict[str, Plain]
    nonce: str = ""
    player: str = ""
    ahead: tuple[str, ...] = ()


def terms_of(sheet: TournamentSheet) -> Terms:
    """Return what a tournament shows of its terms."""
    facts = sheet.facts
    return Terms(
        tournament=facts.tournament,
        draw_commitment=facts.draw_commitment,
        deal_commitment=facts.deal_commitment,
        public_ids=facts.public_ids,
        deal_secret=facts.deal_secret,
    )


def keep_terms(service: str, keys: SigningKeys, checkpoint: bytes, sheet: TournamentSheet) -> KeptTournament:
    """Return what is kept of a tournament before the nonce is drawn."""
    return KeptTournament(
        service=service,
        origin=keys.origin,
        keys=keys.keys,
        checkpoints=(checkpoint.decode(),),
        terms=terms_of(sheet),
        game=sheet.facts.game,
        seats=sheet.facts.seats,
        kind=sheet.facts.kind,
        options=dict(sheet.facts.options),
    )


def with_place(kept: KeptTournament, joined: TournamentSheet) -> KeptTournament:
    """Return what is kept with the player's own place among the entrants, as the answer to the join shows it."""
    entrants = sorted(joined.standings, key=lambda each: each.entrant)
    names = [each.player or each.bot or "" for each in entrants]
    if (entry := joined.facts.entry) is None or entry >= len(names):
        return kept
    return msgspec.structs.replace(kept, player=names[entry], ahead=tuple(names[:entry]))


def match_of_table(tournament: str, number: int, table: int) -> str:
    """Return the id of the match of a table; rounds count from 1, tables from 0."""
    label = f"tafelrunde/tournament-match/1|{tournament}|{number}|{table}"
    return "m" + base64.b32encode(sha256(label.encode()).digest()[:15]).decode().lower()


def matches_of(tournament: str) -> dict[str, tuple[int, int]]:
    """Return the round and the table of every match that a tournament may have, by the id of the match."""
    places = ((number, table) for number in range(1, MOST_ROUNDS + 1) for table in range(MOST_TABLES))
    return {match_of_table(tournament, *place): place for place in places}


def read_tournament(content: bytes) -> KeptTournament:
    """Return what a file has; raise ValueError."""
    kept = msgspec.json.decode(content, type=KeptTournament)
    if kept.format != FORMAT:
        raise ValueError(f"not the format {FORMAT}")
    return kept


class EntriesFolder:
    """The tournaments of a folder: keeps a file for each, and knows which matches are theirs."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._by_match: dict[str, str] = {}
        self._kept: dict[str, KeptTournament] = {}
        for path in sorted(folder.glob(f"*{ENDING}")) if folder.is_dir() else ():
            self._note(read_tournament(path.read_bytes()))

    def find(self, tournament: str) -> KeptTournament | None:
        """Return what was kept of a tournament."""
        return self._kept.get(tournament)

    def of_match(self, match: str) -> KeptTournament | None:
        """Return the tournament that a match belongs to by its id."""
        tournament = self._by_match.get(match)
        return self._kept[tournament] if tournament is not None else None

    def matches(self, tournament: str) -> list[str]:
        """Return the ids of all matches that a tournament which is kept may have."""
        return [match for match, of in self._by_match.items() if of == tournament]

    def put(self, kept: KeptTournament) -> None:
        """Keep a tournament; its file is written as a whole."""
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._folder / f"{kept.terms.tournament}{ENDING}"
        made = path.with_suffix(".new")
        made.write_bytes(msgspec.json.format(msgspec.json.encode(kept)) + b"\n")
        made.replace(path)
        self._note(kept)

    def _note(self, kept: KeptTournament) -> None:
        tournament = kept.terms.tournament
        if tournament not in self._kept and kept.terms.public_ids:
            self._by_match.update(dict.fromkeys(matches_of(tournament), tournament))
        self._kept[tournament] = kept
