"""What the transparency log adds to the API."""

from __future__ import annotations

from ...http.feature import ApiFeature, link
from ...problem_types import Kind
from .routes import OPERATIONS, PAGES, TAG

_PROOFS = {"logProofs": link("getLogProofs", match="match")}
API = ApiFeature(
    operations=OPERATIONS,
    pages=PAGES,
    tags={TAG: "The transparency log of all finished matches, with proofs that nothing in it was changed."},
    problems={
        "not-in-log": Kind(
            404,
            "Das steht nicht oder noch nicht im Verzeichnis aller Partien.",
            "This is not in the transparency log, or not yet.",
            "A match is entered within seconds of its end, or after a minute if spectators are delayed. "
            "If you named a size, the log may not have reached it yet.",
        ),
        "cosignature-refused": Kind(
            422,
            "Das ist keine gültige Gegenzeichnung eines Stands dieses Verzeichnisses.",
            "This is no valid cosignature of a checkpoint of this log.",
            "`detail` says what is wrong. Get the checkpoint from /log/signed-checkpoint, and sign it as C2SP's cosignature/v1.",
        ),
        "too-many-witnesses": Kind(
            409,
            "Es gibt hier schon so viele Zeugen wie möglich.",
            "There are already as many witnesses here as possible.",
            "Ask the operator to list your public key. Your own copy of the checkpoint is worth as much without this service.",
        ),
    },
    links={
        ("getMatch", 200): _PROOFS,
        ("abortMatch", 200): _PROOFS,
        ("getCheckpoint", 200): {"consistency": link("getLogConsistency", to="size")},
    },
)
