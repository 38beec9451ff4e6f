#!/usr/bin/env python3
"""A recording of the outward behaviour of `hcf`, and a comparison of two.

    python baseline.py record DIR [--tree PATH] [--only commands|par|books|frames] [--rounds N] [--keep]
    python baseline.py compare DIR1 DIR2 [--only ...] [--groups N] [--lines N]

Everything is asked from outside: the command `hcf` (its entry point is read from the tree's pyproject.toml), and HTTP
and WebSocket of `hcf serve`. All that knows the inside of a tree is under GLUE, in one place.

A recording is a file CATEGORY.txt.gz for each category. A line is GROUP <tab> TEXT: lines of a group stand together
and in order, and groups have names that do not depend on what else is recorded.

Nothing but the standard library and `websockets` (for frames; it is in the tree's venv) is needed.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import difflib
import gzip
import hashlib
import hmac
import http.client
import json
import os
import re
import shlex
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
CATEGORIES = ("commands", "par", "books", "frames")
RULEBOOKS = ("galaxy-v7", "atlantic-city", "washington", "meadows", "oxford")
T0 = 1_800_000_000  # what time it is in every process: 2027-01-15 08:00:00 UTC
PATIENCE_S = 120

# ======================================================================================================================
# GLUE: what knows the inside of a tree. Adapt here, and nowhere else.

BOOT = r'''
"""Makes chance and time of a process repeatable. Python runs it before anything else: it is on PYTHONPATH."""
import os

if "BASELINE_LABEL" in os.environ:
    import hashlib, sys, threading, time

    _label, _file = os.environ["BASELINE_LABEL"], os.environ.get("BASELINE_LABEL_FILE")
    _counts, _lock = {}, threading.Lock()
    _through = ("random", "secrets", "uuid", __name__)

    def _is_own():
        """Whether the package itself asks, by whatever of the standard library: what others draw changes nothing."""
        frame = sys._getframe(2)
        while frame is not None and frame.f_globals.get("__name__") in _through:
            frame = frame.f_back
        return frame is None or str(frame.f_globals.get("__name__")).partition(".")[0] in ("highcardflush", "__main__")

    def _urandom(n, /):
        """Of each label and each length a stream of its own: more draws of another length change nothing."""
        own = _is_own()
        with _lock:
            label = _label
            if _file:
                with open(_file) as file:
                    label = file.read()
            key = label, n, own
            # The first 32 bytes went to `multiprocessing` when this was first recorded.
            first = 1 if own and n == 32 and not _file else 0
            count = _counts[key] = _counts.get(key, first) + 1
        whose = "" if own else "|not own"
        return hashlib.shake_256(f"{label}|{n}|{count}{whose}".encode()).digest(n)

    os.urandom = _urandom  # before `random`, `secrets` and `uuid` take it from there
    import random
    random._urandom = _urandom
    random.seed(os.environ["BASELINE_LABEL"])
    import secrets, uuid
    uuid.uuid1 = uuid.uuid4

    _now = float(os.environ["BASELINE_NOW"])
    time.time = lambda: _now
    time.time_ns = lambda: int(_now) * 10**9
'''


class Tree:
    """A tree and the Python that runs it."""

    def __init__(self, path: Path, python: str | None) -> None:
        self.path = path.resolve()
        own = self.path / ".venv/bin/python"
        self.python = python or (str(own) if own.exists() else sys.executable)
        scripts = tomllib.loads((self.path / "pyproject.toml").read_text("utf-8"))["project"]["scripts"]
        module, _, name = scripts["hcf"].partition(":")
        self.main = f"import sys; from {module} import {name} as main; sys.argv[0] = 'hcf'; sys.exit(main())"

    def command(self, *args: str) -> list[str]:
        return [self.python, "-c", self.main, *args]

    def environment(self, work: Path, label: str, **more: str) -> dict[str, str]:
        boot = work / ".boot"
        if not boot.exists():
            boot.mkdir(parents=True)
            (boot / "sitecustomize.py").write_text(BOOT)
        base = {key: os.environ[key] for key in ("PATH", "LD_LIBRARY_PATH") if key in os.environ}
        return base | {
            "PYTHONPATH": f"{boot}{os.pathsep}{self.path / 'src'}",
            "PYTHONHASHSEED": "0",
            "PYTHONUTF8": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
            "NUMBA_CACHE_DIR": str(HERE / "numba" / hashlib.sha256(str(self.path).encode()).hexdigest()[:8]),
            "COLUMNS": "200",
            "LINES": "60",
            "NO_COLOR": "1",
            "TERM": "dumb",
            "TZ": "UTC",
            "LANG": "C.UTF-8",
            "HOME": str(work),
            "XDG_DATA_HOME": str(work / "share"),
            "BASELINE_LABEL": label,
            "BASELINE_NOW": str(T0),
            **more,
        }


def book_rows(path: Path) -> dict[str, list[dict[str, Any]]]:
    """All that the books hold: events by stream and number, transfers, wallets, people. Knows the schema."""
    asked = {
        "event": "SELECT * FROM events ORDER BY stream, seq",
        "transfer": "SELECT * FROM transfers ORDER BY stream, seq, n",
        "wallet": "SELECT player, micros FROM wallets ORDER BY player",
        "person": "SELECT name, role, active, kind FROM people ORDER BY name",
    }
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as books:
        books.row_factory = sqlite3.Row
        return {what: [dict(row) for row in books.execute(sql)] for what, sql in asked.items()}


# ======================================================================================================================
# What differs from run to run, or from build to build, and is no behaviour

BUILD = re.compile(r'("build"\s*:\s*"|"sha256_of_build"\s*:\s*"|\bbuild )[0-9a-f]{12,64}')
TICKET = re.compile(r'("(?:key|token|key_id|hash|digest|request)"\s*:\s*")[0-9a-f]{32,64}(?=")')
SECONDS = (
    (re.compile(r"\s+in\s+[0-9.,]+\s+m?s,\s+[0-9.,]+\s+(million\s+)?(rounds|hands|deals|events)\s+a\s+second"), r" in <t> s, <n> \2 a second"),
    (re.compile(r"\bin [0-9.,]+ m?s\b"), "in <t> s"),
    (re.compile(r'("(?:seconds|[a-z_]*_seconds|[a-z]+_per_second|[a-z]+_a_second)"\s*:\s*)[0-9.e+-]+'), r"\1<t>"),
)


class Plain:
    """Text without what may differ: folders, build, seconds."""

    def __init__(self, tree: Tree, work: Path) -> None:
        self._known = [(str(work), "<dir>"), (str(tree.path), "<tree>")]

    def __call__(self, text: str) -> str:
        for found, name in self._known:
            text = text.replace(found, name)
        text = TICKET.sub(r"\1<random>", BUILD.sub(r"\1<build>", text))
        for pattern, instead in SECONDS:
            text = pattern.sub(instead, text)
        return text


# ======================================================================================================================
# Recordings


class Writer:
    """A category: its lines, by group."""

    def __init__(self, folder: Path, category: str) -> None:
        self.path = folder / f"{category}.txt.gz"
        self.groups: dict[str, list[str]] = defaultdict(list)

    def add(self, group: str, *texts: str) -> None:
        for text in texts:
            self.groups[group].append(text.replace("\n", "\\n").replace("\r", "\\r"))

    def close(self) -> str:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        lines = [f"{group}\t{text}\n" for group, texts in self.groups.items() for text in texts]
        with open(self.path, "wb") as raw, gzip.GzipFile("", "wb", 6, raw, 0) as file:
            file.write("".join(lines).encode())
        return f"{len(lines):,} lines in {len(self.groups):,} groups, {self.path.stat().st_size:,} bytes"


def read_recording(path: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        for line in file:
            group, _, text = line.removesuffix("\n").partition("\t")
            found[group].append(text)
    return found


# ======================================================================================================================
# Comparison


PADDED = " <padded>"
"""What is left of the blanks that fill up a frame."""


def json_paths(value: Any, path: str = "") -> dict[str, str]:
    """Every leaf by where it is."""
    if isinstance(value, dict) and value:
        return {p: v for key, each in value.items() for p, v in json_paths(each, f"{path}.{key}").items()}
    if isinstance(value, list) and value:
        return {p: v for number, each in enumerate(value) for p, v in json_paths(each, f"{path}[{number}]").items()}
    return {path: json.dumps(value, ensure_ascii=False)}


def split_json(text: str) -> tuple[str, Any] | None:
    at = min((i for i in (text.find("{"), text.find("[")) if i >= 0), default=-1)
    try:
        return (text[:at], json.loads(text[at:])) if at >= 0 else None
    except ValueError:
        return None


def explain(one: str, two: str) -> list[str]:
    """How two lines differ: by path, if both are JSON."""
    padded = [text.endswith(PADDED) for text in (one, two)]
    if padded[0] != padded[1] and one.removesuffix(PADDED) == two.removesuffix(PADDED):
        return [f"~ filled up with blanks: {padded[0]} -> {padded[1]}"]
    a, b = split_json(one.removesuffix(PADDED)), split_json(two.removesuffix(PADDED))
    if a is None or b is None or a[0] != b[0]:
        return [f"- {one[:600]}", f"+ {two[:600]}"]
    old, new = json_paths(a[1]), json_paths(b[1])
    if old == new:
        return [f"- {one[:600]}", f"+ {two[:600]}", "  (the same data in another order)"]
    told = [f"~ {a[0]}{p[1:]}: {old.get(p, 'nothing')} -> {new.get(p, 'nothing')}"[:600] for p in {**old, **new} if old.get(p) != new.get(p)]
    return told


def group_diff(old: list[str], new: list[str]) -> list[str]:
    found: list[str] = []
    if len(old) == len(new) and len(old) > 3000:  # difflib would take for ever
        pairs = [(i, i + 1, i, i + 1) for i in range(len(old)) if old[i] != new[i]]
        codes = [("replace", *pair) for pair in pairs]
    else:
        codes = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes() if len(old) * len(new) < 4e7 else [
            ("replace", 0, len(old), 0, len(new))
        ]
    for what, a, b, c, d in codes:
        if what == "equal":
            continue
        for number in range(max(b - a, d - c)):
            one = old[a + number] if a + number < b else None
            two = new[c + number] if c + number < d else None
            if one is not None and two is not None:
                found += [f"  line {a + number + 1}:", *(f"    {line}" for line in explain(one, two))]
            else:
                found.append(f"    - {one[:600]}" if one is not None else f"    + {(two or '')[:600]}")
    return found


def shapes(old: dict[str, list[str]], new: dict[str, list[str]], changed: list[str]) -> Counter[str]:
    """Paths whose values changed, without numbers of places, and how often; for a change that is everywhere."""
    found: Counter[str] = Counter()
    for group in changed[:5000]:
        if len(old[group]) != len(new[group]):
            found[f"({abs(len(old[group]) - len(new[group]))} lines more or fewer)"] += 1
            continue
        for one, two in zip(old[group], new[group], strict=True):
            if one != two:
                for line in explain(one, two):
                    path = line[2:].partition(": ")[0] if line.startswith("~ ") else line[:60] if line.startswith("+ ") else ""
                    if path:
                        found[re.sub(r"\[[0-9]+\]|[0-9]+", "#", path)] += 1
    return found


def compare(args: argparse.Namespace) -> int:
    differs = False
    for category in args.only:
        paths = [Path(folder) / f"{category}.txt.gz" for folder in (args.one, args.two)]
        there = [path.exists() for path in paths]
        if not any(there):
            continue
        if not all(there):
            print(f"{category}: only in {paths[there.index(True)].parent}")
            differs = True
            continue
        old, new = map(read_recording, paths)
        lines = sum(map(len, old.values()))
        gone, come = [g for g in old if g not in new], [g for g in new if g not in old]
        changed = [g for g in old if g in new and old[g] != new[g]]
        same = f"{len(old):,} groups, {lines:,} lines"
        if not (gone or come or changed):
            print(f"{category}: the same ({same})")
            continue
        differs = True
        print(f"{category}: DIFFERENT ({same}): {len(changed):,} groups changed, {len(gone):,} gone, {len(come):,} new")
        for mark, groups in (("gone", gone), ("new", come)):
            for group in groups[: args.groups]:
                print(f"  {mark}: {group} ({len((old if mark == 'gone' else new)[group])} lines)")
            if len(groups) > args.groups:
                print(f"  ... and {len(groups) - args.groups} more {mark}")
        kinds: Counter[str] = Counter(group.split(" ")[0] for group in changed)
        if changed:
            print("  changed, by the first word of the group: " + ", ".join(f"{k} {n}" for k, n in kinds.most_common(20)))
        if len(changed) > args.groups:
            print("  what changed most often, in groups with as many lines as before:")
            for what, count in shapes(old, new, changed).most_common(40):
                print(f"    {count:>7,}  {what}")
        for group in changed[: args.groups]:
            print(f"  {group}:")
            told = group_diff(old[group], new[group])
            for line in told[: args.lines]:
                print(f"  {line}")
            if len(told) > args.lines:
                print(f"      ... and {len(told) - args.lines} more lines")
        if len(changed) > args.groups:
            print(f"  ... and {len(changed) - args.groups} more groups (--groups N shows more)")
    return 1 if differs else 0


# ======================================================================================================================
# Running `hcf`


class Runner:
    """Runs commands in a folder of its own and notes what they said."""

    def __init__(self, tree: Tree, work: Path, out: Writer | None) -> None:
        self.tree, self.work, self.out = tree, work, out
        self.plain = Plain(tree, work)
        self._labels: Counter[str] = Counter()
        self.slow: list[tuple[float, str]] = []

    def run(self, line: str | list[str], stdin: str = "", *, folder: Path | None = None, **more: str) -> subprocess.CompletedProcess[str]:
        """A command, its label the words themselves: what else is run does not change its chance."""
        words = shlex.split(line) if isinstance(line, str) else line
        label = shlex.join(words) + (f" < {hashlib.sha256(stdin.encode()).hexdigest()[:8]}" if stdin else "")
        self._labels[label] += 1
        label = f"{label} #{self._labels[label]}"
        began = time.monotonic()
        done = subprocess.run(
            self.tree.command(*words), input=stdin, capture_output=True, text=True, encoding="utf-8", errors="replace",
            cwd=folder or self.work, env=self.tree.environment(self.work, label, **more), timeout=600, check=False,
        )  # fmt: skip
        self.slow.append((time.monotonic() - began, shlex.join(words)))
        return done

    def note(self, line: str | list[str], stdin: str = "", files: tuple[str, ...] = (), prefix: str = "", **more: Any) -> subprocess.CompletedProcess[str]:
        """The same, recorded: a group for what was said, and the text of files that it wrote."""
        assert self.out is not None
        done = self.run(line, stdin, **more)
        shown = line if isinstance(line, str) else shlex.join(line)
        group = self.plain(f"{prefix}hcf {shown}".replace("\n", " ").replace("\t", " "))
        number = 2
        while (name := group if number == 2 else f"{group} #{number - 1}") in self.out.groups:
            number += 1
        self.out.add(name, f"status {done.returncode}")
        for mark, text in (("out", done.stdout), ("err", done.stderr)):
            self.out.add(name, *(f"{mark} {line.rstrip()}" for line in self.plain(text).splitlines()))
        for file in files:
            path = (more.get("folder") or self.work) / file
            if not path.exists():
                self.out.add(name, f"file {file}: none")
            else:
                text = self.plain(path.read_text("utf-8", errors="replace"))
                if file.endswith(".json"):
                    text = flat_text(text)
                self.out.add(name, *(f"file {file}: {line}" for line in text.splitlines()))
        return done


def flat_text(text: str) -> str:
    """JSON as a line for each leaf."""
    try:
        return "\n".join(f"{path} = {leaf}" for path, leaf in json_paths(json.loads(text.replace("<t>", "0"))).items())
    except ValueError:
        return text


# ======================================================================================================================
# 2. Commands

ROUND = """\
hcf 1
rulebook oxford
seat 1 ante 25 flush 5 straight-flush 5
seat 4 ante 10
deal 1 AsKs9s7s 6d7d8d
deal 4 2c9c Jh4h 5s8s Qd
deal dealer 9h8h6h Kc3c Td2s      # three cards, nine high: qualifies
1 raise 25 expose 6d7d8d
4 fold
= 1 ante +25 raise +25 flush +5 straight-flush +35
= 4 ante -10
"""
PROGRESSIVE_ROUND = """\
hcf 1
rulebook galaxy-v7
offer progressive PT-BJS-HCF-SF-07 base=2
seat 1 ante 10 progressive 2
deal 1 2c9cJh4h5s8sQd
deal dealer 9h8h6hKc3cTd2s
1 fold
"""
UNFINISHED = "hcf 1\nrulebook oxford\nseat 1 ante 25\ndeal 1 AsKs9s7s 6d7d8d\n"
FILES = {
    "good.hcf": ROUND,
    "progressive.hcf": PROGRESSIVE_ROUND,
    "two.hcf": ROUND + "\n" + PROGRESSIVE_ROUND,
    "differing.hcf": ROUND.replace("+35", "+36"),
    "flod.hcf": ROUND.replace("4 fold", "4 flod") + ROUND,
    "unfinished.hcf": UNFINISHED,
    "binary.hcf": "hcf 1\n\x00\x01\ufffd\n",
    "empty.hcf": "",
    "club.toml": 'name = "club"\nextends = "oxford"\nversion = "3"\n[settings]\nante-minimum = 5\nante-maximum = 100\n',
    "bad.toml": 'name = "bad"\nextends = "oxford"\ncolour = "red"\n[settings]\nante-minimum = "x"\nseats = 9\n',
    "torn.toml": 'name = "torn\n',
    "strategy.toml": 'name = "mine"\nraise = "Q-high"\n',
    "solve.toml": """\
