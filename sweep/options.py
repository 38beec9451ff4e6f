"""Options of a sweep, the way to the tests' support, and a line of progress."""

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]


def run(sweep: Callable[..., int | None], doc: str | None, *words: str, **defaults: Any) -> NoReturn:
    """Call a sweep with its options, which have the types of their defaults, and exit with its status: 2 if it raises
    `ArgumentTypeError`, 130 after Ctrl-C. If there are words, the first argument is one of them."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    if words:
        parser.add_argument("what", choices=words)
    for name, default in defaults.items():
        parser.add_argument(f"--{name}", type=type(default), default=default)
    arguments = vars(parser.parse_args())
    try:
        if arguments.get("processes", 1) < 1:
            raise argparse.ArgumentTypeError("--processes is 1 or more")
        sys.exit(sweep(**arguments))
    except argparse.ArgumentTypeError as error:
        parser.error(str(error))
    except KeyboardInterrupt:
        print("\ninterrupted", file=sys.stderr)
        sys.exit(130)


def tell(count: int, total: int, unit: str, began: float) -> None:
    """Write the line of progress again: the rate since `began`, by the monotonic clock, and the time that is left."""
    rate = count / (time.monotonic() - began)
    minutes = (total - count) / rate / 60 if rate else 0
    print(f"\r{count:,} of {total:,} {unit}, {rate:,.1f}/s, {minutes:.1f} min left ", end="", flush=True)
