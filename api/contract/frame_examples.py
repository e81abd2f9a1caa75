"""Examples of the frames of the socket: what requests and answers of the real runs are as frames."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from ...service.runtime.connections import FRAME_BYTES
from ..http.asking import FeatureFrames
from ..socket import frames
from .examples import read_examples
from .schemas import Json, tag_of

KEY = "0f6c4a2d9b"
WELCOME: Json = {"ping_seconds": 15, "subscriptions": 50, "frames": 32, "frame_bytes": FRAME_BYTES}


def frame_examples(more: FeatureFrames) -> Mapping[type[msgspec.Struct], Json]:
    """Return one example of each frame, by its class, also of those that features add."""
    examples = read_examples()
    given: Json = examples["giveCommand"]
    view: Json = examples["getView"]["response"]
    page: Json = examples["getFeed"]["response"]
    here = {"match": view["match"]}
    shown: dict[type[msgspec.Struct], Json] = {
        frames.HelloFrame: {"token": "tr_0f6c4a2d"},
        frames.SubscribeFrame: {"id": "1", **here, "after": view["cursor"]},
        frames.UnsubscribeFrame: {"id": "2", **here},
        frames.CommandFrame: {"id": "3", **here, **given["request"], "key": KEY},
        frames.ViewRequestFrame: {"id": "4", **here},
        frames.WelcomeFrame: {"player": view["chairs"][0]["player"], **WELCOME},
        frames.SubscribedFrame: {"id": "1", **here, "cursor": view["cursor"]},
        frames.UnsubscribedFrame: {"id": "2", **here},
        frames.ReceiptFrame: {"id": "3", "replayed": False, "receipt": given["response"]},
        frames.AcceptedFrame: {"id": "3"},
        frames.ViewFrame: {"id": "4", "view": view},
        frames.ProblemFrame: {"id": "3", "problem": examples["problems"]["decision-closed"]},
        frames.ItemsFrame: {**here, "items": page["items"], "cursor": page["cursor"]},
        frames.ResetFrame: here,
        frames.EndFrame: here,
        frames.ByeFrame: here,
    }
    for each in more.values():
        shown |= each.examples(examples)
    return {kind: {"type": tag_of(kind), **fields} for kind, fields in shown.items()}
