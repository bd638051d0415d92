#!/usr/bin/env python3
"""Holds the rules of the house that no compiler holds. Prints one `file:line: problem` a finding
and exits with 1 when there is any.

    house_rules.py RULE... | all  [--root DIR]
"""

import argparse
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

# Which folders a folder may include from: arrows point downward only.
LAYERS = {
    "models": {"models"},
    "sim": {"sim", "models"},
    "policies": {"policies", "sim", "models"},
    "scenarios": {"scenarios", "policies", "sim", "models"},
    "reports": {"reports", "sim", "models"},
    "tools": {"tools", "scenarios", "reports", "policies", "sim", "models"},
    "tests": {"tests", "tools", "scenarios", "reports", "policies", "sim", "models"},
}
# Where folders form no cycles; tests may include from everywhere.
ACYCLIC = set(LAYERS) - {"tests"}
# Sub-folders that still include each other, by the folder that holds them. Entries only go.
KNOWN_CYCLES = {}
MAX_FILES = 40  # sources right in one folder
# Folders with more that still exist. Entries only go.
KNOWN_LARGE_FOLDERS = set()
# What every list of policies, and every policy with options, includes.
POLICY_WORDS = "policies/describe/option.hpp"
CXX = {".hpp", ".cpp", ".cu", ".cuh"}
SOURCE = CXX | {".py", ".js", ".sh", ".cmake"}
MAX_BYTES = 1 << 20

INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')
CUDA_WORD = re.compile(r"__(global|device|host|shared|constant|launch_bounds)__|\bcuda[A-Z]\w*\(")
CUDA_HEADER = re.compile(r"^(cuda|cub/|thrust/|cooperative_groups)")
CUDA_MACRO_HEADER = "models/units/host_device.hpp"
# These build where no library is; what the system has is known to bursar-batch.
WITHOUT_LIBRARIES = ("sim/", "policies/", "tools/batch/")
LIBRARY_HEADER = re.compile(r"^(?!sys/)[\w+-]+/|^(xxhash|zlib|zstd|sqlite3)\.h$|\.hpp$")
OPTIONS_SOURCE = "tools/command_line/options.cpp"
DATABASE_SOURCE = "tools/sweep/database.cpp"
# Assembled so that this file does not contain what it looks for.
MACHINE_FOLDERS = "|".join(["work", "root", "farm", "home"])
MACHINE_PATH = re.compile(rf"(^|[^A-Za-z0-9_.])/({MACHINE_FOLDERS})/")
TYPE = re.compile(r"(?:struct|class|enum class) (\w+)(?: final)?(?: : [^;]*)? \{")
PAGE = re.compile(r"[\w./-]*\w\.md\b")
FORMULAS = "models/FORMULAS.md"
SECTION = re.compile(r"^#{2,} (\d+(?:\.\d+)?) ")
NUMBERS = r"(\d+(?:\.\d+)?(?:(?:, | and | to |-)\d+(?:\.\d+)?)*)"
CITATION = re.compile(rf"\bFORMULAS(?:\.md)?(?: sections?)? {NUMBERS}")
# In an answer the first note names the page; the others say "section 4.2" alone.
ANSWER_CITATION = re.compile(rf'[("]sections? {NUMBERS}[)"]')
# A function at namespace scope, on one line: its name and parameters.
FUNCTION = re.compile(r"(?! )(?:\[\[nodiscard\]\] |inline |constexpr |BURSAR_HD )*[\w:<>,*& ]+?[ &*](\w+\([^()]+\))(?:;| \{)$")
ASSERTION = re.compile(r"CHECK|REQUIRE|static_assert|RC_ASSERT|rc::")


