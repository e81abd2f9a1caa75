"""Backups of a stopped service: what lies beside the data, too."""

from __future__ import annotations

from pathlib import Path

from tafelrunde.service.runtime.backup import back_up
from tafelrunde.service.runtime.data_folder import LOGS
from tafelrunde.service.runtime.signing_file import SIGNING_KEY, key_file


def test_all_keys_are_in_a_backup(short_path: Path) -> None:
    """A service on the copy signs as before, also push messages; no other user can read them."""
    data, copy = short_path / "data", short_path / "copy"
    (data / LOGS).mkdir(parents=True, mode=0o700)
    data.chmod(0o700)
    names = (SIGNING_KEY, "push.key")
    for name in names:
        key_file(data, name)
    back_up(data, copy)
    for name in names:
        assert (copy / name).read_text() == (data / name).read_text()
        assert (copy / name).stat().st_mode & 0o077 == 0
