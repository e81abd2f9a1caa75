"""One record, checked with all that there is to compare it with: the log, saved checkpoints, and what a player has kept."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from ..domain.registry import GAMES
from ..service.errors import NotFound, StartupRefused
from ..service.features.records.verdict import Conclusion, Doubt, Verdict
from ..service.features.records.verifier import Verifier
from ..service.games import Games, games_of
from ..service.matches.codec import Codec
from .kept_evidence import (
    NOTHING,
    Comparison,
    apply_comparison,
    compare_at_service,
    describe_missing,
    find_kept_file,
    name_own_cards,
    read_kept_file,
)
from .log_proofs import LogRoot, check_proofs, parse_checkpoint, parse_proofs
from .record_sources import Stored, load_record, read_file
from .remote import NotShown, download_proofs, is_address, parse_address

if TYPE_CHECKING:
    from tafelrunde.client.shapes import LeafProofs


class Evidence(msgspec.Struct, frozen=True):
    """What records are compared with: proofs from the transparency log (a file), a saved checkpoint, and what a player has kept.

    `bots`: of how many answers of bots one is computed again (0: none, None: a sample); `kept`: a file, or a folder of them;
    `games`: the names of the games of other packages whose records are checked (service/games.py).
    """

    log: Path | None = None
    checkpoint: str | None = None
    bots: int | None = 0
    kept: Path | None = None
    games: str = ""

    @property
    def asks_log(self) -> bool:
        """Whether proofs of the log are compared."""
        return self.log is not None or self.checkpoint is not None

    def verifier(self) -> Verifier:
        """Return what checks records so."""
        games = games_of(self.games)
        return Verifier(games, Codec(games), every_bot=self.bots)


class Result(NamedTuple):
    """The verdict on a record (None: a service does not give it), and how it compares with what was kept."""

    verdict: Verdict | None
    comparison: Comparison | None


def check_record(source: str, stored: Stored, token: str | None, evidence: Evidence) -> Result:
    """Check a file, an address (as the holder of a token) or a stored match, and compare it with everything given.

    Raises as `load_record` does, and StartupRefused for evidence that cannot be read.
    """
    try:
        lines = load_record(source, stored, token)
    except NotFound as error:
        if evidence.kept is None:
            raise
        kept = read_kept_file(find_kept_file(evidence.kept, parse_address(source).match if is_address(source) else source))
        if isinstance(error, NotShown):
            return Result(None, msgspec.structs.replace(NOTHING, unsure=error.why))
        return Result(None, msgspec.structs.replace(NOTHING, finding=describe_missing(kept, error)))
    verdict = evidence.verifier().verdict(lines)
    games = games_of(evidence.games)
    if verdict.conclusion is not Conclusion.WRONG and evidence.asks_log:
        saved = parse_checkpoint(evidence.checkpoint) if evidence.checkpoint is not None else None
        verdict = settle_by_log(verdict, lines, _read_proofs(source, token, evidence.log, saved), saved, games)
    if evidence.kept is None:
        return Result(verdict, None)
    kept = read_kept_file(find_kept_file(evidence.kept, verdict.match))
    if verdict.finding is not None:
        return Result(name_own_cards(verdict, kept), NOTHING)
    service = parse_address(source).service if is_address(source) else None
    comparison = compare_at_service(kept, lines, service, token, games)
    return Result(apply_comparison(verdict, comparison), comparison)


def settle_by_log(
    verdict: Verdict, lines: Sequence[bytes], proofs: LeafProofs, saved: LogRoot | None, games: Games = GAMES
) -> Verdict:
    """Return the verdict on a record in which nothing is wrong, beside its proofs in the log, also of the day of a deal."""
    finding = check_proofs(lines, proofs, saved, games)
    return msgspec.structs.replace(verdict.settle(Doubt.DAY_LEAF), finding=finding)


def _read_proofs(source: str, token: str | None, log: Path | None, saved: LogRoot | None) -> LeafProofs:
    """Return the proofs of a file, or those of the service that has the match."""
    if log is not None:
        return parse_proofs(read_file(log))
    if not is_address(source):
        raise StartupRefused("Name the file with the answer of /log/proofs/{match} (--log), or check the match at its address.")
    return download_proofs(source, token, saved.size if saved is not None else None)
