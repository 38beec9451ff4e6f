"""The rules of a round: the rulebook of its table's configuration with the settings that it was opened with."""

from __future__ import annotations

from highcardflush.house.audit.books import Books, Event
from highcardflush.house.audit.wire import read_parts, read_rulebook
from highcardflush.rulebook.load import configure
from highcardflush.rulebook.model import Rulebook


class Rulebooks:
    """Rulebooks by the `open` of a round; there are few, so each is put together once."""

    def __init__(self, books: Books) -> None:
        self._books = books
        self._configured: dict[tuple[str, int], Rulebook] = {}
        self._laid_over: dict[tuple[str, int, str], Rulebook] = {}

    def of(self, opening: Event) -> Rulebook:
        body = opening.body()
        place = opening.stream, int(body["config"])
        key = (*place, str(body["settings"]))
        if key not in self._laid_over:
            self._laid_over[key] = configure(self._rulebook(*place), None, body["settings"])
        return self._laid_over[key]

    def _rulebook(self, stream: str, seq: int) -> Rulebook:
        if (stream, seq) not in self._configured:
            event = self._books.event(stream, seq)
            if event is None:
                raise LookupError(f"no configuration {stream} {seq}")
            config = read_parts(read_parts(event.text)["config"])
            self._configured[stream, seq] = read_rulebook(config["rulebook"])
        return self._configured[stream, seq]
