"""Shared by the cluster scripts: the arguments of a sweep, and the shards that have ended."""

import argparse
import shutil
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
MAX_SHARDS = 50_000  # their folders fit on the command line of `bursar merge`
# A sweep that is spread has one of each, and the front end says which.
GIVEN_BY_FRONT_END = {
    "--shard": "the shards are numbered here",
    "--out": "every shard has its own folder",
    "--threads": "say --cpus",
    "--status": "a spread sweep has no such option",
    "--dry-run": "a spread sweep has no such option",
}
# What of a sweep's options `bursar merge` has, too.
OF_OUTPUT = ("--metrics", "--best", "--goal", "--format")


class WrongRequest(Exception):
    """The request is impossible: exit code 2."""


class MachineError(Exception):
    """The request failed: exit code 1."""


class Parser(argparse.ArgumentParser):
    """A command line parser that reports a mistake in one line."""

    def __init__(self, **words):
        form = argparse.RawDescriptionHelpFormatter
        super().__init__(usage=argparse.SUPPRESS, formatter_class=form, allow_abbrev=False, **words)

    def error(self, message):
        raise WrongRequest(f"{message}; --help says what there is (the sweep's arguments go behind --)")


def number(low, high):
    """Parser of a whole number within these bounds."""

    def parse(text):
        if not text.isascii() or not text.isdigit() or not low <= int(text) <= high:
            raise argparse.ArgumentTypeError(f'"{text}" is not a whole number from {low} to {high}')
        return int(text)

    return parse


def check_arguments(arguments):
    """The user's arguments of `bursar sweep`: a scenario and options about its runs."""
    if not arguments:
        raise WrongRequest("a scenario is required: the arguments of `bursar sweep`, behind --")
    for word in arguments:
        name = word.split("=")[0]
        if name in GIVEN_BY_FRONT_END:
            raise WrongRequest(f"{name}: not among the sweep's arguments ({GIVEN_BY_FRONT_END[name]})")


def merge_arguments(arguments):
    """Those that `bursar merge` takes, too, so that its answer has the same form."""
    found = []
    for place, word in enumerate(arguments):
        if word in OF_OUTPUT:
            found += arguments[place : place + 2]
        elif word.split("=")[0] in OF_OUTPUT:
            found.append(word)
    return found


def find_program(given):
    """The program that runs the sweep: the one given, the one on PATH, or this tree's release build."""
    if given is None:
        built = TOP / "build/release/bursar"
        given = shutil.which("bursar") or (str(built) if built.exists() else None)
        if given is None:
            raise WrongRequest("--program: no bursar on PATH, nor built here (tools/quickstart)")
    found = shutil.which(given)
    if found is None:
        raise WrongRequest(f"--program: {given} is no program that can be run")
    return str(Path(found).resolve())


def shard_folder(folder, shard):
    return Path(folder) / f"shard-{shard}"


def has_ended(folder, shard):
    """Whether every run of the shard has ended: `bursar sweep` writes sweep.csv last, in one piece."""
    place = shard_folder(folder, shard)
    return (place / "sweep.sqlite").exists() and (place / "sweep.csv").exists()


def listed(numbers):
    """Numbers in the form of `sbatch --array`: "1-3,7"."""
    stretches = []
    for number in sorted(numbers):
        if stretches and stretches[-1][1] == number - 1:
            stretches[-1][1] = number
        else:
            stretches.append([number, number])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in stretches)
