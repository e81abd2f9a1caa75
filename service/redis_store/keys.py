"""The names of all keys. What belongs to one shard has the shard as hash tag, so that one script may touch all of it."""

from __future__ import annotations

from ...domain.match import MatchId, PlayerId
from ..ports.agenda import AgendaKind
from ..ports.events import SHARDS, Shard, shard_of

ALL_SHARDS = tuple(Shard(number) for number in range(SHARDS))
_TAGS = tuple(f"{{s{number:02d}}}" for number in range(SHARDS))
DEPLOYMENT = "deployment"
"""Hash: the permanent settings of a deployment."""
ID_KEY = "id_key"
"""Its field that identifies the deployment."""
PLACE = "archives"
"""Its field with the mark of the blob store that archives outside are in."""
CLOCK = "clock"
"""String: the latest time (Unix milliseconds) that was seen, to within a second."""
CHANNEL = "tafelrunde"
"""Channel, followed by the deployment where one server may have several: `<log> <position> <match> <version> <writer>`."""
DELETIONS = "deletions"
"""Sorted set: player that is being deleted -> Unix milliseconds since when."""


_COPIED = frozenset((*_TAGS, "{ratings}", "{log}", "{hooks}"))
"""The hash tags of slots with more than one key; those of features are here, too, as the copies are made before any is asked."""
COPIES = tuple(f"{DEPLOYMENT}:{each}" for each in sorted(_COPIED))
"""Hashes, in a cluster only: copies of the id key, one for each hash tag whose slot has more than one key."""


def copy_of(key: bytes | str | int) -> str:
    """Return what follows `deployment` in the name of the copy in a key's slot; empty if there is none."""
    name = key.decode() if isinstance(key, bytes) else str(key)
    tag = f"{{{name.partition('{')[2].partition('}')[0]}}}"
    return f":{tag}" if tag in _COPIED else ""


def absent(copy: str) -> str:
    """Return a key that never exists, in the slot of that copy of the id key.

    A server of a cluster runs no script that names it while the slot moves: with keys on both servers, scripts would find those
    that they make names for missing, or fail halfway.
    """
    return f"absent{copy}"


def tag(shard: Shard) -> str:
    """Return the hash tag of a shard."""
    return _TAGS[shard]


def entries(match_id: MatchId) -> str:
    """Stream: the entries of a match, with the ids `0-<version>`."""
    return f"m:{tag(shard_of(match_id))}:{match_id}:e"


def head(match_id: MatchId) -> str:
    """Hash: version, chain, status, up to which version the match is archived, and the name of the blob if that is outside."""
    return f"m:{tag(shard_of(match_id))}:{match_id}:h"


def written(match_id: MatchId) -> str:
    """Hash: digest of an idempotency key -> first and last version, and the fingerprint."""
    return f"m:{tag(shard_of(match_id))}:{match_id}:i"


def archive(match_id: MatchId) -> str:
    """String: the blob of an archived match."""
    return f"m:{tag(shard_of(match_id))}:{match_id}:a"


def staged(match_id: MatchId) -> str:
    """String: a blob that is to become the archive and has not been verified yet."""
    return f"m:{tag(shard_of(match_id))}:{match_id}:b"


def leftovers(shard: Shard) -> str:
    """Sorted set: key of a blob outside that is no archive -> Unix milliseconds since when; 0: it is being deleted."""
    return f"leftovers:{tag(shard)}"


def reference(match_id: MatchId) -> str:
    """String: the first entries of a branch, as a reference to its origin."""
    return f"m:{tag(shard_of(match_id))}:{match_id}:r"


def log(shard: Shard) -> str:
    """Stream: pointers, the newest ones of a shard."""
    return f"log:{tag(shard)}"


def matches(shard: Shard) -> str:
    """List: the ids of all matches of a shard, oldest first."""
    return f"matches:{tag(shard)}"


def agenda(kind: AgendaKind, shard: Shard) -> str:
    """Sorted set: match -> Unix milliseconds."""
    return f"{kind.value}:{tag(shard)}"


def rows(shard: Shard) -> str:
    """Hash: match -> row of the projections, with the indexes that contain it."""
    return f"rows:{tag(shard)}"


def checkpoint(shard: Shard) -> str:
    """String: the position up to which the rows of a shard are projected."""
    return f"rows:{tag(shard)}:at"


def again(shard: Shard) -> str:
    """Sorted set: match -> Unix milliseconds at which its row is due to be rebuilt."""
    return f"rows:{tag(shard)}:again"


def index(shard: Shard, name: str) -> str:
    """Sorted set, all scores 0: the rows of one listing."""
    return f"rows:{tag(shard)}:{name}"


def lease(name: str) -> str:
    """String: who holds the lease."""
    return f"lease:{name}"


def owners(group: str) -> str:
    """Sorted set: who shares the leases of a group -> Unix milliseconds until when."""
    return f"owners:{group}"


def player(player: PlayerId) -> str:
    """String: a player's record."""
    return f"player:{player}"


def program(player: PlayerId) -> str:
    """String: what the operator of a player's program has stated."""
    return f"program:{player}"


def tokens(player: PlayerId) -> str:
    """Hash: token id -> digest and record."""
    return f"tokens:{player}"


def token(digest: bytes) -> str:
    """String: a token's record, under the sha256 of its secret."""
    return f"token:{digest.hex()}"


def budget(holder: str) -> str:
    """String: the time (Unix microseconds) at which a holder's budget of requests will be full again."""
    return f"budget:{holder}"


def held(holder: str) -> str:
    """Sorted set: the matches of a holder, by the time (Unix milliseconds) since when."""
    return f"held:{{{holder}}}"


def answer(place: str) -> str:
    """String: a sealed answer that is kept for a repeated request, or who is making it."""
    return f"answer:{place}"


FAILURES = "failures"
"""Hash: job and task -> its failures in a row."""
