#!/usr/bin/env python3
"""tools/gpu-check, as far as a machine without a GPU can: plans, the host's answers, tables, and what is refused.
A program that says it has a GPU stands in for one.

    gpu_check_test.py BURSAR SOURCE
"""

import os
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BURSAR, SOURCE = Path(sys.argv[1]), Path(sys.argv[2])
BATCH = BURSAR.with_name("bursar-batch")
sys.path.insert(0, str(SOURCE / "tools/batch"))
import gpu_report  # noqa: E402

# Answers as the host does, says that it is a GPU, and takes a tenth of a second for any number of runs.
STAND_IN = f"""#!/usr/bin/env python3
import re, subprocess, sys
words = sys.argv[1:]
if "--devices" in words:
    sys.exit(print("GPU 0 (stand-in)"))
on_gpu = "cuda" in words
words = ["host" if word == "cuda" else word for word in words]
done = subprocess.run(["{BATCH}", *words], capture_output=True, text=True)
table = done.stdout
if on_gpu and BREAK:
    table = re.sub(r",ok,[0-9a-f]{{4}}", ",ok,0000", table, count=1)
if on_gpu and "--times" in words:
    path = words[words.index("--times") + 1]
    events = open(path).read().split(",")[-2]
    open(path, "w").write("device,at_once,runs,jobs,events,seconds\\ncuda,1,1,1," + events + ",0.1\\n")
sys.stdout.write(table)
sys.stderr.write(done.stderr)
sys.exit(done.returncode)
"""
SANITIZER = """#!/bin/sh
while [ "${1#--}" != "$1" ]; do shift 2; done
exec "$@"
"""
# Of a source like those of kernels, CUDA 13.0.
LOG = """ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'void bursar::policies::serve_on_warps<bursar::policies::EngineTypes<\
bursar::sim::PlainPass, bursar::sim::ArrivalCursor, bursar::sim::CountCapacity> >(bursar::policies::Batch)' for 'sm_90'
ptxas info    : Function properties for void bursar::policies::serve_on_warps<...>
    7856 bytes stack frame, 12 bytes spill stores, 4 bytes spill loads
ptxas info    : Used 128 registers, used 0 barriers, 7856 bytes cumulative stack size, 64 bytes smem
ptxas info    : Function properties for bursar::sim::PoolOrders::show_in(bursar::sim::PlanView&) const
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
"""


def script(path, text):
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def check(*words, path=None):
    environment = {**os.environ, **({"PATH": f"{path}:{os.environ['PATH']}"} if path else {})}
    return subprocess.run([SOURCE / "tools/gpu-check", *map(str, words)], capture_output=True, text=True, check=False,
                          env=environment)


