"""Every option and argument of every command, once with each of a list of values that nobody should type.

    .venv/bin/python sweep/fuzz_options.py [WORDS]

WORDS are the first words of the commands to try, such as `house meter`; all without them. The house is a scratch
SQLite database.

Exit status: 0 no traceback and no odd exit status, 1 some, 130 interrupted.
"""

import sys
from collections import Counter

import options

from support.walkers.fuzz import cases, compile_kernels, problem, scratch


def sweep(words: str) -> int:
    wrong, attempts = 0, Counter[str]()
    compile_kernels()
    with scratch() as put_back:
        for case in cases():
            if not f"{case.words} ".startswith(words):
                continue
            attempts[case.words] += 1
            if trouble := problem(case):
                wrong += 1
                print(f"{case}\n{trouble}", flush=True)
            put_back()
    print(f"{sum(attempts.values()):,} values in {len(attempts)} commands, {wrong} wrong")
    return 1 if wrong or not attempts else 0


if __name__ == "__main__":
    words = " ".join([*sys.argv[1:], ""]).lstrip()
    del sys.argv[1:]
    options.run(lambda: sweep(words), __doc__)
