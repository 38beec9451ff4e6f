"""The record: finished rounds appended to a file in the round notation."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from highcardflush.errors import HcfError
from highcardflush.fairness import commitment
from highcardflush.game import State
from highcardflush.notation import format_proof, format_round
from highcardflush.rulebook import Rulebook

TABLE = "terminal"
"""Name of this table in a proof."""


class Recorder:
    """A file of rounds, open for appending. A round is written before its result is shown."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rulebook_name = ""
        try:
            self._created = not path.exists()
            self._file = path.open("a", encoding="utf-8", newline="\n")
            self._empty = path.stat().st_size == 0
        except OSError as error:
            read = error.strerror or str(error)
            raise HcfError("record", read=read, expected="a file to append to", file=str(path)) from None

    def name_rulebook(self, name: str) -> None:
        """Set the name of the rulebook in records; a path is relative to the record's own folder."""
        if name.endswith(".toml"):
            name = os.path.relpath(os.path.realpath(name), os.path.realpath(self.path.parent))
            if "#" in name or name.split() != [name]:
                expected = "a path without blanks and #, which the notation cannot hold"
                raise HcfError("record: rulebook", read=repr(name), expected=expected, file=str(self.path))
        self.rulebook_name = name

    def write(self, number: int, rulebook: Rulebook, state: State, seed: bytes) -> None:
        """Append a round with its proof: `hcf replay` replays it, `hcf verify` checks its cards."""
        played = format_round(rulebook, state, name=self.rulebook_name, with_hash=True)
        seeds = {"commitment": commitment(seed), "seed": seed.hex()}
        text = format_proof(TABLE, number, played, **seeds, player_seeds={}, player_commitments={}, rulebook=rulebook)
        try:
            self._file.write(("" if self._empty else "\n") + text)
            self._file.flush()
        except OSError as error:
            raise HcfError("record", read=error.strerror, expected="room to write", file=str(self.path)) from None
        self._empty = False

    def close(self) -> None:
        with suppress(OSError):  # The error was reported when the write failed.
            self._file.close()
            if self._created and self._empty:
                self.path.unlink()
