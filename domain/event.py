"""Events: what happens at a table. The part of the contract in domain/game.py that each event builds on."""

from __future__ import annotations

import msgspec


class Event(msgspec.Struct, frozen=True, tag_field="type", omit_defaults=False):
    """What happened. Past tense; tagged `<game>.<object-verbed>.<version>`, for instance `coup.dealt.1`.

    Each field says who may know it, in the terms of domain/secrecy.py; the other viewers get the event with None in its place.
    """
