#!/usr/bin/env python3
"""A queue order and a placement, added to a copy of the tree as CONTRIBUTING.md says, compile as in the release build.

    added_policies_test.py SOURCE CXX_COMPILER FOLDER

Each is a copy of its smallest example under another name. Only objects that read the two lists are compiled; no
instance of the engine may be one of them. FOLDER: where the copy is made; the same in each run, for the compiler cache.
"""

import json
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

SOURCE, COMPILER, FOLDER = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
COPY = FOLDER / "source"
BUILD = FOLDER / "build"
INCLUDE = re.compile(r'^#include "(.+)"', re.MULTILINE)


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit code {done.returncode}\n{done.stdout}\n{done.stderr}")


def add_policy(slot, example, type_name, name):
    """Writes policies/SLOT/added.hpp, a copy of EXAMPLE that holds AddedPolicy, and its row in the registry."""
    folder = COPY / "policies" / slot
    text = (folder / example).read_text()
    assert type_name in text and f'name = "{name}"' in text, f"{slot}/{example} does not hold {type_name}"
    text = text.replace(type_name, f"Added{type_name}").replace(f'name = "{name}"', f'name = "added-{name}"')
    (folder / "added.hpp").write_text(text)

    registry = folder / "registry.hpp"
    include = f'#include "policies/{slot}/{example}"\n'
    text = registry.read_text()
    assert include in text, f"{registry} does not include {example}"
    text = text.replace(include, f'#include "policies/{slot}/added.hpp"\n{include}')
    text, num_rows = re.subn(rf"\b{type_name},", f"{type_name}, Added{type_name},", text)
    assert num_rows == 1, f"{num_rows} rows of {type_name} in {registry}"
    registry.write_text(text)


@cache
def headers_of(path):
    """The headers of the tree that a source or a header reads."""
    found = set()
    for name in INCLUDE.findall(path.read_text()):
        header = COPY / name
        if header.is_file():
            found |= {header} | headers_of(header)
    return found


def main():
    shutil.rmtree(FOLDER, ignore_errors=True)
    for folder in ("models", "sim", "policies", "tools"):
        shutil.copytree(SOURCE / folder, COPY / folder)
    shutil.copy(SOURCE / "CMakeLists.txt", COPY)
    add_policy("queue", "shortest_job.hpp", "ShortestJobFirst", "sjf")
    add_policy("placement", "worst_fit.hpp", "WorstFit", "worst-fit")

    run("cmake", "-S", COPY, "-B", BUILD, "-G", "Ninja", "-DBURSAR_ONLY_BATCH=ON", "-DBURSAR_CUDA=OFF",
        "-DBURSAR_WARNINGS_AS_ERRORS=ON", "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
        f"-DCMAKE_CXX_COMPILER={COMPILER}")
    added = {COPY / "policies" / slot / "added.hpp" for slot in ("queue", "placement")}
    commands = json.loads((BUILD / "compile_commands.json").read_text())
    touched = [command for command in commands if headers_of(Path(command["file"])) & added]
    assert len(touched) >= 2, [command["file"] for command in touched]
    assert not any("/instances/" in command["file"] for command in touched), "an instance of the engine is compiled"
    objects = [re.search(r" -o (\S+)", command["command"]).group(1) for command in touched]
    run("cmake", "--build", BUILD, "--target", *objects)
    shutil.rmtree(FOLDER)
    print(f"an added order and an added placement compile, in {len(objects)} objects")


main()