def tracked_files(root):
    """Relative paths of what git tracks or would track; outside of git, of what is not built."""
    git = ["git", "-C", str(root), "ls-files", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(git, capture_output=True, text=True, check=True).stdout.splitlines()
    except (OSError, subprocess.CalledProcessError):
        built = {"build", "out", ".git", ".cache"}
        found = (path.relative_to(root) for path in root.rglob("*"))
        listed = [str(path) for path in found if path.parts[0] not in built]
    return sorted(Path(name) for name in listed if (root / name).is_file())


def numbered_lines(path):
    try:
        return list(enumerate(path.read_text(encoding="utf-8").splitlines(), start=1))
    except UnicodeDecodeError:
        return []


def includes(root, files):
    """`#include "folder/..."` follows the layers; our headers are named from the root."""
    for file in files:
        folder = file.parts[0]
        if file.suffix not in CXX or folder not in LAYERS:
            continue
        for number, line in numbered_lines(root / file):
            match = INCLUDE.match(line)
            if not match or match[1] == "<":
                continue
            target = match[2].split("/")[0]
            if target not in LAYERS:
                yield f'{file}:{number}: "{match[2]}" is not named from the root (folder/...)'
            elif target not in LAYERS[folder]:
                allowed = ", ".join(sorted(LAYERS[folder]))
                yield f"{file}:{number}: {folder} must not include from {target}; it may: {allowed}"


def inner_includes(root, files):
    """Includes between folders of one top folder: (the folder that holds both, the sub-folder of each
    side in it, file, line). A sub-folder is None where the file is right in the folder."""
    for file in files:
        if file.suffix not in CXX or file.parts[0] not in ACYCLIC:
            continue
        for number, line in numbered_lines(root / file):
            match = INCLUDE.match(line)
            source, target = file.parent.parts, Path(match[2]).parent.parts if match else ()
            if source == target or source[:1] != target[:1]:
                continue
            depth = len(os.path.commonprefix([source, target]))
            sides = [folder[depth] if depth < len(folder) else None for folder in (source, target)]
            yield "/".join(source[:depth]), *sides, file, number


def reachable(edges, start):
    """Every sub-folder that `start` includes from, directly or through others."""
    seen, left = set(), [start]
    while left:
        for folder in edges.get(left.pop(), {}):
            if folder not in seen:
                seen.add(folder)
                left.append(folder)
    return seen


def cycles(root, files):
    """At every depth: a folder may include from its sub-folders, a sub-folder not from the folder's own
    files, and sub-folders from each other in one direction only."""
    edges_in = {}  # folder -> its sub-folder -> the one that this includes from -> the first such include
    for folder, source, target, file, number in inner_includes(root, files):
        if target is None:
            yield f"{file}:{number}: {folder}/{source} includes from {folder}, which is above it"
        elif source and target:
            edges_in.setdefault(folder, {}).setdefault(source, {}).setdefault(target, (file, number))
    for folder, edges in sorted(edges_in.items()):
        known = KNOWN_CYCLES.get(folder, set())
        for source in sorted(edges):
            for target, (file, number) in sorted(edges[source].items()):
                if not {source, target} <= known and source in reachable(edges, target):
                    yield f"{file}:{number}: {folder}/{source} and {folder}/{target} include each other"


def instances(root, files):
    """Engine instances include no words of policies: a changed word compiles none of them anew."""
    for file in files:
        if not file.match("policies/instances/*.cpp"):
            continue
        way, left = {str(file): []}, [str(file)]
        while left:
            at = left.pop()
            for _, line in numbered_lines(root / at) if (root / at).is_file() else []:
                match = INCLUDE.match(line)
                if match and match[1] == '"' and match[2] not in way:
                    way[match[2]] = [*way[at], match[2]]
                    left.append(match[2])
        if POLICY_WORDS in way:
            yield f"{file}:1: includes words of policies: {' > '.join(way[POLICY_WORDS])}"


def third_party(root, files):
    """YAML stays in scenarios, the command line's library and SQLite in one source each; CUDA in .cu
    and .cuh files and the one macro header; no library in what bursar-batch is made of."""
    for file in files:
        if file.suffix not in CXX:
            continue
        for number, line in numbered_lines(root / file):
            match = INCLUDE.match(line)
            header = match[2] if match else ""
            is_known = not LIBRARY_HEADER.search(header) or CUDA_HEADER.match(header)
            if match and match[1] == "<" and str(file).startswith(WITHOUT_LIBRARIES) and not is_known:
                yield f"{file}:{number}: bursar-batch builds where no library is: not with <{header}>"
            if header.startswith("yaml-cpp/") and file.parts[0] != "scenarios":
                yield f"{file}:{number}: YAML is known to scenarios only"
            if header.startswith("CLI/") and str(file) != OPTIONS_SOURCE:
                yield f"{file}:{number}: the command-line library is known to {OPTIONS_SOURCE} only"
            if header == "sqlite3.h" and str(file) != DATABASE_SOURCE:
                yield f"{file}:{number}: SQLite is known to {DATABASE_SOURCE} only"
            is_cuda = CUDA_HEADER.match(header) or CUDA_WORD.search(line)
            if is_cuda and file.suffix not in {".cu", ".cuh"} and str(file) != CUDA_MACRO_HEADER:
                yield f"{file}:{number}: CUDA belongs in .cu and .cuh files and {CUDA_MACRO_HEADER}"


def layout(root, files):
    """Every top folder has its README, no folder has too many sources, tests assert, no path of a machine."""
    sources = Counter(str(file.parent) for file in files if file.suffix in SOURCE)
    for folder, number in sorted(sources.items()):
        if number > MAX_FILES and folder not in KNOWN_LARGE_FOLDERS:
            yield f"{folder}:1: {number} sources; a folder has at most {MAX_FILES}"
    for folder in LAYERS:
        if Path(folder, "README.md") not in files:
            yield f"{folder}/README.md:1: missing; every top folder says what belongs in it"
    for file in files:
        size = (root / file).stat().st_size
        if size > MAX_BYTES:
            yield f"{file}:1: {size} bytes; nothing over {MAX_BYTES} is kept in the project"
            continue
        lines = numbered_lines(root / file)
        if file.name.endswith("_test.cpp") and not any(ASSERTION.search(line) for _, line in lines):
            yield f"{file}:1: a test file without an assertion"
        for number, line in lines:
            if MACHINE_PATH.search(line):
                yield f"{file}:{number}: absolute path of a machine"


def names(root, files):
    """Each library has its namespace. In it one name is one type, and one declaration is in one header:
    two of a name are one to the linker, which keeps the functions of either."""
    seen = {}
    declared = {}
    for file in files:
        if file.suffix not in {".hpp", ".cuh"} or file.parts[0] == "tests":
            continue
        library = file.parts[0]
        for number, line in numbered_lines(root / file):
            if line == "namespace bursar {" or line.startswith("namespace bursar::"):
                yield f"{file}:{number}: write namespace bursar {{ inline namespace {library} {{"
            match = TYPE.match(line)
            if match and (library, match[1]) in seen:
                first = seen[library, match[1]]
                yield f"{file}:{number}: a type of the name {match[1]} is in {first}, too"
            elif match:
                seen[library, match[1]] = file
            match = FUNCTION.match(line)
            if match:
                first = declared.setdefault((library, match[1]), file)
                if first != file:
                    yield f"{file}:{number}: {match[1]} is declared in {first}, too"


def citations(root, files):
    """Pages that are cited exist, and so do the sections of models/FORMULAS.md."""
    pages = {str(file) for file in files if file.suffix == ".md"}
    page_names = {Path(page).name for page in pages}
    formulas = numbered_lines(root / FORMULAS) if FORMULAS in pages else []
    sections = {match[1] for _, line in formulas if (match := SECTION.match(line))}
    for file in files:
        answers = str(file).startswith("tools/model/")
        for number, line in numbered_lines(root / file):
            for page in PAGE.findall(line):
                from_root = page.split("/")[0] in LAYERS
                if page not in pages if from_root else Path(page).name not in page_names:
                    yield f"{file}:{number}: cites {page}, which is no page of the project"
            cited = CITATION.findall(line) + (ANSWER_CITATION.findall(line) if answers else [])
            for section in re.findall(r"\d+(?:\.\d+)?", " ".join(cited)):
                if section not in sections:
                    yield f"{file}:{number}: {FORMULAS} has no section {section}"


RULES = {
    "includes": includes,
    "cycles": cycles,
    "instances": instances,
    "third_party": third_party,
    "layout": layout,
    "names": names,
    "citations": citations,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rules", nargs="+", choices=[*RULES, "all"])
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parents[2])
    options = parser.parse_args()
    files = tracked_files(options.root)
    if not files:
        sys.exit(f"{options.root}: no files to check")
    names = RULES if "all" in options.rules else options.rules
    findings = [finding for name in names for finding in RULES[name](options.root, files)]
    print(*findings, sep="\n", end="\n" if findings else "")
    print(f"{len(files)} files, {len(findings)} findings")
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
