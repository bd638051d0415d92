#!/usr/bin/env python3
"""What memory a report of a saved result takes: at most 300 MB for a million jobs, whatever the format.

Usage: memory_test.py BURSAR
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

BURSAR = sys.argv[1]
JOBS = 100_000
MOST_PER_JOB = 250  # bytes above the report of one job, which takes 10 MB
SCENARIO = """\
bursar: 1
workload: {trace: {file: jobs.csv, format: csv}, classes: [{startup: 30 s}]}
fleet: [{pool: owned, purchase: owned, gpu: V100, nodes: 50, gpus_per_node: 8, price: 1 USD/gpu-h}]
policy: {queue: srtf, head: skip, preemption: order, capacity: count}
"""


def save_result(folder, jobs):
    """The result of jobs with names, some of which are preempted, as `run --out` saves it."""
    with open(folder / "jobs.csv", "w", encoding="utf-8") as trace:  # row by row: see peak_of_report
        trace.write("job,submit,duration,gpus,tenant\n")
        for i in range(jobs):
            trace.write(f"application_1506638472019_{i},{i * 120},{300 + i * 7919 % 9000},{1 + i % 8},tenant{i % 20}\n")
    (folder / "s.yaml").write_text(SCENARIO, encoding="utf-8")
    command = [BURSAR, "run", folder / "s.yaml", "--out", folder / "out", "--files", "result"]
    subprocess.run(command, check=True, capture_output=True)
    return folder / "out/result.json"


def peak_of_report(result, format_name):
    """Bytes; at least what this Python holds, whose memory the child has until it becomes bursar."""
    with subprocess.Popen(
        [BURSAR, "report", result, "--format", format_name], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as report:
        _, status, usage = os.wait4(report.pid, 0)
        report.returncode = os.waitstatus_to_exitcode(status)
    if report.returncode != 0:
        raise AssertionError(f"no report as {format_name}: exit code {report.returncode}")
    return usage.ru_maxrss * 1024


class Memory(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folders = [tempfile.TemporaryDirectory() for _ in range(2)]
        one, many = (pathlib.Path(folder.name) for folder in cls.folders)
        cls.one, cls.many = save_result(one, 1), save_result(many, JOBS)

    @classmethod
    def tearDownClass(cls):
        for folder in cls.folders:
            folder.cleanup()

    def test_reports_of_a_million_jobs_would_take_at_most_300_mb(self):
        for name in "table", "markdown", "json", "csv", "html", "jobs", "attempts", "timeline", "result":
            with self.subTest(format=name):
                above = peak_of_report(self.many, name) - peak_of_report(self.one, name)
                print(f"{name}: {above / JOBS:.0f} bytes a job")
                self.assertLess(above, MOST_PER_JOB * JOBS)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
