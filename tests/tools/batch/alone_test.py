#!/usr/bin/env python3
"""bursar-batch builds where no library is: configured alone while CMake finds none, compiled from
sources that name none, and run.

    alone_test.py SOURCE CXX_COMPILER PLAN_COMPILER

PLAN_COMPILER: the program bursar, for a plan to run.
"""

import json
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE, COMPILER, BURSAR = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
PACKAGES = ["fmt", "yaml-cpp", "nlohmann_json", "ZLIB", "CLI11", "Eigen3", "Boost", "SQLite3", "doctest",
            "benchmark", "MPI", "date"]
LIBRARIES = re.compile(r"/(fmt|yaml-cpp|nlohmann|CLI|eigen3|boost|sqlite3?|xxh\w+|zlib|zstd|date|valijson|tbb)(/|\.h)")


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit code {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done.stdout


def headers_of(command):
    """Every file that a compilation reads."""
    words = shlex.split(command["command"])
    words = words[words.index(COMPILER) : words.index("-o")] + ["-M", command["file"]]
    done = subprocess.run(words, cwd=command["directory"], capture_output=True, text=True, check=True)
    return done.stdout.replace("\\\n", " ").split()[1:]


def main():
    # Beside the build that calls: a compiler cache knows paths from a build to the sources.
    with tempfile.TemporaryDirectory(prefix="alone-", dir=BURSAR.parent.parent) as folder:
        build = Path(folder)
        without = [f"-DCMAKE_DISABLE_FIND_PACKAGE_{package}=ON" for package in PACKAGES]
        run("cmake", "-S", SOURCE, "-B", build, "-G", "Ninja", "-DBURSAR_ONLY_BATCH=ON", "-DBURSAR_CUDA=OFF",
            "-DBURSAR_WARNINGS_AS_ERRORS=ON", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
            f"-DCMAKE_CXX_COMPILER={COMPILER}", *without)
        cache = (build / "CMakeCache.txt").read_text()
        assert not re.search(r"(XXHASH|ZSTD|RAPIDCHECK|NLOPT)_LIBRARY", cache), "a library was looked for"
        commands = json.loads((build / "compile_commands.json").read_text())
        assert len(commands) > 10, f"{len(commands)} sources"
        for command in commands:
            found = [header for header in headers_of(command) if LIBRARIES.search(header)]
            assert not found, f"{command['file']} includes {found}"
        run("cmake", "--build", build, "--target", "bursar-batch")
        plan = Path(folder, "plan.bplan")
        run(BURSAR, "compile", SOURCE / "scenarios/examples/failing-cluster.yaml", "-o", plan)
        table = run(build / "bursar-batch", "--device", "host", plan)
        fingerprint = json.loads(run(BURSAR, "run", plan, "--format", "json"))["run"]["fingerprint"]
        row = table.splitlines()[1].split(",")
        assert row[2:4] == ["ok", fingerprint], row[:4]
    print(f"{len(commands)} sources name no library, and their program runs")


main()
