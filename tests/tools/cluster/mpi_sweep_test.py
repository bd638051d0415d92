#!/usr/bin/env python3
"""bursar-mpi on two ranks and more makes the sweep of one process, also when it was ended halfway.

    mpi_sweep_test.py PROGRAM ROOT

Exits with 77, the test's code for skipped, where no bursar-mpi was built beside PROGRAM.
"""

import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
from contextlib import closing, suppress
from pathlib import Path

PROGRAM = Path(sys.argv[1])
MPI_PROGRAM = PROGRAM.with_name("bursar-mpi")
SCENARIO = """bursar: 1
name: small
workload: {synthetic: {like: philly, jobs: 300, gpus: 64}}
fleet:
  - {pool: p, purchase: owned, gpu: V100-SXM2-16GB, nodes: 8, gpus_per_node: 8, price: 1 USD/gpu-h}
sweep:
  policy.queue: [fifo, sjf]
  fleet.p.nodes: 6..15:1
  seeds: 3
"""
LONG = ["--vary", "policy.queue=fifo,srtf", "--vary", "fleet.p.nodes=6..15:1"]
LONG += ["--set", "workload.synthetic.jobs=100000"]


def rows_in(folder, pattern="rank-*/sweep.sqlite"):
    """How many runs the ranks have kept so far."""
    found = 0
    for store in folder.glob(pattern):
        with suppress(sqlite3.OperationalError):  # its tables are being made
            with closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True, timeout=5)) as one:
                found += one.execute("select count(*) from runs").fetchone()[0]
    return found


def has_open_mpi():
    if shutil.which("mpirun") is None:
        return False
    told = subprocess.run(["mpirun", "--version"], capture_output=True, text=True, check=False)
    return "Open MPI" in told.stdout


class MpiSweep(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)
        self.out = self.folder / "out"
        (self.folder / "s.yaml").write_text(SCENARIO, encoding="utf-8")

    def command(self, ranks, *more):
        mpirun = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", str(ranks)]
        return [*mpirun, str(MPI_PROGRAM), "sweep", "s.yaml", *more]

    def on_ranks(self, ranks, *more, code=0):
        command = self.command(ranks, "--out", str(self.out), *more)
        done = subprocess.run(
            command, cwd=self.folder, capture_output=True, text=True, check=False, timeout=300
        )
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def hold_against_one_process(self, *more):
        one = [str(PROGRAM), "sweep", "s.yaml", "--out", "one", *more]
        alone = subprocess.run(one, cwd=self.folder, capture_output=True, text=True, check=True)
        expected = (self.folder / "one/sweep.csv").read_bytes()
        self.assertEqual((self.out / "sweep.csv").read_bytes(), expected)
        return alone.stdout

    def test_two_ranks_make_the_sweep_of_one_process(self):
        done = self.on_ranks(2)
        self.assertEqual(self.hold_against_one_process(), done.stdout)
        self.assertIn("2 ranks, 60 chunks", done.stderr)
        self.assertEqual(rows_in(self.out, "sweep.sqlite"), 60)
        self.assertEqual(list(self.out.glob("rank-*")), [])  # what is merged goes
        self.assertEqual(self.on_ranks(1).stdout, done.stdout)
        again = [str(PROGRAM), "sweep", "s.yaml", "--out", str(self.out), "--format", "csv"]
        asked = subprocess.run(again, cwd=self.folder, capture_output=True, check=True)
        self.assertEqual(asked.stdout, (self.folder / "one/sweep.csv").read_bytes())

    def end_halfway(self):
        with subprocess.Popen(
            self.command(2, "--out", str(self.out), *LONG),
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as begun:
            end = time.monotonic() + 120
            while rows_in(self.out) < 4 and begun.poll() is None and time.monotonic() < end:
                time.sleep(0.01)
            begun.send_signal(signal.SIGTERM)
        kept = rows_in(self.out)
        self.assertGreater(kept, 0)
        self.assertFalse((self.out / "sweep.csv").exists())

    def test_what_has_ended_when_a_run_is_ended_is_not_run_again(self):
        self.end_halfway()
        self.on_ranks(3, *LONG)
        self.hold_against_one_process(*LONG)

    def test_a_sweep_that_was_ended_goes_on_with_more_in_it(self):
        self.end_halfway()
        more = ["--vary", "policy.queue=fifo,srtf,sjf", *LONG[2:]]
        self.on_ranks(1, *more)  # fewer ranks, too: no part is left over
        self.hold_against_one_process(*more)
        self.assertEqual(list(self.out.glob("rank-*")), [])
        self.on_ranks(2, *more, "--vary", "policy.capacity=nodes,count", code=1)  # it is another one

    def test_mistakes_are_told_once_with_their_exit_code(self):
        wrong = self.on_ranks(2, "--vary", "fleet.q.nodes=1,2", code=2)
        self.assertEqual(wrong.stderr.count("fleet.q"), 1)
        self.assertFalse(self.out.exists())
        self.on_ranks(2)
        other = self.on_ranks(2, "--seeds", "2", code=1)
        self.assertEqual(other.stderr.count("holds another sweep"), 1)

    def test_runs_that_cannot_be_leave_the_answer_and_exit_code_4(self):
        text = SCENARIO.replace("gpus_per_node: 8", "gpus_per_node: 1").replace("6..15:1", "[1, 64]")
        (self.folder / "s.yaml").write_text(text, encoding="utf-8")
        done = self.on_ranks(2, code=4)
        self.assertIn("6 of 12 runs have no result", done.stderr)
        self.assertIn("least cost.total", done.stdout)


if __name__ == "__main__":
    if not MPI_PROGRAM.exists() or not has_open_mpi():
        print("skipped: no bursar-mpi, or no Open MPI to run it (tools/install-packages cluster)")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
