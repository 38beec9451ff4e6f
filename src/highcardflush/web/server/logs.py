"""The log: one JSON object a line, on standard error, and nothing secret in any of them.

What is logged is chosen where it is said: no body, no header, no query. Behind that stands `scrub`, which takes out of
every text whatever looks like a secret or like cards, wherever it comes from. Of an exception the log has its kind and
where it was; its words only if they are about disk or database, for others may repeat what somebody has sent.
"""

from __future__ import annotations

import logging
import re
import sys
import traceback
from datetime import UTC, datetime
from types import TracebackType
from typing import IO, Any

import msgspec

from highcardflush.errors import HcfError, OutcomeUnknown, StoreError

SCRUBBED = "..."
_SECRETS = re.compile(
    r"""
    \?[^\s"']*=[^\s"']*                                       # a query: tickets come in one
    | \b(?:bearer|basic)\s+\S+
    | (?:password|secret|ticket|token|cookie|session|seed|totp)["']?\s*[=:]\s*["']?[^\s"',;&}]+
    | [a-z0-9_-]{32,}                                         # a digest, a key, a token
    | (?:[0-9a-z]{4}-){5}[0-9a-z]{4}                          # a one-time code
    | (?-i:(?<![A-Za-z0-9])(?:[2-9TJQKA][cdhs][\s,]?){2,})     # cards, which either of them may begin with
    | ://[^\s/@]*@                                            # who connects to a database, and how
    """,
    re.VERBOSE | re.IGNORECASE,
)
_USUAL = {*vars(logging.makeLogRecord({})), "message", "asctime", "taskName", "color_message"}
"""What every record has."""
FRAMES = 12
"""How many places of a traceback are told, the innermost."""
ITS_WORDS = (StoreError, OutcomeUnknown, OSError)
"""Exceptions that say nothing but what is wrong with disk, network or database."""


def scrub(text: str) -> str:
    """A text without what looks like a secret.

    >>> scrub('GET /api/v1/live?ticket=abc 101')
    'GET /api/v1/live... 101'
    """
    return _SECRETS.sub(SCRUBBED, text)


class Lines(logging.Formatter):
    """A record as a line of JSON, with what was given as `extra` beside the message."""

    def format(self, record: logging.LogRecord) -> str:
        said: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name.removeprefix("highcardflush."),
            "process": record.process,
            "message": scrub(record.getMessage()),
        }
        said |= {key: _clean(value) for key, value in vars(record).items() if key not in _USUAL}
        if record.exc_info and record.exc_info[1] is not None:
            said |= _failure(record.exc_info[1], record.exc_info[2])
        return msgspec.json.encode(said).decode()


def _clean(value: object) -> object:
    if isinstance(value, dict):
        return {str(key): _clean(each) for key, each in value.items()}
    return value if value is None or isinstance(value, (bool, int, float)) else scrub(str(value))


def _failure(error: BaseException, trace: TracebackType | None) -> dict[str, Any]:
    places = [f"{each.filename.rpartition('/')[2]}:{each.lineno}" for each in traceback.extract_tb(trace)]
    said: dict[str, Any] = {"error": type(error).__name__, "where": places[-FRAMES:]}
    if isinstance(error, HcfError):
        said["code"] = error.code
    if isinstance(error, ITS_WORDS):
        said["words"] = scrub(str(error))
    return said


def set_up(level: str, stream: IO[str] | None = None) -> None:
    """Let everything in this process log so, libraries too."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(Lines())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    logging.captureWarnings(True)
    quiet = logging.WARNING if level != "debug" else logging.INFO
    for chatty in ("uvicorn", "uvicorn.error", "uvicorn.access", "alembic", "websockets"):
        logger = logging.getLogger(chatty)
        logger.handlers.clear()
        logger.propagate = True
        logger.setLevel(quiet)
