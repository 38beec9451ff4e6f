"""Audits that staff request. Each runs in a separate process, and only one at a time in the whole house.

A lease identifies the running audit. All workers can read its progress and report in a file next to the house key.
"""

import asyncio
import logging
import os
import re
import sys
import time
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex
from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from highcardflush.errors import HcfError, NotFound
from highcardflush.house import leases
from highcardflush.house.auditing import audit_database, report_data
from highcardflush.house.books.reader import OFFICE
from highcardflush.house.commands import Audited
from highcardflush.house.store.address import default_url, key_file
from highcardflush.web.server.context import ServerContext
from highcardflush.words import refuse

LOG = logging.getLogger(__name__)
LEASE = "audit"
LEASE_S = 30.0
RENEW_S = 5.0
NICENESS = 10
"""Niceness of the audit process, set so that play has priority."""
PROGRESS_S = 0.25
MOST_FILES = 100
"""Maximum number of stored audits."""
MOST_BYTES = 1 << 26
"""Maximum size of a report, in bytes. Every check reports at most a thousand findings."""
ID = re.compile(r"[0-9]{8}-[0-9]{6}-[0-9a-f]{8}")


class Audit(Struct, frozen=True):
    """An audit. `recorded` is the number of its office event, and `found` is the report that `hcf audit` prints."""

    audit: str
    state: Literal["running", "done", "failed"]
    by: str
    began_ms: int
    ended_ms: int | None = None
    what: str = ""
    done: int = 0
    total: int = 0
    findings: int | None = None
    recorded: int | None = None
    error: dict[str, Any] | None = None
    found: dict[str, Any] | None = None


class Audits:
    def __init__(self, context: ServerContext) -> None:
        self._store, self._pump, self._clock = context.house.store, context.pump, context.clock
        self._url = context.settings.db or default_url()
        key = Path(context.settings.key).expanduser() if context.settings.key else key_file(self._url)
        self._folder = key.with_suffix(".audits")
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self, by: str) -> Audit:
        """Start an audit unless one is running."""
        now = self._clock()
        name = f"{datetime.fromtimestamp(now, UTC):%Y%m%d-%H%M%S}-{token_hex(4)}"
        if not await asyncio.to_thread(leases.take, self._store, LEASE, name, LEASE_S):
            raise refuse("audit-running")
        audit = Audit(name, "running", by, int(now * 1000))
        try:
            await asyncio.to_thread(self._write, audit)
        except OSError as error:
            await asyncio.to_thread(leases.release, self._store, name)
            raise refuse("audit-folder", why=str(error.strerror)) from None
        task = asyncio.create_task(self._run(audit))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        await asyncio.sleep(0)  # let the task start, because a task that is cancelled earlier would not clean up
        return audit

    async def listed(self) -> list[Audit]:
        """Return the stored audits, newest first, without their reports."""
        return [replace(audit, found=None) for audit in await asyncio.to_thread(self._read_all)]

    async def read(self, name: str) -> Audit:
        if ID.fullmatch(name):
            with suppress(FileNotFoundError):
                return await asyncio.to_thread(self._read, self._folder / f"{name}.json")
        raise refuse("no-audit", NotFound, name=name[:60])

    async def close(self) -> None:
        """Stop the running audits of this process."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _run(self, audit: Audit) -> None:
        try:
            ended = await self._follow(audit)
        except asyncio.CancelledError:
            ended = _failed(audit, "the server stopped")
            raise
        except HcfError as error:
            ended = replace(audit, state="failed", error=error.as_dict())
        except Exception:
            LOG.exception("an audit has failed")
            ended = _failed(audit, "the server has written the error to its log")
        finally:
            self._write(replace(ended, ended_ms=int(self._clock() * 1000)))
            leases.release(self._store, audit.audit)

    async def _follow(self, audit: Audit) -> Audit:
        """Start the audit process and follow its progress until it exits."""
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-P", "-m", "highcardflush.web.server.audits",
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
            limit=MOST_BYTES,
        )  # fmt: skip
        renewal = asyncio.create_task(self._renew_lease(audit.audit))
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(f"{self._url}\n".encode())
            await process.stdin.drain()
            message: dict[str, Any] = {}
            async for line in process.stdout:
                message = msgspec.json.decode(line)
                if "what" in message:
                    audit = replace(audit, **message)
                    await asyncio.to_thread(self._write, audit)
            status = await process.wait()
        finally:
            renewal.cancel()
            if process.returncode is None:
                process.kill()
                await process.wait()
        if "found" in message:
            return await self._record(audit, message["found"])
        if "error" in message:
            return replace(audit, state="failed", error=message["error"])
        return _failed(audit, f"its process ended with status {status}")

    async def _renew_lease(self, name: str) -> None:
        while True:
            await asyncio.sleep(RENEW_S)
            with suppress(HcfError):
                await asyncio.to_thread(leases.renew, self._store, name, LEASE_S)

    async def _record(self, audit: Audit, report: dict[str, Any]) -> Audit:
        command = Audited(report.pop("heads"), report["findings"])
        done = replace(audit, state="done", done=audit.total, findings=command.findings, found=report)
        try:
            answer = await self._pump.submit(OFFICE, command, audit.by, f"audit {audit.audit}")
        except HcfError as error:  # the report is complete even if its event is refused
            return replace(done, error=error.as_dict())
        return replace(done, recorded=answer.seq)

    def _write(self, audit: Audit) -> None:
        self._folder.mkdir(mode=0o700, exist_ok=True)
        draft = self._folder / f".{audit.audit}.json"
        draft.touch(0o600)
        draft.write_bytes(msgspec.json.encode(audit))
        draft.replace(self._folder / f"{audit.audit}.json")

    def _read(self, path: Path) -> Audit:
        audit = msgspec.json.decode(path.read_bytes(), type=Audit)
        if audit.state == "running" and leases.holders(self._store).get(LEASE) != audit.audit:
            audit = msgspec.json.decode(path.read_bytes(), type=Audit)  # the audit may have ended in the meantime
            return _failed(audit, "its process no longer exists") if audit.state == "running" else audit
        return audit

    def _read_all(self) -> list[Audit]:
        paths = sorted((path for path in self._folder.glob("*.json") if ID.fullmatch(path.stem)), reverse=True)
        for path in paths[MOST_FILES:]:
            path.unlink(missing_ok=True)
        audits = []
        for path in paths[:MOST_FILES]:
            with suppress(FileNotFoundError):  # another process may have deleted the file
                audits.append(self._read(path))
        return audits


def _failed(audit: Audit, why: str) -> Audit:
    return replace(audit, state="failed", error=refuse("audit-failed", HcfError, why=why).as_dict())


def main() -> int:
    """Run an audit in this process.

    The database address is read from standard input, so that it does not appear in process lists. Standard output
    receives lines of JSON: progress, and at the end a report or an error.
    """
    with suppress(OSError):
        os.nice(NICENESS)
    last = 0.0

    def progress(what: str, done: int, total: int) -> None:
        nonlocal last
        if (now := time.monotonic()) - last >= PROGRESS_S:
            last = now
            _print({"what": what, "done": done, "total": total})

    try:
        report = audit_database(sys.stdin.readline().strip(), progress)
    except HcfError as error:
        _print({"error": error.as_dict()})
        return 1
    assert report.heads is not None
    _print({"found": {**report_data(report), "findings": report.wrong, "heads": report.heads.digest}})
    return 0


def _print(line: dict[str, Any]) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(line) + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    sys.exit(main())
