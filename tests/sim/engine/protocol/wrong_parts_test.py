#!/usr/bin/env python3
"""A misspelt member of a pass, queue, capacity, recorder or policy does not compile, and the
compiler says which: what it says of wrong_parts.cpp holds an error with all the words of each
line `says`.

    wrong_parts_test.py COMPILER [FLAG...]
"""

import os
import re
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).with_name("wrong_parts.cpp")
ROOT = SOURCE.parents[4]


def errors_of(compiler):
    """What the compiler says, an error and the notes that follow it at a time."""
    command = [*compiler, "-std=c++20", "-fsyntax-only", f"-I{ROOT}", str(SOURCE)]
    answer = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, "LC_ALL": "C"}
    )
    if answer.returncode == 0:
        sys.exit(f"{SOURCE.name} compiles")
    return re.split(r"^(?=[^\n]*error: )", answer.stderr, flags=re.MULTILINE)


def main():
    errors = errors_of(sys.argv[1:])
    expected = re.findall(r"^// says: (.*)$", SOURCE.read_text(encoding="utf-8"), re.MULTILINE)
    missing = [
        line
        for line in expected
        if not any(all(word in error for word in line.split(" | ")) for error in errors)
    ]
    if missing or not expected:
        print(*errors, sep="\n")
        sys.exit("no error says: " + "; ".join(missing))
    print(f"{len(expected)} mistakes, each with its error")


if __name__ == "__main__":
    main()