wager = "flush"
edge = ["3%", "8%"]
lines = [
  { cards = 7, pay = [100, 300, 100] },
  { cards = 6, pay = [5, 60, 5] },
  { cards = 5, pay = [5, 12] },
  { cards = 4, pay = [0, 3] },
]
""",
    "solve-progressive.toml": """\
wager = "progressive"
edge = ["50%", "65%"]
seats = 3
lines = [
  { cards = 6, ace-high = true, pay = "100%", envy = 20 },
  { cards = 6, pay = "10%" },
  { cards = 5, pay = [40, 50, 10], dynamic = [75, 100, 150, 200, 250, 300, 350, 400, 450, 500] },
  { cards = 4, pay = [5, 10, 5], dynamic = [15, 20, 30, 40, 50, 60, 70, 80, 90, 100] },
  { cards = 3, pay = [0, 3] },
]
[meters.progressive]
seed = [5000, 20000, 15000]
rate = ["8%", "8.5%", "0.5%"]
reserve-rate = ["0%", "4%", "4%"]
""",
    "floor.toml": """\
rulebook = "galaxy-v7"
paytable = "PT-BJS-HCF-SF-E05 base=5"
tables = 10
seats = 6
take-up = 0.5
rounds-an-hour = 40
hours-a-year = 8000
years = 2
runs = 10
seed = 5
[settings]
cap-player = 500
""",
    "bad-floor.toml": 'rulebook = "x"\npaytable = "PT-BJS-HCF-SF-07"\nseats = 7\n',
}
BOTH = """\
rules list
rules settings
rules check club.toml
rules check bad.toml torn.toml none.toml
odds game washington --raise-minimum 0.5x
odds game galaxy-v7 --set raise-minimum 0.5x
odds game washington --raise "multiples 1 1 1 2 3 3"
odds game oxford --raise "exact 1 1 1 1 2 3"
odds hand AsKs9s 7d6d 2c Th
odds hand AsKs9s7s2s7d8d --seen 2c3c
odds hand 8s7s6s5s4s3s2s --rulebook oxford
odds hand 9h8h6hKc3cTd2s --rulebook galaxy-v7 --set raise-minimum 0.5x
odds hand AsKs9s7s6d7d8d --rulebook meadows
odds hand QsJs9s7h4hJd3c --rulebook atlantic-city --seen AcKc
odds paytable galaxy-v7/PT-PRG-HCF-MLP-01
odds paytable galaxy-v7/PT-BJS-HCF-SF-07 base=5 --meter 123456.78
odds paytable galaxy-v7/PT-PRG-HCF-D02a --seats 6
odds paytable galaxy-v7/PT-BJS-HCF-SF-E04 --seats 6
odds paytable oxford/straight-flush --bet 100
odds paytable flush --lines "7:300 6:100 5:10 4:1"
odds strategy oxford optimal
odds strategy oxford t-8-6
odds strategy oxford eleven
odds strategy oxford j-high
odds strategy oxford always
odds strategy oxford never
odds strategy washington Q-high
odds strategy galaxy-v7 J-5-3
odds strategy meadows A-K
odds strategies oxford
odds errors meadows
odds errors meadows --rate folds 5%
odds errors oxford --rate folds 2% --rate keeps-lower .1
odds sensitivity oxford
odds sensitivity
odds treasury galaxy-v7/PT-PRG-HCF-MLP-01 base=5 --bets-an-hour 500 --cap 100
odds treasury galaxy-v7/PT-BJS-HCF-SF-09 --bets-an-hour 100 --seats 2 --cap 1
odds treasury washington/PT-BJS-HCF-SF-01 --set seed 10000
odds risk oxford --bankroll 100 --goal 150 --rounds 100
odds risk galaxy-v7 --bankroll 50 --rounds 50 --bet progressive 1 --offer progressive PT-BJS-HCF-SF-07 --players 500 --seed 4
odds risk oxford --bankroll 2000 --rounds 100000 --players 100 --seed 4
odds seen oxford --hands 0
odds seen oxford --hands 2 --deals 1000 --seed 3
odds seen --hands 5 --deals 1000 --suits-only
odds seen meadows --hands 5 --deals 1000 --exposed-only
odds seen --hands 0 --dealer-cards 1 --deals 1000
odds seen --hands 5 --deals 1000 --by-count "3:always 4:J-high 5:K-high 6:5-4-3-2 7:never"
odds solve solve.toml
odds solve solve-progressive.toml
simulate oxford --rounds 20000 --seats 6 --seed 7
simulate washington --rounds 20000 --seats 3 --seed 7 --strategy optimal --offer flush PT-FLT-HCF-FB-01 --offer straight-flush PT-FLT-HCF-SF-04
simulate galaxy-v7 --rounds 20000 --seats 6 --seed 7 --offer progressive PT-BJS-HCF-SF-E05
simulate atlantic-city --rounds 20000 --seats 1 --strategy j-high
simulate meadows --rounds 20000 --seats 2 --strategy Q-high --threads 2
simulate floor floor.toml
replay good.hcf
replay progressive.hcf
replay two.hcf differing.hcf flod.hcf unfinished.hcf
replay binary.hcf
replay empty.hcf
verify good.hcf
verify played.hcf
"""
"""In text and with --json."""
ONCE = """\
--version
rules schema
replay two.hcf --write
replay flod.hcf --write
rules check --json
odds strategies washington -o strategies.html --date 2026-01-02
par oxford --card -o card.html --date 2026-01-02 --rounds 0
par oxford --card --odds -o card-odds.html --date 2026-01-02 --rounds 0
par washington --card -o card-w.html --date 2026-01-02 --rounds 0 --offer flush PT-FLT-HCF-FB-02 --offer straight-flush PT-FLT-HCF-SF-01
par galaxy-v7 --card -o card-g.html --date 2026-01-02 --rounds 0 --offer progressive PT-BJS-HCF-SF-07
par oxford -o par.csv --date 2026-01-02 --rounds 20000
par oxford -o par.html --date 2026-01-02 --rounds 20000 --prepared-by Somebody --revision 2
par oxford -o par.json --date 2026-01-02 --rounds 20000 --prepared-by Somebody --revision 2 --json
par galaxy-v7 -o par-g.csv --date 2026-01-02 --rounds 0 --offer progressive "PT-PRG-HCF-MLP-01 base=5"
par galaxy-v7 -o par-g.html --date 2026-01-02 --rounds 0 --offer progressive "PT-PRG-HCF-MLP-01 base=5"
par meadows -o par-m.html --date 2026-01-02 --rounds 0
par atlantic-city -o par-a.html --date 2026-01-02 --rounds 0
par washington -o par-w.html --date 2026-01-02 --rounds 0 --offer flush PT-FLT-HCF-FB-01
study rules errors -o studies --quick --date 2026-01-02
house demo --db sqlite:///none/none.db
"""
REFUSED = """\
nothing
rules
rules nothing
rules list --yaml
rules show
rules show nowhere
rules show none.toml
rules show bad.toml
rules paytable oxford nothing
rules paytable oxford flush extra
rules procedure x/y/z
odds
odds hand AsKs
odds hand AsAs9s7d6d2cTh
odds hand AsKs9s7d6d2cXx
odds hand AsKs9s7d6d2cTh --seen As
odds hand AsKs9s7d6d2cTh --rulebook nowhere
odds game
odds game nowhere
odds game oxford --raise "multiples 1"
odds game oxford --set colour red
odds game oxford --set seats 9
odds game oxford --raise-minimum 0.5x
odds paytable flush
odds paytable oxford/nothing
odds paytable oxford/flush --bet 0
odds paytable oxford/flush --seats 7
odds paytable oxford/flush --lines "7:300"
odds paytable galaxy-v7/PT-BJS-HCF-SF-07 base=0
odds strategy oxford sometimes
odds strategy oxford none.toml
odds strategy oxford strategy.toml
odds errors oxford --rate naps 1%
odds errors oxford --rate folds 101%
odds treasury oxford/flush
odds treasury SF-09
odds risk oxford
odds risk oxford --bankroll -1
odds seen oxford
odds seen oxford --hands 6
odds seen oxford --hands 1 --deals 10
odds solve none.toml
odds solve club.toml
simulate oxford
simulate oxford --rounds 0 --seats 1
simulate oxford --rounds 10 --seats 7
simulate oxford --rounds 10 --seats 1 --strategy x
simulate oxford --rounds 10 --seats 1 --offer flush x
simulate floor bad-floor.toml
simulate floor none.toml
replay
replay none.hcf
replay /
verify none.hcf
verify differing.hcf
par oxford
par oxford -o par.txt
par oxford -o none/par.json
par oxford -o x.json --date yesterday
par nowhere -o x.json
study
study everything -o x
study rules
play --rulebook nowhere
play --seats 9
play --bankroll none
play --rulebook oxford --seed xyz
play --rulebook oxford --seed 3
serve --port 99999
serve --config none.toml
serve --db mysql://x
db upgrade --db mysql://x
db check --db sqlite:///none.db
db backup
db backup x.db --db sqlite:///none.db
db restore none.db --reason x --db sqlite:///none2.db
db restore none.db
audit --db sqlite:///none.db
audit --jobs 0
audit --db sqlite:///none.db --json
house
house nothing
house status --db sqlite:///none.db
house status --json --db sqlite:///none.db
house submit table/one
house submit table/one {} --as x --db sqlite:///none.db
house meter add
house play --tables 0
"""
PLAYS: dict[str, tuple[str, str]] = {
    "play --rulebook oxford --seed 86 --bankroll 500 --record played.hcf": ("", ". r . f . k . r s 5 . r n n f 5 . r ? h c . f q y"),
    "play --rulebook oxford --seed 2a --bankroll 500 --no-coach": ("", ". f . r . r 6d5d a 25 . r q"),
    "play --rulebook washington --seed 86 --no-coach --seats 6 --offer straight-flush PT-FLT-HCF-SF-04": ("", "1 s 5 . r . f . r q"),
    "play --rulebook meadows --seed 2c": ("", ". 17.50 x 17.50 17.50 . f f . r r q y"),
    "play --rulebook atlantic-city --seed 1a --set ante-maximum 50": ("", "a 12 60 ten 5x 45 . r n . f . f q y"),
    "play --rulebook galaxy-v7 --seed 3c --offer progressive PT-PRG-HCF-D01a": ("", "p . r 10 p . f . r 10 . f f q y"),
    "play --rulebook galaxy-v7 --seed 3c --offer progressive PT-BJS-HCF-SF-07 --seats 1 --no-coach": ("", "p . f . r . f . r . f q y"),
    "play --seed 2a": ("", "9 5 . f f q y"),
    "play --rulebook oxford --seed 2a --bankroll 10": ("", "a 10 . . 1 f"),
}
READERS = """\
house status
house balances
house balances --as ann
house balances --first 2 --after ann
house statement ann
house statement ann --last 3 --before 5
house person list
house meter list
house meter show mega
house meter show sign
house meter hits mega
house meter reconcile mega
house meter reconcile mega --moves
house table list
house table show one
house table show felt
house table show oxbow --as ann
house view one
house view felt --as dora
house rounds one
house rounds felt --last 1
house wins
house change list
house floor show
house proof one 1
house proof one 1 2 3
house report floor --day 2027-01-15
house report holds --day 2027-01-15
house report totals --day 2027-01-15
house report players --day 2027-01-15
house report meters --day 2027-01-15
db check
audit
"""
HOUSE_REFUSED = """\
house buy-in nobody 5
house buy-in ann -5
house buy-in ann 1e9999
house buy-in ann 5 --as sue
house cash-out ann 99999999
house statement ann --as bob
house statement nobody
house balances --as nobody
house person add sue dealer
house person add "Bad Name" dealer
house person add x king
house person role ann cashier --reason no
house person disable admin --reason no
house shift end --as dora
house meter add mega --paytable galaxy-v7/PT-BJS-HCF-SF-07
house meter add m2 --paytable oxford/flush
house meter add m2 --paytable galaxy-v7/PT-BJS-HCF-SF-07 --rate 101%
house meter show nothing
house meter set mega
house meter set mega --rate 20% --limit 5 --reason x
house meter check mega --as ann
house meter display mega 5 --reason x --as sue
house table add one --rulebook oxford
house table add t --rulebook nowhere
house table add t --rulebook oxford
house table add t --meter nothing
house table change one --set seats 9
house table switch one ajar --reason x
house table show nothing
house view nothing
house rounds nothing
house proof one 999
house proof one x
house approve mega 99 --as sue
house refuse mega 1 --as sue
house void one --reason other --as sue
house void one --reason nothing --as sue
house warn oxbow 3 --reason x --as dora
house assign one ann
house consent one --as ann
house floor set betting-s 1 --reason x
house floor set colour red --reason x
house floor set zone Nowhere/City --reason x
house report nothing
house report floor --day yesterday
house change approve 999 --as ada
house change propose office [] --reason x
house acknowledge "meter/mega closed 1" --as ann
house submit table/one nonsense --as admin
house submit table/one {} --as admin
house submit table/one "{\\"type\\": \\"Nothing\\"}" --as admin
house submit table/one "{\\"type\\": \\"Sit\\"}" --as ann
house submit table/one "{\\"type\\": \\"Sit\\", \\"seat\\": 9}" --as ann
house submit table/one "{\\"type\\": \\"Sit\\", \\"seat\\": 1, \\"colour\\": 1}" --as ann
house submit table/one "{\\"type\\": \\"Fold\\", \\"seat\\": 1}" --as ann
house submit table/one "{\\"type\\": \\"PlaceWagers\\", \\"seat\\": 1, \\"wagers\\": {\\"ante\\": 1e400}}" --as ann
house submit office 1,000 --as admin
house submit office [ --as admin
house submit nowhere/x "{\\"type\\": \\"Lock\\"}" --as admin
house status --as nobody
house play nothing
audit --heads none.json
audit --since none.json
db restore none.db --reason x
db backup house.db
"""


def record_commands(tree: Tree, work: Path, out: Writer, args: argparse.Namespace) -> None:
    runner = Runner(tree, work, out)
    for name, text in FILES.items():
        (work / name).write_text(text, "utf-8")
    for folder in ("golden", "refused"):
        shutil.copytree(HERE / "inputs" / folder, work / folder)
    help_pages(runner)
    for line, (_, answers) in PLAYS.items():
        stdin = "".join(("" if answer == "." else answer) + "\n" for answer in answers.split())
        runner.note(line, stdin, files=("played.hcf",) if "--record" in line else ())
    runner.note("play --rulebook oxford", "q\n")  # without a seed
    for name in RULEBOOKS:
        for line in ("rules show", "rules procedure", "odds game"):
            runner.note(f"{line} {name}")
            runner.note(f"{line} {name} --json")
        shown = json.loads(runner.run(f"rules show {name} --json").stdout)
        for table in paytable_ids(shown):
            runner.note(f"rules paytable {name} {table}")
            runner.note(f"rules paytable {name} {table} --json")
    for line in BOTH.splitlines():
        runner.note(line)
        runner.note(f"{line} --json")
    for line in ONCE.splitlines():
        words = shlex.split(line)
        files = tuple(word for word in words if word.endswith((".html", ".csv")) or (word.endswith(".json") and words[0] == "par"))
        if words[0] == "study":
            files = ("studies/study.csv", *sorted(f"studies/{p.name}" for p in (work / "studies").glob("*.csv")))
        runner.note(line, files=files)
        if words[0] == "study":
            for path in sorted((work / "studies").glob("*")):
                if path.suffix in (".csv", ".html"):
                    text = runner.plain(path.read_text("utf-8"))
                    out.add(f"file of hcf study: {path.name}", *text.splitlines())
    for line in REFUSED.splitlines():
        runner.note(line)
        if line.split()[0] in ("odds", "replay", "simulate", "rules") and len(line.split()) > 2:
            runner.note(f"{line} --json")
    for stdin in (ROUND, "hcf 2\n", ""):
        runner.note("replay -", stdin)
        runner.note("replay - --json", stdin)
        runner.note("verify -", stdin)
    for folder in ("golden", "refused"):
        names = sorted(path.name for path in (HERE / "inputs" / folder).glob("*.hcf"))
        runner.note(["replay", *(f"{folder}/{name}" for name in names)])
        for name in names:
            runner.note(f"replay {folder}/{name} --json")
            runner.note(f"replay {folder}/{name} --write")
    for line in ("house demo --seed 1", "house demo --seed 1 --json"):  # whose turn it is there is chance: its shape only
        said = runner.run(line)
        shape = sorted(set(re.findall(r"^[A-Z][a-z]+", said.stdout, re.MULTILINE)))
        if "--json" in line:
            shape = sorted({re.sub(r"\[[0-9]+\]", "[]", path) for path in json_paths(json.loads(said.stdout))})
        out.add(f"shape of hcf {line}", f"status {said.returncode}", *shape)
    house_page(runner)
    finish(runner)


def finish(runner: Runner) -> None:
    slow = sorted(runner.slow, reverse=True)[:5]
    print(f"    {len(runner.slow)} commands; the slowest: " + "; ".join(f"{s:.1f} s {line[:60]}" for s, line in slow))


def paytable_ids(shown: dict[str, Any]) -> list[str]:
    tables = shown["paytables"]
    return list(tables) if isinstance(tables, dict) else [table["id"] for table in tables]


def help_pages(runner: Runner) -> None:
    """Of every command, found by asking."""
    waiting = [""]
    while waiting:
        path = waiting.pop(0)
        said = runner.note(f"{path} --help".strip()).stdout
        _, _, below = said.partition("\nCommands:\n")
        waiting += [f"{path} {name}".strip() for name in re.findall(r"^  (\S+)", below, re.MULTILINE)]


def house_page(runner: Runner) -> None:
    """The commands of docs/house.md as they stood, then readers and refusals in that house."""
    folder = runner.work / "page"
    folder.mkdir()
    more = {"HCF_DB": f"sqlite:///{folder}/house.db"}
    lines = (HERE / "inputs/house-page.txt").read_text("utf-8").splitlines()
    for line in lines:
        typed, _, command = line.rpartition(" | ")
        words = shlex.split(command, comments=True)
        target = words[words.index(">") + 1] if ">" in words else None
        words = words[1 : words.index(">")] if target else words[1:]
        if words[:2] == ["house", "play"]:
            words += ["--threads", "1"]  # else whose turn it is is chance
        done = runner.note(words, shlex.split(typed)[1] if typed else "", folder=folder, prefix="page: ", **more)
        if target:
            (folder / target).write_text(done.stdout)
        if words[:2] == ["audit", "--since"]:
            readers(runner, folder, more)
    readers(runner, folder, more, "end: ")


def readers(runner: Runner, folder: Path, more: dict[str, str], prefix: str = "day: ") -> None:
    if not (folder / "house.db").exists():
        return
    for line in READERS.splitlines():
        runner.note(line, folder=folder, prefix=prefix, **more)
        if prefix == "day: ":
            runner.note(f"{line} --json", folder=folder, prefix=prefix, **more)
    if prefix == "day: ":
        for number, line in enumerate(HOUSE_REFUSED.splitlines()):
            runner.note(line, folder=folder, prefix="refused: ", **more)
            if number % 3 == 0:
                runner.note(f"{line} --json", folder=folder, prefix="refused: ", **more)


# ======================================================================================================================
# 3. PAR: every number

PAR_MORE = """\
galaxy-v7 --set raise-minimum 0.5x
galaxy-v7 --set envy off --offer progressive PT-BJS-HCF-SF-E04
galaxy-v7 --set seed 50000 --set rate 10% --offer progressive PT-BJS-HCF-SF-07
galaxy-v7 --set hits each --offer progressive PT-BJS-HCF-SF-08b
galaxy-v7 --set mandatory progressive --offer progressive PT-BJS-HCF-SF-07
oxford --set ante-minimum 15 --set ante-maximum 500 --set cap-table 25000
oxford --set seats 4
washington --offer flush PT-FLT-HCF-FB-01 --offer straight-flush PT-FLT-HCF-SF-04
washington --offer progressive PT-BJS-HCF-SF-01 --set jackpot bonus --set seed 10000
meadows --set ante-maximum 500 --set cap-player 1000
"""


BASES = ("PT-BJS-HCF-SF-07", "PT-BJS-HCF-SF-08a", "PT-BJS-HCF-SF-E05", "PT-PRG-HCF-MLP-01", "PT-PRG-HCF-D01a")
"""Pay tables of which a sheet for another base bet is made too."""


def record_par(tree: Tree, work: Path, out: Writer, args: argparse.Namespace) -> None:
    runner = Runner(tree, work, out)
    numbers = 0

    def sheet(words: list[str], rounds: int = 0) -> None:
        nonlocal numbers
        path = work / "par.json"
        path.unlink(missing_ok=True)
        done = runner.run(["par", *words, "-o", "par.json", "--rounds", str(rounds), "--date", "2026-01-02"])
        group = f"{words[0]} {shlex.join(['par', *words, '--rounds', str(rounds)])}"
        if done.returncode or not path.exists():
            out.add(group, f"status {done.returncode}: {runner.plain(done.stderr)}")
            return
        leaves = json_paths(json.loads(runner.plain(path.read_text("utf-8"))))
        numbers += sum(leaf[0] in "-0123456789" for leaf in leaves.values())
        out.add(group, *(f"{where} = {leaf}" for where, leaf in leaves.items()))

    for name in RULEBOOKS:
        sheet([name])
        sheet([name], 20_000)
        shown = json.loads(runner.run(f"rules show {name} --json").stdout)
        tables = shown["paytables"]
        tables = tables.items() if isinstance(tables, dict) else [(table["id"], table) for table in tables]
        for key, table in tables:
            wager = table["wager"]
            # Where no document says of which kind a jackpot is, an operator must.
            more = ["--set", "jackpot", "progressive"] if wager == "progressive" and name != "galaxy-v7" else []
            sheet([name, *more, "--offer", wager, key])
            if key in BASES:
                sheet([name, *more, "--offer", wager, f"{key} base=5"])
            for seats in ("1", "6"):
                line = f"odds paytable {name}/{key} --seats {seats} --json"
                done = runner.run(line)
                leaves = json_paths(json.loads(runner.plain(done.stdout) or "null"))
                numbers += sum(leaf[0] in "-0123456789" for leaf in leaves.values())
                out.add(f"{name} {line}", *(f"{where} = {leaf}" for where, leaf in leaves.items()))
    for line in PAR_MORE.splitlines():
        sheet(shlex.split(line))
    print(f"    {numbers:,} numbers")
    finish(runner)


# ======================================================================================================================
# 4. Books: a day of a house

DAY_PEOPLE = """\
db upgrade
house status
house person add dora dealer
house person add dan dealer
house person add sue supervisor
house person add sam supervisor
house person add sid supervisor
house person add cal cashier
house person add cid cashier
house person add amy auditor
house person add ada administrator
house shift start --as sue
house shift start --as dora
house shift start --as cal
house player add ann --buy-in 5000 --cashier cal
house player add bob --buy-in 3000 --cashier cid
house player add cyd --buy-in 2500.50 --cashier cal
house player add dee
house buy-in dee 1000 --as cal --key dee-1
house buy-in dee 1000 --as cal --key dee-1
house buy-in dee 1001 --as cal --key dee-1
house cash-out dee 250 --as cid
house cash-out dee 9999 --as cid
house change require on --reason "two keys"
house person add eve dealer
house person add eve dealer --propose "more dealers"
house change list
house change approve @CHANGE@ --as ada
house change propose office '{"type": "RequireApproval", "on": false, "reason": "one key again"}' --reason "one key"
house change list --json
house person disable eve --reason "on leave"
house change approve @CHANGE@ --as admin
house change approve @CHANGE@ --as ada
house person disable eve --reason "on leave"
house change require off --reason "one key" --as ada
"""
DAY_FLOOR = """\
house meter add mega --paytable galaxy-v7/PT-BJS-HCF-SF-07 --limit 250000 --seed 1000 --rate 23% --reserve-rate 5%
house meter add envy --paytable galaxy-v7/PT-BJS-HCF-SF-E05 --base 5
house meter add top --paytable galaxy-v7/PT-PRG-HCF-MLP-01 --level level-1
house meter add low --paytable galaxy-v7/PT-PRG-HCF-MLP-01 --level level-2
house meter add drawn --paytable galaxy-v7/PT-PRG-HCF-D02a --hits each --server-approves
house meter add sign --paytable washington/PT-BJS-HCF-SF-01 --bonus --seed 10000 --returns
house table add one --meter mega --set clock 5
house table add five --meter envy
house table add two --meter top --meter low
house table add dyn --meter drawn
house table add wash --meter sign --rulebook washington --offer flush PT-FLT-HCF-FB-01 --offer straight-flush PT-FLT-HCF-SF-04 --set dealing dice
house table add wash --meter sign --rulebook washington
house table add ox --rulebook oxford --set ante-minimum 5 --set ante-maximum 500
house table add mea --rulebook meadows
house table add ac --rulebook atlantic-city
house table add felt --meter mega --set play progressive-only --physical --dealer dora
house table add oxp --rulebook oxford --set ante-minimum 5 --set ante-maximum 500 --physical --dealer dora
house meter set mega --second-above 500 --reason "two of them"
house table list
house meter list
house floor set betting-s 30 --reason "slower"
house floor set day-starts 05:00 --reason "earlier"
house floor show
"""
# table: seats with wagers (cents), what is done between the lock and the cards
VIRTUAL: dict[str, tuple[dict[int, tuple[str, dict[str, int]]], str]] = {
    "one": ({1: ("ann", {"ante": 1000, "progressive": 100}), 2: ("bob", {"ante": 2500, "progressive": 100}), 5: ("cyd", {"ante": 500})}, ""),
    "five": ({1: ("ann", {"ante": 1000, "progressive": 500}), 3: ("bob", {"ante": 1000, "progressive": 500})}, ""),
    "two": ({2: ("ann", {"ante": 1000, "progressive": 100}), 6: ("cyd", {"ante": 1000, "progressive": 100})}, ""),
    "dyn": ({1: ("bob", {"ante": 1000, "progressive": 100}), 4: ("dee", {"ante": 500, "progressive": 100})}, "Draw"),
    "wash": ({1: ("ann", {"ante": 500, "progressive": 100, "flush": 300}), 2: ("bob", {"ante": 500, "straight-flush": 500})}, "Roll"),
    "ox": ({1: ("ann", {"ante": 1000, "flush": 500, "straight-flush": 500}), 4: ("dee", {"ante": 1500, "flush": 100})}, ""),
    "mea": ({1: ("ann", {"ante": 1000, "flush": 500, "straight-flush": 500}), 3: ("cyd", {"ante": 2000, "straight-flush": 500})}, ""),
    "ac": ({1: ("bob", {"ante": 1000, "flush": 500, "straight-flush": 500}), 2: ("cyd", {"ante": 1000, "flush": 500})}, ""),
}
SEVEN = ("8s7s6s5s4s3s2s", "8h7h6h5h4h3h2h", "8d7d6d5d4d3d2d")
JACKPOT: list[tuple[dict[int, str], list[str]]] = [
    # at the felt: hands that win, and what is done with the wins
    ({3: "AsKsQsJsTs9s 2c"}, []),
    ({3: SEVEN[0]}, ["house wins", "house approve mega 1 --as sue", "house approve mega 1 --as sue", "house approve mega 1 --as sam"]),
    ({3: SEVEN[0], 4: SEVEN[1]}, ["house wins --json", 'house refuse mega 2 --as sue --reason "a marked card"', "house approve mega 2 --as sid",
        'house refuse mega 2 --as sam --reason "a marked card"', "house approve mega 3 --as sue", "house meter hits mega"]),
    ({1: SEVEN[2], 3: "AhKhQhJhTh9h 3c"}, ["house approve mega 4 --as dora", "house approve mega 4 --as sam", "house approve mega 4 --as sid"]),
    ({}, []),
]  # fmt: skip
DAY_METERS = """\
house meter set mega --rate 20% --reason "as posted"
house meter set mega --limit none --reason "no limit"
house meter pause mega --reason "display is being moved" --as sue
house submit table/one '{"type": "Sit", "seat": 6}' --as dee
house submit table/one '{"type": "OpenRound"}' --as house
house submit table/one '{"type": "PlaceWagers", "seat": 6, "wagers": {"ante": 500, "progressive": 100}}' --as dee
house submit table/one '{"type": "PlaceWagers", "seat": 6, "wagers": {"ante": 500}}' --as dee
house meter resume mega --reason "done" --as sue
house submit table/one '{"type": "PlaceWagers", "seat": 6, "wagers": {"ante": 500, "progressive": 100}}' --as dee
house submit table/one '{"type": "ClearWagers", "seat": 6}' --as dee
house submit table/one '{"type": "PlaceWagers", "seat": 6, "wagers": {"ante": 700}}' --as dee
house submit table/one '{"type": "CommitSeed", "seat": 6, "commitment": "5bf1ca75064176f23f9cd11c0e2ecd3fe70cf220bfa0b7c70513564be64a930a"}' --as dee
house submit table/one '{"type": "Lock"}' --as house
house submit table/one '{"type": "RevealSeed", "seat": 6, "seed": "7d1f0a9be2c84436a5909be1c7730fd2"}' --as dee
house submit table/one '{"type": "DealCards"}' --as house
house view one --as dee
house view one --as ann --json
house view one --json
house submit table/one '{"type": "TimeOut", "seat": 6}' --as house
house submit table/one '{"type": "SettleRound"}' --as house
house submit table/one '{"type": "Leave", "seat": 6}' --as dee
house meter check mega --as sue
house meter checkpoint mega --as sue
house meter checkpoint low --as sam
house correct mega --amount 0.25 --reason "display was rounded" --as sue
house decide mega 1 --approve --as sue
house decide mega 1 --approve --as sam
house correct mega --amount -3.5 --reserve 2 --reason "a mistake" --as sam
house decide mega 2 --reject --reason "no" --as sue
house correct top --reserve 12.345678 --reason "moved" --as sue
house decide top 1 --approve --as sid
house meter display sign 12000 --reason "a new month" --as sue
house meter display mega 12000 --reason "no" --as sue
house meter reconcile mega
house meter reconcile mega --moves
house meter reconcile top --moves
house meter reconcile drawn
house meter reconcile sign
"""
DAY_OXFORD = """\
house submit table/oxp '{"type": "Sit", "seat": 1}' --as ann
house submit table/oxp '{"type": "Sit", "seat": 3}' --as dora
house submit table/oxp '{"type": "Sit", "seat": 4}' --as dan
house assign oxp dan --as sue
house submit table/oxp '{"type": "Sit", "seat": 4}' --as dan
house submit table/oxp '{"type": "OpenRound"}' --as dora
house submit table/oxp '{"type": "PlaceWagers", "seat": 1, "wagers": {"ante": 2500, "flush": 500, "straight-flush": 500}}' --as dora
house submit table/oxp '{"type": "PlaceWagers", "seat": 3, "wagers": {"ante": 1000, "flush": 500}}' --as dora
house submit table/oxp '{"type": "PlaceWagers", "seat": 4, "wagers": {"ante": 1000}}' --as dan
house submit table/oxp '{"type": "PlaceWagers", "seat": 4, "wagers": {"ante": 100}}' --as dan
house submit table/oxp '{"type": "Lock"}' --as dora
< house submit table/oxp - --as dora < {"type": "DealHand", "seat": 1, "hand": "AsKs9s7s 6d7d8d"}
< house submit table/oxp - --as dora < {"type": "DealHand", "seat": 3, "hand": "2c9c Jh4h 5s8s Qd"}
< house submit table/oxp - --as dora < {"type": "DealHand", "seat": 4, "hand": "2h3h4s 5h7h ThAh"}
house view oxp --as dora
house submit table/oxp '{"type": "TakeBack", "seat": 4, "reason": "the second is a nine"}' --as sid
< house submit table/oxp - --as dora < {"type": "DealHand", "seat": 4, "hand": "2h3h9d 5h7h ThAh"}
< house submit table/oxp - --as dora < {"type": "DealHand", "seat": 0, "hand": "9h8h6h Kc3c Td2s"}
< house submit table/oxp - --as dora < {"type": "DealHand", "seat": 0, "hand": "9h7h4h Kc3c Td2s"}
house view oxp --as ann --json
house view oxp --as dora --json
house submit table/oxp '{"type": "Raise", "seat": 1, "amount_cents": 5000, "expose": "6d7d8d"}' --as dora
house submit table/oxp '{"type": "Raise", "seat": 1, "amount_cents": 2500, "expose": "6d7d8d"}' --as dora
house submit table/oxp '{"type": "Fold", "seat": 3}' --as dora
house warn oxp 4 --reason "shows cards" --as sue
house submit table/oxp '{"type": "VoidHand", "seat": 4, "disposition": "forfeit", "reason": "conduct"}' --as sue
house submit table/oxp '{"type": "SettleRound"}' --as dora
house rounds oxp --json
house unassign oxp dan
house submit table/oxp '{"type": "OpenRound"}' --as dora
house submit table/oxp '{"type": "PlaceWagers", "seat": 1, "wagers": {"ante": 2500}}' --as dora
house submit table/oxp '{"type": "Lock"}' --as dora
house void oxp --reason card-count --as dora
house void oxp --reason card-count --as sue
house submit table/oxp '{"type": "Leave", "seat": 1}' --as ann
house table switch oxp closed --reason "the evening" --as ada
house table switch oxp open --reason "no" --as ada
house table change ox --set ante-minimum 10
house table change ac --set clock 20 --propose "no need"
"""
DAY_END = """\
house status
house status --json
house balances --json
house statement ann
house statement bob --json
house statement cyd
house statement dee
house rounds one
house rounds wash --json
house rounds dyn
house report floor --day 2027-01-15
house report holds --day 2027-01-15 --json
house report totals --day 2027-01-15
house report players --day 2027-01-15
house report meters --day 2027-01-15 --json
house shift end --as cal
house play --tables 2 --rounds 3 --seats 3 --threads 1 --seed 4
house cash-out ann 100 --as cal
house submit table/ox '{"type": "OpenRound"}' --as house
db backup night.db
house void ox --reason other --text "a drill" --as sue
db restore night.db --replace --reason "a drill"
house status
house void ox --reason other --text "put back" --as sue
audit --as amy
house new-key --reason "once a year"
house acknowledge "office new-key 99" --as sue
audit
db check
"""


def day_lines(text: str) -> list[tuple[str, str]]:
    """Commands and what is typed into them: `< COMMAND < TEXT`."""
    found = []
    for line in text.splitlines():
        if line.startswith("< "):
            _, command, typed = line.split("< ", 2)
            found.append((command.strip(), typed))
        else:
            found.append((line, ""))
    return found


class Day:
    """A house of its own and who works in it."""

    def __init__(self, runner: Runner) -> None:
        self.runner = runner
        self.more = {"HCF_DB": f"sqlite:///{runner.work}/house.db"}
        self.change = "0"
        """The last that was proposed."""

    def do(self, line: str | list[str], stdin: str = "") -> bool:
        """A command, in a group of its own with what it said; whether it was done."""
        if isinstance(line, str):
            line = line.replace("@CHANGE@", self.change)
        done = self.runner.note(line, stdin, prefix="said: ", **self.more)
        if found := re.search(r"change (\d+): proposed", done.stdout):
            self.change = found[1]
        return done.returncode == 0

    def lines(self, text: str) -> None:
        for line, stdin in day_lines(text):
            self.do(line, stdin)

    def submit(self, table: str, actor: str, kind: str, typed: bool = False, **fields: Any) -> bool:
        command = json.dumps({"type": kind, **fields})
        words = ["house", "submit", f"table/{table}"]
        return self.do([*words, "-", "--as", actor], command) if typed else self.do([*words, command, "--as", actor])

    def virtual_round(self, table: str, number: int) -> None:
        seats, chance = VIRTUAL[table]
        self.submit(table, "house", "OpenRound")
        for seat, (player, wagers) in seats.items():
            if (seat + number) % 5 == 0:
                continue  # sits out
            self.submit(table, player, "PlaceWagers", seat=seat, wagers={k: v * (1 + number % 2) if k == "ante" else v for k, v in wagers.items()})
            if (seat + number) % 3 == 0:
                self.submit(table, player, "NameSeed", seat=seat, seed=f"{number:02x}{seat:02x}" * 4)
        self.submit(table, "house", "Lock")
        if chance:
            self.submit(table, "house", chance)
        self.submit(table, "house", "DealCards")
        self.do(f"house view {table} --as {next(iter(seats.values()))[0]}")
        for seat, (player, wagers) in reversed(seats.items()) if number % 2 else seats.items():
            if (seat + number) % 5 == 0:
                continue
            ante = wagers["ante"] * (1 + number % 2)
            tries = [2 * ante, ante] if (seat + number) % 4 == 1 else [ante]
            if (seat + number) % 4 == 0 or not any(self.submit(table, player, "Raise", seat=seat, amount_cents=cents) for cents in tries):
                self.submit(table, player, "Fold", seat=seat)
        self.submit(table, "house", "SettleRound")

    def jackpot_round(self, hands: dict[int, str], then: list[str]) -> None:
        self.submit("felt", "dora", "OpenRound")
        for seat in (1, 3, 4):
            self.submit("felt", "dora", "PlaceWagers", seat=seat, wagers={"progressive": 100})
        self.submit("felt", "dora", "Lock")
        for seat, hand in hands.items():
            self.submit("felt", "dora", "DealHand", typed=True, seat=seat, hand=hand)
        if not self.submit("felt", "dora", "SettleRound"):
            self.submit("felt", "sid", "SettleRound")
        for line in then:
            self.do(line)


def record_books(tree: Tree, work: Path, out: Writer, args: argparse.Namespace) -> None:
    runner = Runner(tree, work, out)
    day = Day(runner)
    day.lines(DAY_PEOPLE)
    day.lines(DAY_FLOOR)
    for table, (seats, _) in VIRTUAL.items():
        for seat, (player, _) in seats.items():
            day.submit(table, player, "Sit", seat=seat)
        for number in range(1, 4):
            day.virtual_round(table, number)
        day.do(f"house proof {table} 1 2 3")
    day.submit("felt", "ann", "Sit", seat=1)
    said = runner.run("house consent felt --as bob --json", **day.more)
    found = {path.split(".")[-1]: leaf for path, leaf in json_paths(json.loads(said.stdout)).items()}
    token = json.loads(found.get("token", '"none"'))
    day.submit("felt", "dora", "Sit", typed=True, seat=3, player="bob", token=token)
    day.submit("felt", "dora", "Sit", seat=4)
    for hands, then in JACKPOT:
        day.jackpot_round(hands, then)
    day.lines(DAY_METERS)
    day.lines(DAY_OXFORD)
    dump_books(work / "house.db", out, "evening")
    day.lines(DAY_END)
    dump_books(work / "house.db", out, "night")
    day.do("audit --json")
    finish(runner)


HIDDEN = {"hash", "request", "key", "key_id", "sealed", "prev", "token_sha256", "consent", "heads", "digest"}
"""Keys of what is a hash, a ticket or sealed: whether there is one is recorded."""
GONE = {"at", "at_ms"}


def hide(value: Any, key: str = "") -> Any:
    if key in HIDDEN and value is not None and (isinstance(value, bytes) or (isinstance(value, str) and key != "key") or key == "key"):
        return value if isinstance(value, str) and len(value) < 16 and key == "key" else f"<{key}>"
    if isinstance(value, bytes):
        return "<bytes>"
    if isinstance(value, dict):
        return {k: hide(v, k) for k, v in value.items() if k not in GONE}
    if isinstance(value, list):
        return [hide(each, key) for each in value]
    return value


def dump_books(path: Path, out: Writer, when: str) -> None:
    rows = book_rows(path)
    for row in rows["event"]:
        row["body"] = json.loads(row["body"])
        out.add(f"events {when} {row['stream']}", json.dumps(hide(row), ensure_ascii=False))
    balances: Counter[str] = Counter()
    for row in rows["transfer"]:
        balances[row["source"]] -= row["micros"]
        balances[row["target"]] += row["micros"]
        out.add(f"transfers {when} {row['stream']}", json.dumps(row, ensure_ascii=False))
    for account, micros in sorted(balances.items()):
        out.add(f"balances {when}", f"{account} {micros}")
    for what in ("wallet", "person"):
        for row in rows[what]:
            out.add(f"{what} rows {when}", json.dumps(row, ensure_ascii=False))


# ======================================================================================================================
# 1. Frames

API = "/api/v1"
A_SECOND, BURST = 9, 15
"""Commands of a person: a few less than the server allows."""
PASSWORD = "seven cards, one suit"
SEATS = {"p1": 1, "p2": 3, "p3": 4}
FLOORS: dict[str, list[str]] = {
    "galaxy-v7": [
        "house meter add mega --paytable galaxy-v7/PT-BJS-HCF-SF-07",
        "house table add main --meter mega --set clock 12 --set ante-minimum 5 --set ante-maximum 500"
        " --offer flush washington/PT-FLT-HCF-FB-01",
    ],
    "atlantic-city": ["house table add main --rulebook atlantic-city --set clock 600 --set ante-minimum 5 --set ante-maximum 500"],
    "washington": [
        "house table add main --rulebook washington --set clock 600 --set ante-minimum 5 --set ante-maximum 500"
        " --offer flush PT-FLT-HCF-FB-01 --offer straight-flush PT-FLT-HCF-SF-04 --set dealing dice",
    ],
    "meadows": ["house table add main --rulebook meadows --set clock 600 --set ante-minimum 5 --set ante-maximum 500"],
    "oxford": [
        "house table add main --rulebook oxford --set clock 12 --set default-action basic-strategy --set ante-minimum 5 --set ante-maximum 500",
        "house table add felt --rulebook oxford --set ante-minimum 5 --set ante-maximum 500 --physical --dealer dora",
    ],
}
STAFF = {"dora": "dealer", "sue": "supervisor"}


class Http:
    """Calls over HTTP; the session is a cookie."""

    def __init__(self, port: int) -> None:
        self.port, self.cookie = port, ""
        self._open: http.client.HTTPConnection | None = None

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        status, text = self.text(method, API + path, body, **headers)
        try:
            return status, json.loads(text) if text else None
        except ValueError:
            return status, text

    def text(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, str]:
        sent = {"X-HCF": "1", "Content-Type": "application/json", **{k.replace("_", "-"): v for k, v in headers.items()}}
        if self.cookie:
            sent["Cookie"] = self.cookie
        for again in (True, False):
            try:
                self._open = self._open or http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
                data = json.dumps(body if body is not None else {}) if method in ("POST", "PATCH") else None
                self._open.request(method, path, data, sent)
                answer = self._open.getresponse()
                text = answer.read().decode()
                break
            except (http.client.HTTPException, OSError):
                self._open = None
                if not again:
                    raise
        if cookie := answer.getheader("set-cookie"):
            self.cookie = cookie.partition(";")[0]
        return answer.status, text

    def good(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        status, data = self.call(method, path, body, **headers)
        if status >= 300:
            raise RuntimeError(f"{method} {path}: {status} {data}")
        return data


class WebSocket:
    """As much of RFC 6455 as a client needs here."""

    async def open(self, port: int, path: str) -> None:
        self._in, self._out = await asyncio.open_connection("127.0.0.1", port, limit=1 << 24)
        key = base64.b64encode(b"0123456789abcdef").decode()
        self._out.write(
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        head = await self._in.readuntil(b"\r\n\r\n")
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise RuntimeError(head.decode())

    def say(self, text: str | bytes, code: int = 1) -> None:
        data, mask = text.encode() if isinstance(text, str) else text, b"\x01\x02\x03\x04"
        size = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + struct.pack(">H", len(data))
        masked = bytes(byte ^ mask[i % 4] for i, byte in enumerate(data))
        self._out.write(bytes([0x80 | code]) + size + mask + masked)

    async def hear(self) -> str | None:
        """The next text; None when it ends."""
        whole = b""
        while True:
            first, second = await self._in.readexactly(2)
            size = second & 127
            if size > 125:
                size = int.from_bytes(await self._in.readexactly(2 if size == 126 else 8), "big")
            data = await self._in.readexactly(size)
            match first & 15:
                case 8:
                    return None
                case 9:
                    self.say(data, 10)
                case 0 | 1:
                    whole += data
                    if first & 128:
                        return whole.decode()

    def close(self) -> None:
        self.say(b"\x03\xe9", 8)
        self._out.close()


class Viewer:
    """Somebody with an open socket, and all that was heard there."""

    def __init__(self, scene: Scene, name: str, client: Http) -> None:
        self.scene, self.name, self.http = scene, name, client
        self.now: dict[str, dict[str, Any]] = {}
        """The last message of each table."""
        self.answers: dict[str, dict[str, Any]] = {}
        self.balance: int | None = None
        self.meters: dict[str, str] = {}
        self.others = 0
        self._paid = 0.0
        """Up to when commands were sent, at so many a second."""
        self.task: asyncio.Task[None] | None = None
        self.socket = WebSocket()

    async def connect(self, *tables: str, after: dict[str, int] | None = None) -> None:
        ticket = self.http.good("POST", "/ticket")["ticket"]
        self.socket = WebSocket()
        await self.socket.open(self.http.port, f"{API}/live?ticket={ticket}")
        hello = await self.socket.hear()
        assert hello is not None
        self.balance = json.loads(hello).get("balance_cents")
        self.scene.note(self.name, "hello", hello)
        self.task = asyncio.create_task(self._hear())
        for table in tables:
            known = (after or {}).get(table)
            self.say({"type": "watch", "table": table, **({"after": known} if known is not None else {})})

    def say(self, message: Any) -> None:
        self.socket.say(message if isinstance(message, str) else json.dumps(message))

    async def _hear(self) -> None:
        try:
            while (text := await self.socket.hear()) is not None:
                self._take(text, json.loads(text))
                self.scene.changed.set()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass

    def _take(self, text: str, message: dict[str, Any]) -> None:
        match message["type"]:
            case "told" | "table":
                number = (message.get("round") or {}).get("number", 0)
                self.scene.note(self.name, f"{message['table']} round {number:03}", text)
                self.now[message["table"]] = message
            case "done" | "refused" if message.get("key"):
                self.answers[message["key"]] = message
                self.scene.note(self.name, f"{self.scene.table} round {self.scene.round:03} answers", text)
            case "balance":
                self.balance = message["balance_cents"]
                if "balance" not in self.scene.shapes:
                    self.scene.shapes["balance"] = ", ".join(message)
            case "meter":
                self.meters[message["name"]] = text
            case kind:
                self.scene.note(self.name, f"{kind} frames", text)
                self.others += 1

    async def close(self) -> None:
        self.socket.close()
        if self.task is not None:
            self.task.cancel()

    # --- what is seen

    def seq(self, table: str) -> int:
        return self.now[table]["seq"] if table in self.now else -1

    def phase(self, table: str) -> str | None:
        return (self.now.get(table, {}).get("view") or {}).get("phase")

    def legal(self, table: str, kind: str) -> list[dict[str, Any]]:
        you = self.now.get(table, {}).get("you") or {}
        return [option for option in you.get("legal") or () if option["type"] == kind]

    async def do(self, table: str, kind: str, **fields: Any) -> dict[str, Any]:
        """A command, its answer, and everybody told of what it did."""
        now = time.monotonic()
        self._paid = max(self._paid, now - BURST / A_SECOND) + 1 / A_SECOND
        await asyncio.sleep(max(0, self._paid - now))
        self.scene.keys[self.name] += 1
        key = f"{self.name} {self.scene.keys[self.name]}"
        command = {"type": kind, **{k: v for k, v in fields.items() if v is not None}}
        self.say({"type": "do", "key": key, "stream": f"table/{table}", "command": command})
        await self.scene.until(lambda: key in self.answers, f"{self.name} {command}")
        answer = self.answers[key]
        if answer["type"] == "done":
            await self.scene.all_at(table, answer["answer"]["seq"])
        return answer


class Scene:
    """A server and its viewers."""

    def __init__(self, name: str, out: Writer, label: Path, plain: Plain) -> None:
        self.name, self.out, self.label_file, self.plain = name, out, label, plain
        self.viewers: list[Viewer] = []
        self.people: dict[str, str] = {}
        """Guests' names, and what they are called in the recording."""
        self.changed = asyncio.Event()
        self.keys: Counter[str] = Counter()
        self.table, self.round = "main", 0
        self.shapes: dict[str, str] = {}

    def label(self, text: str) -> None:
        """From which chance is drawn from now on."""
        draft = self.label_file.with_suffix(".new")
        draft.write_text(f"{self.name} {text}")
        draft.rename(self.label_file)

    def clean(self, text: str) -> str:
        padded = " <padded>" if text.endswith("  ") else ""
        text = re.sub(r'"ends_in_ms":\s*[0-9]+', '"ends_in_ms":"<ms>"', text.rstrip())
        for found, name in self.people.items():
            text = text.replace(found, name)
        return self.plain(re.sub(r"\bg-[a-z0-9]{12}\b", "<guest's id>", text)) + padded

    def note(self, viewer: str, what: str, text: str) -> None:
        self.out.add(f"{self.name} {what} {viewer}", self.clean(text))

    async def until(self, true: Any, what: str) -> None:
        try:
            async with asyncio.timeout(PATIENCE_S):
                while not true():
                    self.changed.clear()
                    await self.changed.wait()
        except TimeoutError:
            seen = {v.name: (v.seq(self.table), v.phase(self.table)) for v in self.viewers}
            raise RuntimeError(f"{self.name} round {self.round}: waited in vain for {what}; {seen}") from None

    async def all_at(self, table: str, seq: int) -> None:
        await self.until(lambda: all(v.seq(table) >= seq for v in self.viewers if table in v.now), f"event {seq} of {table}")

    async def all_in(self, table: str, *phases: str, number: int | None = None) -> None:
        def true() -> bool:
            watching = [v for v in self.viewers if table in v.now]
            first = {v.seq(table) for v in watching}
            return len(first) == 1 and all(
                v.phase(table) in phases and (number is None or v.now[table]["round"]["number"] == number) for v in watching
            )

        await self.until(true, f"{table} {phases} of round {number}")


def totp(key: str, at: float) -> str:
    mac = hmac.digest(base64.b32decode(key), int(at // 30).to_bytes(8, "big"), "sha1")
    number = int.from_bytes(mac[mac[-1] & 15 :][:4], "big") & 0x7FFF_FFFF
    return f"{number % 10**6:06d}"


AT_ONCE = 3
"""Servers that run side by side: mostly they wait for players, who may do so much a second."""


def record_frames(tree: Tree, work: Path, out: Writer, args: argparse.Namespace) -> None:
    parts = {name: Writer(work, name) for name in RULEBOOKS}

    async def one(name: str, free: asyncio.Semaphore) -> None:
        async with free:
            began = time.monotonic()
            (work / name).mkdir()
            await serve_and_play(tree, work / name, parts[name], name, args.rounds)
            print(f"    {name}: {time.monotonic() - began:.0f} s", flush=True)

    async def every() -> None:
        free = asyncio.Semaphore(AT_ONCE)
        async with asyncio.TaskGroup() as group:
            for name in sorted(RULEBOOKS, key=lambda name: name not in ("galaxy-v7", "oxford")):  # the longest first
                group.create_task(one(name, free))

    try:
        asyncio.run(every())
    finally:
        for part in parts.values():
            out.groups.update(part.groups)


async def serve_and_play(tree: Tree, work: Path, out: Writer, name: str, rounds: int) -> None:
    runner = Runner(tree, work, None)
    more = {"HCF_DB": f"sqlite:///{work}/house.db"}

    async def hcf(line: str) -> str:
        done = await asyncio.to_thread(runner.run, line, **more)
        if done.returncode:
            raise RuntimeError(f"hcf {line}: {done.stderr}")
        return done.stdout

    await hcf("db upgrade")
    for person, role in STAFF.items():
        await hcf(f"house person add {person} {role}")
    for line in FLOORS[name]:
        await hcf(line)
    # What is shown of a meter may be a quarter of a second old: a round that opens later shows what was counted.
    pause = 1 if name == "galaxy-v7" else 0
    for setting in ("house-players 0", f"pause-s {pause}", "betting-s 600", "grace-s 3600"):
        await hcf(f"house floor set {setting} --reason baseline")
    code = (await hcf("serve --first-admin")).split()[0]
    label = work / "label"
    scene = Scene(name, out, label, runner.plain)
    scene.label("setup")
    with open(work / "out.txt", "wb") as stdout, open(work / "err.txt", "wb") as stderr:
        environment = tree.environment(
            work, name, BASELINE_LABEL_FILE=str(label), HCF_LOG_LEVEL="warning", **more
        )
        server = subprocess.Popen(tree.command("serve", "--port", "0"), stdout=stdout, stderr=stderr, cwd=work, env=environment)
        try:
            for _ in range(600):
                if found := re.search(r"serving http://[^:]+:(\d+)", (work / "out.txt").read_text()):
                    break
                if server.poll() is not None:
                    raise RuntimeError((work / "err.txt").read_text())
                await asyncio.sleep(0.1)
            else:
                raise RuntimeError("the server does not start")
            await play_all(scene, int(found[1]), code, rounds)
        finally:
            server.send_signal(signal.SIGTERM)
            try:
                await asyncio.to_thread(server.wait, 60)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()
            out.add(f"{name} server", f"status {server.returncode}", f"listens: {re.sub(r':[0-9]+', ':<port>', (work / 'out.txt').read_text()).strip()}")
    for line in ("house balances", "house rounds main --last 400", "house status", "audit --json"):
        said = await asyncio.to_thread(runner.run, line, **more)
        out.add(f"{name} then hcf {line}", f"status {said.returncode}", *(scene.clean(text) for text in said.stdout.splitlines()))


async def play_all(scene: Scene, port: int, code: str, rounds: int) -> None:
    admin = Http(port)
    staff: dict[str, Http] = {}
    # Staff choose passwords by one-time codes, are shown a second factor, and sign in with both.

    def sign_in(client: Http, name: str, code: str) -> None:
        used = client.good("POST", "/codes/use", {"code": code, "password": PASSWORD})
        shown = used["second_factor"]["key"]
        scene.note(name, "http codes/use", json.dumps({**used, "second_factor": "<hidden>"}))
        about = client.good("POST", "/login", {"name": name, "password": PASSWORD, "code": totp(shown, T0)})
        scene.note(name, "http login", json.dumps(about))

    sign_in(admin, "admin", code)
    for person in STAFF:
        made = admin.good("POST", "/codes", {"person": person})
        staff[person] = Http(port)
        sign_in(staff[person], person, made["code"])
    guests: dict[str, Http] = {}
    for name in ("watcher", *SEATS):
        guests[name] = Http(port)
        about = guests[name].good("POST", "/guest")
        scene.people[about["name"]] = f"<{name}>"
        scene.note(name, "http guest", json.dumps(about))
    for name, client in {**guests, **staff}.items():
        viewer = Viewer(scene, name, client)
        scene.viewers.append(viewer)
        await viewer.connect("main")
    by_name = {viewer.name: viewer for viewer in scene.viewers}
    await scene.until(lambda: all("main" in v.now for v in scene.viewers), "the table")
    # Tables show guests by these names too.
    players = [by_name[name] for name in SEATS]
    about = guests["watcher"].good("GET", "/tables/main")
    for number in range(1, rounds + 1):
        scene.round = number
        await play_round(scene, players, by_name, about["limits"], number)
        if number % 10 == 0:
            await look(scene, by_name, number)
    if scene.name == "oxford":
        await play_felt(scene, by_name, staff, min(20, rounds))
    scene.table = "main"
    await finish_frames(scene, by_name)


async def play_round(scene: Scene, players: list[Viewer], by_name: dict[str, Viewer], limits: dict[str, Any], number: int) -> None:
    """By what the server says is legal, and by the number of the round; nothing else."""
    table = "main"
    if number == 1:
        scene.label(f"round {number}")
        for player in players:
            await player.do(table, "Sit", seat=SEATS[player.name])
    if number % 25 == 0:  # one comes anew, another has lost the connection
        await players[2].do(table, "Leave", seat=SEATS["p3"])
        await players[2].do(table, "Sit", seat=SEATS["p3"])
        seq = players[1].seq(table)
        await players[1].close()
        await asyncio.sleep(0.05)
        players[1].now.clear()
        await players[1].connect(table, after={table: max(0, seq - 3)})
        await scene.until(lambda: players[1].seq(table) >= seq, "what was missed")
    await scene.all_in(table, "betting", number=number)
    if number % 20 == 5:
        await misuse(scene, players, table)
    for place, player in enumerate(players):
        seat = SEATS[player.name]
        if (number + place) % 9 == 0:
            await player.do(table, "NameSeed", seat=seat, seed=f"{number:04x}{seat:02x}" * 3)
        if (number + place) % 11 == 0 and place < 2:
            await player.do(table, "PlaceWagers", seat=seat, wagers=wagers(player.now[table], limits, 0, 1))
            await player.do(table, "ClearWagers", seat=seat)
        if number % 10 == 0 and player is players[-1]:
            about(scene, players[0], table, "bets")
        await player.do(table, "PlaceWagers", seat=seat, wagers=wagers(player.now[table], limits, number, place))
    await scene.all_in(table, "dealt", "acting", "showdown", number=number)
    if number % 10 == 0:
        about(scene, players[0], table, "advice")
    scene.label(f"round {number + 1}")  # it is opened as soon as this one is settled
    turn = number % len(players)
    order = [*players[turn:], *players[:turn]]
    for place, player in enumerate(order):
        if number in (7, 8) and place == 2 and scene.name in ("galaxy-v7", "oxford"):
            await time_out(scene, player, table)
        else:
            await decide(scene, player, table, SEATS[player.name], number)
    await scene.all_in(table, "betting", number=number + 1)
    for player in players:  # a balance is told a moment later
        status, me = player.http.call("GET", "/me")
        await scene.until(lambda: player.balance == me["balance_cents"], f"a balance of {me}, not {player.balance}")
        scene.note(player.name, f"main round {number:03} balance", str(me["balance_cents"]))


def about(scene: Scene, player: Viewer, table: str, call: str) -> None:
    status, data = player.http.call("GET", f"/tables/{table}/{call}")
    scene.note(player.name, f"http {call} round {scene.round:03}", f"{status} {json.dumps(data)}")


def wagers(now: dict[str, Any], limits: dict[str, Any], number: int, place: int) -> dict[str, int]:
    """Ante always, side bets by the number of the round."""
    closed = (now.get("round") or {}).get("closed")
    found = {}
    for count, (wager, limit) in enumerate(limits.items()):
        least = max(limit.get("minimum_cents") or limit.get("step_cents") or 100, 100)
        step = max(limit.get("step_cents") or 100, 100)
        if wager == "progressive":
            if not closed and (number + place) % 4:
                found[wager] = least
        elif limit.get("required") or wager == "ante":
            found[wager] = least + step * ((number + place) % 4)
        elif (number + place + count) % 3:
            found[wager] = least + step * ((number + count) % 2)
    return found


async def decide(scene: Scene, player: Viewer, table: str, seat: int, number: int) -> None:
    hand = next(each["hand"]["seen"] for each in player.now[table]["view"]["seats"] if each["number"] == seat).replace(" ", "")
    longest = max(hand[1::2].count(suit) for suit in "cdhs")
    raises = player.legal(table, "Raise")
    if longest < 3 or not raises or (longest == 3 and (number + seat) % 5 == 0):
        await player.do(table, "Fold", seat=seat)
        return
    option = raises[number % len(raises)]
    amounts = option.get("amounts_cents") or [option["minimum_cents"], option["maximum_cents"]]
    fields: dict[str, Any] = {"keep": option.get("keep")}
    if option.get("exposable") and number % 3 == 0:
        fields["expose"] = option["exposable"] if isinstance(option["exposable"], str) else option["exposable"][0]
    amount = amounts[(number + seat) % len(amounts)]
    answer = await player.do(table, "Raise", seat=seat, amount_cents=amount, **fields)
    if answer["type"] == "refused":
        answer = await player.do(table, "Raise", seat=seat, amount_cents=amounts[0], keep=option.get("keep"))
    if answer["type"] == "refused":
        await player.do(table, "Fold", seat=seat)


async def time_out(scene: Scene, player: Viewer, table: str) -> None:
    """One does not decide: the clock runs out."""
    seq = player.seq(table)
    await scene.until(lambda: player.seq(table) > seq, "the clock to run out")


async def misuse(scene: Scene, players: list[Viewer], table: str) -> None:
    """What is refused."""
    one = players[0]
    for kind, fields in (
        ("PlaceWagers", {"seat": 1, "wagers": {"ante": 1}}),
        ("PlaceWagers", {"seat": 3, "wagers": {"ante": 1000}}),
        ("PlaceWagers", {"seat": 1, "wagers": {"antes": 1000}}),
        ("PlaceWagers", {"seat": 1, "wagers": {"ante": "x"}}),
        ("PlaceWagers", {"seat": 1, "wagers": {"ante": 10**9}}),
        ("Fold", {"seat": 1}),
        ("Raise", {"seat": 1, "amount_cents": 1000}),
        ("Sit", {"seat": 3}),
        ("Sit", {"seat": 7}),
        ("Leave", {"seat": 4}),
        ("Lock", {}),
        ("SettleRound", {}),
        ("Nothing", {}),
        ("NameSeed", {"seat": 1, "seed": "xyz"}),
    ):
        await one.do(table, kind, **fields)
    if scene.round > 5:
        return
    before = one.others
    for text in ("nonsense", "{}", '{"type": "nothing"}', '{"type": "watch", "table": "none"}', '{"type": "ping", "n": 7}',
                 '{"type": "unwatch", "table": "none"}', '{"type": "do", "stream": "table/main"}', '{"type": "watch", "house": true}'):  # fmt: skip
        one.say(text)
    await scene.until(lambda: one.others >= before + 8, "eight answers")
    status, data = one.http.call("POST", "/commands/table/main", {"type": "Fold", "seat": 1})
    scene.note("p1", "http refused", f"no key: {status} {json.dumps(data)}")
    for stream in ("table/main", "table/none", "office", "cage"):
        status, data = one.http.call("POST", f"/commands/{stream}", {"type": "Fold", "seat": 1}, Idempotency_Key="k")
        scene.note("p1", "http refused", f"{stream}: {status} {json.dumps(data)}")


async def look(scene: Scene, by_name: dict[str, Viewer], number: int) -> None:
    """What HTTP says of it."""
    for path in (f"/rounds/main/{number}", f"/rounds/main/{number}/steps", "/tables/main", "/me/rounds", "/me/session", "/me/statement"):
        status, data = by_name["p1"].http.call("GET", path)
        scene.note("p1", f"http {path} after {number:03}", f"{status} {json.dumps(data)}")
    seq = by_name["watcher"].seq("main")
    for name in ("watcher", "p2") if number % 50 == 0 else ():
        status, data = by_name[name].http.call("GET", f"/tables/main/events?after={max(0, seq - 40)}")
        for row in data if isinstance(data, list) else [data]:
            scene.note(name, f"http events until round {number:03}", json.dumps(row))


async def play_felt(scene: Scene, by_name: dict[str, Viewer], staff: dict[str, Http], rounds: int) -> None:
    """A table of real cards: the dealer keys in what happened."""
    table = scene.table = "felt"
    for viewer in scene.viewers:
        viewer.say({"type": "watch", "table": table})
    await scene.until(lambda: all(table in v.now for v in scene.viewers), table)
    dealer, one, two = by_name["dora"], by_name["p1"], by_name["p2"]
    await one.do(table, "Sit", seat=1)
    await two.do(table, "Sit", seat=3)
    await dealer.do(table, "Sit", seat=5)
    ranks = "23456789TJQKA"
    for number in range(1, rounds + 1):
        scene.round = number
        drawn = hashlib.shake_256(f"felt {number}".encode()).digest(52 * 4)
        deck = sorted(range(52), key=lambda card: drawn[card * 4 : card * 4 + 4])
        cards = ["".join(ranks[card % 13] + "cdhs"[card // 13] for card in deck[7 * i : 7 * i + 7]) for i in range(4)]
        await dealer.do(table, "OpenRound")
        for seat, ante in ((1, 1000), (3, 1500), (5, 500)):
            bets = {"ante": ante, **({"flush": 500} if (seat + number) % 2 else {}), **({"straight-flush": 500} if number % 3 else {})}
            await dealer.do(table, "PlaceWagers", seat=seat, wagers=bets)
        await dealer.do(table, "Lock")
        for seat, hand in zip((1, 3, 5, 0), cards, strict=True):
            await dealer.do(table, "DealHand", seat=seat, hand=hand)
            if number % 6 == 2 and seat == 3:
                await by_name["sue"].do(table, "TakeBack", seat=3, reason="misread")
                await dealer.do(table, "DealHand", seat=3, hand=hand)
        if number % 7 == 0:
            await by_name["sue"].do(table, "Void", reason="card-count")
            continue
        for seat, ante in ((1, 1000), (3, 1500), (5, 500)):
            if (seat + number) % 4 == 0:
                await dealer.do(table, "Fold", seat=seat)
            else:
                await dealer.do(table, "Raise", seat=seat, amount_cents=ante)
        await dealer.do(table, "SettleRound")


async def finish_frames(scene: Scene, by_name: dict[str, Viewer]) -> None:
    """What is public, and what staff may read; then everybody goes."""
    watcher, supervisor, one = by_name["watcher"], by_name["sue"], by_name["p1"]
    for path in ("/tables", "/tables/main", "/tables/main/rules", "/meters", "/meters/mega", "/rulebooks", f"/rulebooks/{scene.name}",
                 "/openapi.json", "/asyncapi.json", "/me", "/rounds/main/99999", "/rounds/none/1", "/tables/none", "/nothing",
                 f"/odds/hand?rulebook={scene.name}&hand=AsKs9s7d6d2cTh", "/odds/hand?hand=x", "/odds/paytable?paytable=oxford/flush"):  # fmt: skip
        status, text = watcher.http.text("GET", API + path)
        split = split_json(text)
        lines = [f"{where} = {leaf}" for where, leaf in json_paths(split[1]).items()] if split and len(text) > 2000 else [text]
        if path.endswith("api.json"):
            lines.sort()  # the order of its parts is chance
        for line in [f"status {status}", *lines]:
            scene.note("watcher", f"http {path}", line)
    for path in ("/house/overview", "/house/tables/main", "/house/tables/main/rounds", "/house/meters", "/house/alerts", "/house/balances",
                 "/house/people", "/house/shifts", "/house/floor", "/house/wins", "/house/changes", "/house/reports/totals?day=2027-01-15",
                 "/house/reports/floor?day=2027-01-15", "/me"):  # fmt: skip
        for viewer in (supervisor, one) if path in ("/house/overview", "/me") else (supervisor,):
            status, data = viewer.http.call("GET", path)
            for where, leaf in json_paths({"status": status, "data": data}).items():
                if not re.search(r"\.at(_ms)?$|bytes|seconds", where):
                    scene.note(viewer.name, f"http {path}", f"{where} = {leaf}")
    for page in ("/", "/health"):
        status, text = watcher.http.text("GET", page)
        scene.note("watcher", f"http page {page}", f"{status} " + (f"{len(text) > 0}" if page == "/" else str(json.loads(text).get("status"))))
    await asyncio.sleep(1.5)  # meters are told once a second at the most
    for viewer in scene.viewers:
        for name, text in viewer.meters.items():
            scene.note(viewer.name, f"meter {name} at last", text)
    for what, keys in scene.shapes.items():
        scene.note("anybody", "frames", f"{what}: {keys}")
    for name in SEATS:
        await by_name[name].do("main", "Leave", seat=SEATS[name])
    for viewer in scene.viewers:
        await viewer.close()


# ======================================================================================================================

RECORDERS: dict[str, Any] = {}


def record(args: argparse.Namespace) -> int:
    RECORDERS.update({name: globals().get(f"record_{name}") for name in CATEGORIES})
    tree = Tree(Path(args.tree), args.python)
    folder = Path(args.dir).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    for category in args.only:
        work = Path(tempfile.mkdtemp(prefix="hcf-", dir=HERE))
        began, out = time.monotonic(), Writer(folder, category)
        try:
            RECORDERS[category](tree, work, out, args)
        finally:
            said = out.close()
            took = time.monotonic() - began
            if args.keep:
                print(f"    kept: {work}")
            else:
                shutil.rmtree(work, ignore_errors=True)
        print(f"{category}: {said}, in {took:.0f} s", flush=True)
        with open(folder / "times.txt", "a") as file:
            file.write(f"{time.strftime('%Y-%m-%d %H:%M:%S')}  {category}  {took:.0f} s  {said}  tree {tree.path}\n")
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0], formatter_class=argparse.RawDescriptionHelpFormatter)
    sub = parser.add_subparsers(required=True)
    recording = sub.add_parser("record", help="record a tree into DIR")
    recording.add_argument("dir", metavar="DIR")
    recording.add_argument("--tree", default=".", help="the tree that is recorded [default: .]")
    recording.add_argument("--python", help="the Python that runs it [default: TREE/.venv/bin/python, else this one]")
    recording.add_argument("--rounds", type=int, default=200, help="of each rulebook, for frames [default: 200]")
    recording.add_argument("--keep", action="store_true", help="keep the folder in which it was done")
    recording.set_defaults(run=record)
    comparing = sub.add_parser("compare", help="compare two recordings; exit status 1 if they differ")
    comparing.add_argument("one", metavar="DIR1")
    comparing.add_argument("two", metavar="DIR2")
    comparing.add_argument("--groups", type=int, default=30, help="so many changed groups of a category are shown")
    comparing.add_argument("--lines", type=int, default=30, help="so many lines of each")
    comparing.set_defaults(run=compare)
    for each in (recording, comparing):
        each.add_argument("--only", choices=CATEGORIES, action="append", help="only this category; may be said again")
    args = parser.parse_args()
    args.only = args.only or list(CATEGORIES)
    return int(args.run(args))


if __name__ == "__main__":
    sys.exit(main())
