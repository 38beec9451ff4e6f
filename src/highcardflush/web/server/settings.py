"""Settings of the table server. Options, variables, the file's keys, `--help` and docs are derived from them.

Environment variables override the file; options override both. Settings that can change at run time are floor settings.
"""

import tomllib
from collections.abc import Iterator, Mapping
from ipaddress import ip_network
from typing import Annotated, Any, Literal, get_args, get_type_hints

import msgspec
from msgspec import Meta, Struct, structs

from highcardflush.errors import TextError

Level = Literal["debug", "info", "warning", "error"]
LogFormat = Literal["auto", "text", "json"]
Browser = Literal["auto", "no"]
Networks = tuple[str, ...]
"""Addresses or networks such as 10.0.0.0/8."""
Names = tuple[Annotated[str, Meta(pattern=r"^[^\s:/]+\Z")], ...]
_URL, _FILE, _HOST = {"metavar": "URL"}, {"metavar": "FILE"}, {"metavar": "HOST"}
LOOPBACK: Networks = ("127.0.0.0/8", "::1/128")


class Settings(Struct, frozen=True, kw_only=True, rename="kebab"):
    db: Annotated[
        str | None,
        Meta(
            description="Database: sqlite:///FILE or postgresql://...; by default house.db in the data folder",
            extra=_URL,
        ),
    ] = None
    key: Annotated[
        str | None,
        Meta(
            description="House key file; by default next to the SQLite file, or house.key in the data folder",
            extra=_FILE,
        ),
    ] = None
    host: Annotated[str, Meta(description="Address to listen on", min_length=1, extra=_HOST)] = "127.0.0.1"
    port: Annotated[
        int, Meta(description="Port to listen on; 0 picks any free port", ge=0, le=65_535, extra={"metavar": "PORT"})
    ] = 8080
    workers: Annotated[
        int, Meta(description="Number of processes that share the port; more than 1 needs PostgreSQL", ge=1, le=64)
    ] = 1
    certificate: Annotated[
        str | None, Meta(description="Certificate and its chain in PEM, to serve TLS", extra=_FILE)
    ] = None
    certificate_key: Annotated[str | None, Meta(description="Private key of the certificate", extra=_FILE)] = None
    trusted_proxies: Annotated[
        Networks, Meta(description="Proxies whose X-Forwarded headers (client address, https) are trusted")
    ] = ()
    hosts: Annotated[
        Names,
        Meta(
            description="Host names that the server answers to, besides localhost and IP addresses. "
            "If none is set, a server that only this machine can reach refuses other names; others accept all names"
        ),
    ] = ()
    metrics_from: Annotated[Networks, Meta(description="Addresses that may read /metrics")] = LOOPBACK
    connections: Annotated[
        int,
        Meta(description="Maximum number of connections per process; further ones get status 503", ge=1, le=1_000_000),
    ] = 16_000
    stop_seconds: Annotated[
        int,
        Meta(
            description="Time that live rounds have to end after SIGTERM; "
            "rounds that are still live are kept for the next start",
            ge=0,
            le=3600,
        ),
    ] = 45
    least_free_mb: Annotated[
        int,
        Meta(
            description="Free disk space in MB below which /health warns and the server does not reopen a failed "
            "database",
            ge=1,
        ),
    ] = 64
    audit_hours: Annotated[
        int, Meta(description="Hours without an audit after which /health warns; 0 turns this off", ge=0)
    ] = 0
    log_format: Annotated[
        LogFormat, Meta(description="Form of log lines; auto means text on a terminal, otherwise JSON")
    ] = "auto"
    browser: Annotated[
        Browser, Meta(description="Whether a browser opens the lobby; auto means on a terminal of a desktop")
    ] = "auto"
    log_level: Annotated[Level, Meta(description="Lowest level that is logged")] = "info"

    def __repr__(self) -> str:
        return "<settings>"  # a database address may contain a password


