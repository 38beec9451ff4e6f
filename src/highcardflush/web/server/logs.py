"""The log on standard error, without secrets: one JSON object per line, or a line of text for a person at a terminal.

Callers log no body, header or query. In every string, `scrub` replaces everything that looks like a secret or cards.
Only disk and database errors are logged with their messages, because other messages may repeat a client's text.
"""

import logging
import re
import sys
from datetime import UTC, datetime
from pathlib import Path
from traceback import extract_tb
from typing import IO, Any

import msgspec

from highcardflush.errors import HcfError, OutcomeUnknown, StoreError
from highcardflush.web.server.settings import LogFormat

SCRUBBED = "..."
_SECRETS = re.compile(
    r"""
    \?[^\s"']*=[^\s"']*                                       # a query, which may contain a ticket
    | \b(?:bearer|basic)\s+\S+
    | (?:password|secret|ticket|token|cookie|session|seed|totp)["']?\s*[=:]\s*["']?[^\s"',;&}]+
    | [a-z0-9_-]{32,}                                         # a digest, a key, a token
    | (?:[0-9a-z]{4}-){5}[0-9a-z]{4}                          # a one-time code
    | (?-i:(?<![A-Za-z0-9])(?:[2-9TJQKA][cdhs][\s,]?){2,})     # cards
    | ://[^\s/@]*@                                            # user and password of a database
    """,
    re.VERBOSE | re.IGNORECASE,
)
_STANDARD = {*vars(logging.makeLogRecord({})), "message", "asctime", "taskName", "color_message"}
"""Attributes of every log record."""
FRAMES = 12
"""Maximum number of traceback frames in a log line, innermost last."""
WITH_MESSAGE = (StoreError, OutcomeUnknown, OSError)
"""Exceptions whose messages are only about disk, network or database."""


def scrub(text: str) -> str:
    """Replace everything that looks like a secret.

    >>> scrub('GET /api/v1/live?ticket=abc 101')
    'GET /api/v1/live... 101'
    """
    return _SECRETS.sub(SCRUBBED, text)


class JsonLines(logging.Formatter):
    """Formats a record as a line of JSON, with the fields of `extra` after the message."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name.removeprefix("highcardflush."),
            "process": record.process,
            "message": scrub(record.getMessage()),
        }
        return msgspec.json.encode(line | self.extra(record)).decode()

    def extra(self, record: logging.LogRecord) -> dict[str, Any]:
        """Return the fields of a record after its message."""
        line: dict[str, Any] = {key: _clean(value) for key, value in vars(record).items() if key not in _STANDARD}
        if record.exc_info and (error := record.exc_info[1]) is not None:
            places = [f"{Path(each.filename).name}:{each.lineno}" for each in extract_tb(record.exc_info[2])]
            line |= {"error": type(error).__name__, "where": places[-FRAMES:]}
            line |= {"code": error.code} if isinstance(error, HcfError) else {}
            line |= {"words": scrub(str(error))} if isinstance(error, WITH_MESSAGE) else {}
        return line


class TextLines(JsonLines):
    """Formats a record as text, such as `14:02:11 warning: a worker has ended (worker 2)`."""

    def format(self, record: logging.LogRecord) -> str:
        at, level = datetime.fromtimestamp(record.created).strftime("%H:%M:%S"), record.levelname.lower()
        extra = ", ".join(f"{key} {value}" for key, value in self.extra(record).items())
        message = scrub(record.getMessage())
        return f"{at} {level}: {message}" + (f" ({extra})" if extra else "")


def _clean(value: object) -> object:
    if isinstance(value, dict):
        return {str(key): _clean(each) for key, each in value.items()}
    return value if value is None or isinstance(value, (bool, int, float)) else scrub(str(value))


def set_up(level: str, form: LogFormat = "auto", stream: IO[str] | None = None) -> None:
    """Send the logs of this process and its libraries to a stream, by default to standard error."""
    handler = logging.StreamHandler(stream or sys.stderr)
    is_text = handler.stream.isatty() if form == "auto" else form == "text"
    handler.setFormatter(TextLines() if is_text else JsonLines())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    logging.captureWarnings(True)
    quiet = logging.WARNING if level != "debug" else logging.INFO
    for chatty in ("uvicorn", "uvicorn.error", "uvicorn.access", "alembic", "websockets"):
        logger = logging.getLogger(chatty)
        logger.handlers.clear()
        logger.propagate = True
        logger.setLevel(quiet)
