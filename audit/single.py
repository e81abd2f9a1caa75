"""One record, checked with all that there is to compare it with: the log, saved checkpoints, and what a player has kept."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from ..domain.registry import GAMES
from ..service.errors import NotFound, StartupRefused
from ..service.matches.codec import Codec
from ..service.records.verdict import Conclusion, Verdict
from ..service.records.verifier import Verifier
from .kept import NOTHING, Comparison, compared_at, gone, in_own_words, judged, kept_of, path_of
from .log_proofs import Checkpoint, checkpoint_of, finding_in, proofs_of
from .records import Stored, bytes_of, lines_at
from .remote import NotShown, is_address, place_of, proofs_at

if TYPE_CHECKING:
    from tafelrunde.client.evidence import LeafProofs


class Evidence(msgspec.Struct, frozen=True):
    """What records are compared with: proofs from the transparency log (a file), a saved checkpoint, and what a player has kept.

    `bots`: of how many answers of bots one is computed again (0: none, None: a sample); `kept`: a file, or a folder of them.
    """

    log: Path | None = None
    checkpoint: str | None = None
    bots: int | None = 0
    kept: Path | None = None

    @property
    def asks_log(self) -> bool:
        """Whether proofs of the log are compared."""
        return self.log is not None or self.checkpoint is not None

    def verifier(self) -> Verifier:
        """Return what checks records so."""
        return Verifier(GAMES, Codec(GAMES), every_bot=self.bots)


class Result(NamedTuple):
    """The verdict on a record (None: a service does not give it), and how it compares with what was kept."""

    verdict: Verdict | None
    comparison: Comparison | None


def checked(source: str, stored: Stored, token: str | None, evidence: Evidence) -> Result:
    """Check a file, an address (as the holder of a token) or a stored match, and compare it with everything given.

    Raises as `records.lines_at` does, and StartupRefused for evidence that cannot be read.
    """
    try:
        lines = lines_at(source, stored, token)
    except NotFound as error:
        if evidence.kept is None:
            raise
        kept = kept_of(path_of(evidence.kept, place_of(source).match if is_address(source) else source))
        if isinstance(error, NotShown):
            return Result(None, msgspec.structs.replace(NOTHING, unsure=error.why))
        return Result(None, msgspec.structs.replace(NOTHING, finding=gone(kept, error)))
    verdict = evidence.verifier().verdict(lines)
    if verdict.conclusion is not Conclusion.WRONG and evidence.asks_log:
        saved = checkpoint_of(evidence.checkpoint) if evidence.checkpoint is not None else None
        finding = finding_in(lines, _proofs(source, token, evidence.log, saved), saved)
        verdict = msgspec.structs.replace(verdict, finding=finding)
    if evidence.kept is None:
        return Result(verdict, None)
    kept = kept_of(path_of(evidence.kept, verdict.match))
    if verdict.finding is not None:
        return Result(in_own_words(verdict, kept), NOTHING)
    comparison = compared_at(kept, lines, place_of(source).service if is_address(source) else None, token)
    return Result(judged(verdict, comparison), comparison)


def verdict_of(source: str, stored: Stored, token: str | None = None, evidence: Evidence | None = None) -> Verdict:
    """Return the verdict of `checked` alone, where nothing was kept."""
    found = checked(source, stored, token, evidence or Evidence()).verdict
    assert found is not None, "only what was kept can stand for a match that is gone"
    return found


def _proofs(source: str, token: str | None, log: Path | None, saved: Checkpoint | None) -> LeafProofs:
    """Return the proofs of a file, or those of the service that has the match."""
    if log is not None:
        return proofs_of(bytes_of(log))
    if not is_address(source):
        raise StartupRefused("Name the file with the answer of /log/proofs/{match} (--log), or check the match at its address.")
    return proofs_at(source, token, saved.size if saved is not None else None)