class GpuCheck(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="gpu-check-test-"))
        cls.plans = cls.folder / "plans"
        cls.made = check("--make-plans", cls.plans, "--bursar", BURSAR, "--every", 60, "--jobs", 200)
        (cls.folder / "bin").mkdir()
        script(cls.folder / "bin/compute-sanitizer", SANITIZER)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def run_on(self, program, *more):
        return check(self.plans, "--program", program, "--runs", "20,40", *more, path=self.folder / "bin")

    def test_plans_are_made_for_policies_in_worlds_and_to_time(self):
        self.assertEqual(self.made.returncode, 0, self.made.stderr)
        names = [plan.name for plan in (self.plans / "identity").glob("*.bplan")]
        self.assertGreater(len(names), 8)
        self.assertTrue(any("moving" in name for name in names))
        self.assertEqual(len(list((self.plans / "figures").glob("*-200-*.bplan"))), 16)
        self.assertEqual(len((self.plans / "identity/expected.csv").read_text().splitlines()), len(names) + 1)

    def test_without_a_gpu_the_host_is_checked_and_the_rest_is_named(self):
        report = self.folder / "gpu.txt"
        done = self.run_on(BATCH, "--without-gpu", "--out", report)
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("0 differ", done.stdout)
        self.assertRegex(done.stdout, r"\| fifo \| 200 \| - \| not run \| not run \| [0-9.]+ \|")
        self.assertIn("not run: identity on the GPU", done.stderr)
        self.assertEqual(report.read_text().strip(), done.stdout.strip())

    def test_a_gpu_is_compared_checked_and_timed(self):
        program = script(self.folder / "stand-in", STAND_IN.replace("BREAK", "False"))
        done = self.run_on(program)
        self.assertEqual(done.returncode, 4, done.stderr)  # no kernel was built here
        self.assertIn("GPU 0 (stand-in)", done.stdout)
        self.assertRegex(done.stdout, r"cuda, by warp: (\d+) of \1 plans")
        self.assertRegex(done.stdout, r"cuda, by lane: (\d+) of \1 plans")
        self.assertIn("initcheck on cuda, by lane: clean", done.stdout)
        self.assertRegex(done.stdout, r"\| las by warp \| 200 \| 40 \| 0.10 \|")
        self.assertIn("GPU pays from K", done.stdout)
        self.assertEqual(done.stderr.strip(), "gpu-check: not run: what kernels take")

    def test_another_answer_fails_and_is_named(self):
        program = script(self.folder / "broken", STAND_IN.replace("BREAK", "True"))
        done = self.run_on(program)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"cuda, by warp: other answers: \d+-\w+\.bplan\n")

    def test_time_that_is_over_is_said(self):
        done = self.run_on(BATCH, "--without-gpu", "--minutes", "0.0001")
        self.assertIn("out of time", done.stdout)
        self.assertIn(done.returncode, (1, 4))

    def test_what_cannot_be_is_refused(self):
        for words in ((), ("--make-plans", "a", "b"), (self.folder,), (self.plans, "--runs", "none"),
                      (self.plans, "--kernels", "some"), (self.plans, "--teams", "block")):
            done = check(*words)
            self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)
        self.assertEqual(check("--help").returncode, 0)
        self.assertEqual(check("--make-plans", self.folder / "x", "--bursar", self.folder / "none").returncode, 2)
        if not list(Path("/dev").glob("nvidia[0-9]*")):
            done = check(self.plans)
            self.assertEqual(done.returncode, 1)
            self.assertIn("no GPU here", done.stderr)


class Report(unittest.TestCase):
    def test_what_a_kernel_takes_is_read_from_the_assembler(self):
        kernels = gpu_report.kernels_of(LOG)
        self.assertEqual([kernel[1:] for kernel in kernels], [(128, 7856, 16, 64)])
        self.assertIn("| `warp: PlainPass, ArrivalCursor, CountCapacity` | 128 | 7856 | 16 | 64 | 16 of 64 |",
                      gpu_report.kernel_table(kernels))

    def test_registers_limit_how_many_warps_there_are(self):
        self.assertEqual([gpu_report.warps_at_once(n) for n in (255, 129, 128, 64, 32, 16)], [8, 14, 16, 32, 64, 64])

    def test_a_gpu_pays_where_its_line_meets_the_hosts(self):
        # 1 s for any number of runs, against 10 ms a run: from 100 on.
        self.assertEqual(gpu_report.crossover([(50, 1, 0.01), (150, 1, 0.01)]), 100)
        self.assertEqual(gpu_report.crossover([(500, 1, 0.01)]), 500)
        self.assertIsNone(gpu_report.crossover([(50, 1, 0.01), (60, 1, 0.01)]))

    def test_times_of_one_device_add_up(self):
        text = "device,at_once,runs,jobs,events,seconds\ncuda,1,2,3,4,0.5\nhost,1,1,1,7,1\ncuda,1,2,3,6,1.5\n"
        self.assertEqual(gpu_report.times_of(text), {"cuda": (2.0, 10), "host": (1.0, 7)})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
