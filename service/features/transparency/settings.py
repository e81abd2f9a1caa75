"""Settings of the transparency log."""

from __future__ import annotations

import msgspec


class TransparencySettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of the transparency log.

    - witnesses: the public keys of witnesses whose cosignatures of checkpoints are always accepted, comma-separated; some others
      are accepted as well, as long as there is room.
    """

    witnesses: str = ""
