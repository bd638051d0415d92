#!/usr/bin/env python3
"""What tools/cluster/slurm-sweep submits, with an sbatch and a squeue that only note what they are asked.

    slurm_sweep_test.py PROGRAM ROOT

The jobs are run by hand here. tools/cluster/test-slurm tries the same on a real Slurm.
"""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from small_sweep import SCENARIO

PROGRAM, ROOT = sys.argv[1], Path(sys.argv[2])
SBATCH = """#!/usr/bin/python3
import json, os, sys
folder = os.environ["NOTES"]
if os.path.exists(folder + "/sbatch fails"):
    sys.exit("sbatch: error: Invalid job array specification")
notes = folder + "/sbatch.json"
calls = json.load(open(notes)) if os.path.exists(notes) else []
json.dump([*calls, sys.argv[1:]], open(notes, "w"))
print(f"{100 + len(calls)};cluster")
"""
SQUEUE = """#!/bin/sh
cat "$NOTES/queue"
"""


class SlurmSweep(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.scratch = Path(scratch.name)
        self.folder = self.scratch / "what it's 100% of"
        self.bin = self.scratch / "bin"
        self.bin.mkdir()
        for name, text in (("sbatch", SBATCH), ("squeue", SQUEUE)):
            (self.bin / name).write_text(text, encoding="utf-8")
            (self.bin / name).chmod(0o755)
        self.queue()
        (self.scratch / "a scenario.yaml").write_text(SCENARIO, encoding="utf-8")

    def queue(self, *lines):
        (self.scratch / "queue").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")

    def environment(self, **more):
        return {"PATH": f"{self.bin}:/usr/bin:/bin", "NOTES": str(self.scratch), **more}

    def call(self, *words, code=0, path=None):
        command = [str(ROOT / "tools/cluster/slurm-sweep"), *words]
        environment = self.environment() if path is None else {"PATH": path}
        done = subprocess.run(
            command, env=environment, cwd=self.scratch, capture_output=True, text=True, check=False
        )
        self.assertEqual(done.returncode, code, f"{words}: {done.stdout}{done.stderr}")
        return done

    def ask(self, *words, **more):
        return self.call("--folder", str(self.folder), *words, **more)

    def submit(self, *options, code=0):
        words = ["--shards", "7", "--program", PROGRAM, *options]
        return self.ask(*words, "--", "a scenario.yaml", "--goal", "wait.p99 < 1 h", code=code)

    def submitted(self):
        """The command lines of sbatch since the last time."""
        notes = self.scratch / "sbatch.json"
        calls = json.loads(notes.read_text(encoding="utf-8")) if notes.exists() else []
        new = calls[getattr(self, "seen", 0) :]
        self.seen = len(calls)
        return new

    def run_shards(self, *shards):
        for shard in shards:
            environment = self.environment(SLURM_ARRAY_TASK_ID=str(shard))
            script = ["bash", str(self.folder / "shard.sh")]
            subprocess.run(script, env=environment, check=True, capture_output=True)

    def test_the_first_call_submits_all_shards_and_the_merge(self):
        said = self.submit("--at-once", "3", "--cpus", "2", "--sbatch=--time=2:00:00").stdout
        shards, merge = self.submitted()
        log = str(self.folder).replace("%", "%%") + "/log"
        self.assertEqual(
            shards,
            ["--parsable", "--time=2:00:00", "--job-name=bursar-sweep", "--array=1-7%3", "--cpus-per-task=2",
             f"--output={log}/shard-%a.%A.txt", str(self.folder / "shard.sh")],
        )  # fmt: skip
        self.assertEqual(
            merge,
            ["--parsable", "--time=2:00:00", "--job-name=bursar-merge", "--dependency=afterany:100",
             f"--output={log}/merge.%j.txt", str(self.folder / "merge.sh")],
        )  # fmt: skip
        self.assertIn("submitted: shards 1-7 as array 100\n", said)
        self.assertIn("submitted: the merge as job 101, after 100\n", said)
        self.assertIn("runs of this shard", said)

    def test_a_later_call_submits_what_is_missing_by_name(self):
        self.submit("--sbatch=--mem=1G")
        self.submitted()
        self.run_shards(1, 2, 4)
        (self.folder / "log/shard-3.100.txt").write_text("a\nno space left\n\n", encoding="utf-8")
        (self.folder / "shard-6").mkdir()
        self.queue("100|5", "101|N/A", "999|3")
        said = self.ask("--sbatch=--mem=9G").stdout
        shards, merge = self.submitted()
        self.assertIn("--array=3,6-7", shards)
        self.assertIn("--mem=9G", shards)
        self.assertIn("--dependency=afterany:100:102:101", merge)
        for line in (
            "ended: 3 of 7 shards (1-2,4)",
            "in the queue: 1 of 7 shards (5)",
            "missing: 3 of 7 shards (3,6-7)",
            "shard 3 said last: no space left",
        ):
            self.assertIn(line + "\n", said)
        self.queue("100|5", "102|3", "102|6", "102|7", "103|N/A")
        self.assertIn("nothing to submit: job 103 will merge them", self.ask().stdout)
        self.assertEqual(self.submitted(), [])

    def test_all_shards_merged_are_the_sweep_of_one_process(self):
        self.submit()
        self.run_shards(*range(1, 8))
        self.submitted()
        self.assertIn("merged: no", self.ask("--status", code=4).stdout)
        self.ask()
        (merge,) = self.submitted()
        self.assertEqual([word for word in merge if "array" in word or "depend" in word], [])
        done = subprocess.run(
            ["bash", merge[-1]], env=self.environment(), check=True, capture_output=True, text=True
        )
        self.assertIn("wait.p99", done.stdout)
        self.assertIn("merged: all of it is in", self.ask("--status").stdout)
        self.assertIn("merged: all of it is in", self.ask().stdout)
        self.assertEqual(self.submitted(), [])
        one = [PROGRAM, "sweep", "a scenario.yaml", "--goal", "wait.p99 < 1 h", "--out", "one"]
        subprocess.run(one, cwd=self.scratch, check=True, capture_output=True)
        for name in ("sweep.csv", "sweep.json", "sweep.txt"):
            whole = (self.folder / "whole" / name).read_bytes()
            self.assertEqual(whole, (self.scratch / "one" / name).read_bytes())

    def test_a_request_that_is_wrong_is_told_in_a_line_and_leaves_nothing(self):
        scenario = ["--", "a scenario.yaml"]
        for words, message in (
            ([], "--shards: missing"),
            (["--shards", "0", *scenario], '"0" is not a whole number from 1 to 50000'),
            (["--shards", "1e3", *scenario], '"1e3" is not a whole number'),
            (["--shards", "7"], "a scenario is required"),
            (["--shards", "7", "--vary", "a=1"], "behind --"),
            (["--shards", "7", *scenario, "--shard", "1/7"], "--shard: not among the sweep's arguments"),
            (["--shards", "7", *scenario, "--out=x"], "--out: not among the sweep's arguments"),
            (["--shards", "7", *scenario, "--threads", "2"], "say --cpus"),
            (["--shards", "7", "--program", "no-bursar", *scenario], "no-bursar is no program"),
            (["--shards", "7", "--program", PROGRAM, "--sbatch=-a1-3", *scenario], "--sbatch: -a1-3"),
            (["--shards", "7", "--program", PROGRAM, "--sbatch=--array=1-3", *scenario], "--sbatch: --array"),
            (["--shards", "7", "--program", PROGRAM, "--sbatch=-c2", *scenario], "--sbatch: -c2"),
            (["--status"], "nothing was submitted"),
        ):
            with self.subTest(words=words):
                error = self.ask(*words, code=2).stderr
                self.assertIn(message, error)
                self.assertEqual(error.count("\n"), 1)
        self.assertFalse(self.folder.exists())
        self.assertEqual(self.submitted(), [])

    def test_a_sweep_that_is_wrong_is_told_before_anything_is_submitted(self):
        words = ["--shards", "7", "--program", PROGRAM, "--", "a scenario.yaml"]
        words += ["--vary", "fleet.q.nodes=1,2"]
        self.assertIn("fleet.q", self.ask(*words, code=2).stderr)
        self.assertFalse(self.folder.exists())
        self.assertEqual(self.submitted(), [])

    def test_another_sweep_is_refused_in_the_folder_of_one(self):
        self.submit()
        other = ["--", "a scenario.yaml", "--seeds", "2"]
        for words in (["--shards", "8"], ["--shards", "7", *other], other):
            self.assertIn("holds another sweep: 7 shards of", self.ask(*words, code=2).stderr)
        self.assertEqual(len(self.submitted()), 2)

    def test_where_slurm_fails_its_words_are_told_and_the_next_call_submits(self):
        (self.scratch / "sbatch fails").touch()
        error = self.submit(code=1).stderr
        self.assertIn("sbatch: error: Invalid job array specification", error)
        self.assertIn("MaxArraySize", error)
        (self.scratch / "sbatch fails").unlink()
        self.ask()
        self.assertIn("--array=1-7", self.submitted()[0])
        words = ["--shards", "7", "--program", PROGRAM, "--", "a scenario.yaml"]
        nowhere = self.call("--folder", "elsewhere", *words, code=1, path="/nowhere")
        self.assertIn("squeue is not here", nowhere.stderr)
        self.assertFalse((self.scratch / "elsewhere").exists())

    def test_shards_of_which_some_runs_cannot_be_have_ended(self):
        text = SCENARIO.replace("gpus_per_node: 8", "gpus_per_node: 1").replace("6..15:1", "[1, 64]")
        (self.scratch / "a scenario.yaml").write_text(text, encoding="utf-8")
        self.submit()
        self.run_shards(*range(1, 8))
        self.assertIn("ended: 7 of 7 shards (1-7)", self.ask("--status", code=4).stdout)
        merge = ["bash", str(self.folder / "merge.sh")]
        done = subprocess.run(merge, env=self.environment(), check=False, capture_output=True)
        self.assertEqual(done.returncode, 4)
        self.assertIn("merged: all of it is in", self.ask("--status").stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
