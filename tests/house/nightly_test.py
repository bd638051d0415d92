#!/usr/bin/env python3
"""What tools/nightly and the scripts of its stages do when something is missing, fails or is interrupted. They run in a
copy of tools, with programs on the PATH that do nothing, fail or wait."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

TOOLS = Path(__file__).resolve().parents[2] / "tools"
COPIED = ("nightly", "stages.sh", "install-packages", "packages", "coverage", "fuzz-long", "long_checks.py")
WAITS = 'sleep 600 & echo $! >> "$0.started"; echo $$ >> "$0.started"; wait'
signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores it, as would all that it starts
PAGE = "a\n<!-- written by tools/coverage --write -->\nold\n<!-- until here -->\nz\n"
COVERED = {"data": [{"files": [{"filename": f"../../{folder}/a.cpp", "summary": {
    name: {"count": 40, "covered": 30} for name in ("lines", "branches")}} for folder in
    ("models", "sim", "policies", "scenarios", "reports", "tools")]}]}


def alive(pid):
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1][:3]
    except FileNotFoundError:
        return False


class Nightly(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.top = Path(folder.name)
        for name in COPIED:
            (self.top / "tools").mkdir(exist_ok=True)
            shutil.copy(TOOLS / name, self.top / "tools" / name)
        (self.top / "scratch").mkdir()
        self.program("path/dpkg-query", "echo 'ii '")
        for name in ("apt-get", "cmake", "ninja", "llvm-profdata-16"):
            self.program(f"path/{name}", "exit 0")

    def program(self, name, does):
        file = self.top / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"#!/bin/bash\n{does}\n")
        file.chmod(0o755)
        return file

    def start(self, *command):
        path = f"{self.top}/path:{os.environ['PATH']}"
        return subprocess.Popen(command, cwd=self.top, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                env={**os.environ, "PATH": path, "TMPDIR": f"{self.top}/scratch"})

    def run_to_end(self, *command):
        process = self.start(*command)
        said = process.communicate(timeout=60)[0]
        return process.returncode, said

    def interrupt(self, waiting, *command):
        """Interrupts a command when `waiting` has started its processes. All of them must end."""
        started = Path(f"{waiting}.started")
        for number in (signal.SIGTERM, signal.SIGINT):
            started.unlink(missing_ok=True)
            process = self.start(*command)
            end = time.monotonic() + 60
            while not (started.is_file() and len(started.read_text().split()) >= 2):
                self.assertLess(time.monotonic(), end)
                time.sleep(0.02)
            process.send_signal(number)
            said = process.communicate(timeout=60)[0]
            self.assertNotEqual(process.returncode, 0, said)
            while any(alive(int(pid)) for pid in started.read_text().split()):
                self.assertLess(time.monotonic(), end, "a process goes on")
                time.sleep(0.02)
            self.assertEqual(list((self.top / "scratch").iterdir()), [])

    def test_stages(self):
        status, said = self.run_to_end("tools/nightly", "clang", "nothing")
        self.assertEqual((status, "no stage nothing" in said), (2, True), said)
        status, said = self.run_to_end("tools/nightly", "clang")
        self.assertEqual((status, "nightly: passed" in said), (0, True), said)
        self.program("path/cmake", "[ $1 != --build ] || { echo 'x.cpp: error'; exit 1; }")
        status, said = self.run_to_end("tools/nightly", "clang", "fuzz")
        self.assertEqual((status, "x.cpp: error" in said, "FAILED: clang fuzz" in said), (1, True, True), said)
        self.interrupt(self.program("path/cmake", f"[ $1 != --build ] || {{ {WAITS}; }}"), "tools/nightly", "clang", "fuzz")

    def test_coverage(self):
        (self.top / "tests").mkdir()
        page = self.top / "tests/README.md"
        page.write_text(PAGE)
        status, said = self.run_to_end("tools/coverage", "--write")
        self.assertEqual((status, "_test is missing" in said), (1, True), said)
        self.program("path/llvm-cov-16", f"echo '{json.dumps(COVERED)}'")
        for folder in ("models", "sim", "policies", "scenarios", "reports", "tools"):
            self.program(f"build/coverage/{folder}_test", "exit 0")
        self.program("build/coverage/sim_test", "exit 1")
        status, said = self.run_to_end("tools/coverage", "--write")
        self.assertEqual((status, "tests of sim failed" in said, page.read_text()), (1, True, PAGE), said)
        waiting = self.program("build/coverage/sim_test", WAITS)
        self.interrupt(waiting, "tools/coverage")
        self.program("build/coverage/sim_test", "exit 0")
        status, said = self.run_to_end("tools/coverage", "--write")
        self.assertEqual((status, "| sim | 1 | 40 | 75.0 % | 40 | 75.0 % |" in page.read_text()), (0, True), said)
        self.program("path/ninja", "echo 'x.cpp: error'; exit 1")
        status, said = self.run_to_end("tools/coverage")
        self.assertEqual((status, "x.cpp: error" in said), (1, True), said)

    def test_fuzzing(self):
        status, said = self.run_to_end("tools/fuzz-long")
        self.assertEqual((status, "is missing" in said), (2, True), said)
        lists = "[ $1 != --list ] || { echo good bad; exit; }\n"
        fuzz = self.program("fuzz", lists + "echo '#9 cov: 7 ft: 8' >&2; [[ $* != *target=bad* ]]")
        status, said = self.run_to_end("tools/fuzz-long", "--program", fuzz, "good")
        self.assertEqual((status, "7 edges" in said), (0, True), said)
        status, said = self.run_to_end("tools/fuzz-long", "--program", fuzz)
        self.assertEqual((status, "bad: FAILED" in said), (1, True), said)
        status, said = self.run_to_end("tools/fuzz-long", "--program", fuzz, "--write", "good")
        self.assertEqual((status, "--write replaces" in said), (2, True), said)
        self.interrupt(self.program("fuzz", lists + WAITS), "tools/fuzz-long", "--program", fuzz,
                       "--jobs", "1")


if __name__ == "__main__":
    sys.exit(unittest.main())