class Row(Struct, frozen=True):
    """Description of a setting. If the setting has no default, `default` is empty."""

    key: str
    metavar: str
    kind: str
    default: str
    description: str

    @property
    def option(self) -> str:
        return f"--{self.key}"

    @property
    def variable(self) -> str:
        return f"HCF_{self.key.upper().replace('-', '_')}"

    def split(self, text: str) -> str | list[str]:
        """Split the text of an option or a variable if the setting is a list; return any other text unchanged."""
        return [part.strip() for part in text.split(",") if part.strip()] if self.kind in (_LIST, _NAMES) else text


_HINTS = get_type_hints(Settings, include_extras=True)
_LIST, _NAMES = "a list of addresses or networks", "a list of names"
_CHOICES: dict[Any, str] = {choices: " or ".join(get_args(choices)) for choices in (Level, LogFormat, Browser)}
_METAVARS = {
    _LIST: "LIST",
    _NAMES: "LIST",
    _CHOICES[Level]: "LEVEL",
    _CHOICES[LogFormat]: "FORM",
    _CHOICES[Browser]: "WHEN",
}


def rows() -> Iterator[Row]:
    for field in structs.fields(Settings):
        hint = _HINTS[field.name]
        (meta,) = (extra for extra in hint.__metadata__ if isinstance(extra, Meta))
        kind = _kind(hint, meta)
        metavar = (meta.extra or {}).get("metavar") or _METAVARS.get(kind, "N")
        plain = "" if field.default is None else field.default
        default = ",".join(plain) if isinstance(plain, tuple) else str(plain)
        yield Row(field.encode_name, metavar, kind, default, meta.description or "")


def _kind(hint: Any, meta: Meta) -> str:
    plain = get_args(hint)[0]
    kinds: dict[Any, str] = {**_CHOICES, Networks: _LIST, Names: _NAMES}
    if plain in kinds:
        return kinds[plain]
    if meta.ge is not None:
        return f"{meta.ge} to {meta.le}" if meta.le is not None else f"a number from {meta.ge}"
    return "text"


def load(text: str, environ: Mapping[str, str], options: Mapping[str, str | None], file: str | None = None) -> Settings:
    """Read the settings from a file's text, from environment variables and from options keyed by setting."""
    try:
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise TextError("settings", read=str(error), expected="TOML").at(file) from None
    values = dict[str, Any]()
    by_key = {row.key: row for row in rows()}
    for key in sorted(table.keys() - by_key):
        raise TextError(f"setting {key!r}", expected=f"one of {', '.join(by_key)}").at(file)
    for row in by_key.values():
        if (option := options.get(row.key)) is not None:
            values[row.key] = _convert(row, row.split(option), row.option)
        elif variable := environ.get(row.variable):
            values[row.key] = _convert(row, row.split(variable), row.variable)
        elif row.key in table:
            values[row.key] = _convert(row, table[row.key], row.key, file, strict=True)
    settings = msgspec.convert(values, Settings)
    if (settings.certificate is None) != (settings.certificate_key is None):
        read = "the certificate alone" if settings.certificate is not None else "the key alone"
        raise TextError("certificate and certificate-key", read=read, expected="both or neither")
    return settings


def _convert(row: Row, value: Any, name: str, file: str | None = None, *, strict: bool = False) -> Any:
    try:
        setting = msgspec.convert(value, _HINTS[row.key.replace("-", "_")], strict=strict)
        return tuple(str(ip_network(each, strict=False)) for each in setting) if row.kind == _LIST else setting
    except ValueError:  # includes ValidationError
        raise TextError(name, read=repr(value)[:60], expected=row.kind).at(file) from None


def require_workers(settings: Settings, dialect: str) -> None:
    """Refuse several workers on SQLite, because only one process at a time can write to it."""
    if settings.workers > 1 and dialect != "postgresql":
        expected = "1, or PostgreSQL (--db postgresql://...): SQLite allows one process"
        raise TextError("workers", read=f"{settings.workers} on {dialect}", expected=expected)
