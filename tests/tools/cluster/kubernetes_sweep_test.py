#!/usr/bin/env python3
"""The manifests of tools/cluster/kubernetes-sweep: their fields, and their commands, which are run here as
the pods of a cluster would.

    kubernetes_sweep_test.py PROGRAM ROOT

Exits with 77, the test's code for skipped, where there is no YAML reader. Where BURSAR_NODE_MODULES names a folder
with kubernetes-models, kubernetes-types and typescript, manifests are held against the published schema, too.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from small_sweep import SCENARIO

try:
    import yaml
except ImportError as absent:
    print(f"skipped: {absent.name} is not installed (tools/install-packages test)")
    sys.exit(77)

PROGRAM, ROOT = sys.argv[1], Path(sys.argv[2])
MODULES = os.environ.get("BURSAR_NODE_MODULES")
SWEEP = ["--", "a $(scenario).yaml", "--goal", "wait.p99 < 1 h"]
USUAL = ["--name", "month", "--shards", "3", "--image", "bursar:0.1.0", "--claim", "sweeps"]
PATTERN = re.compile(r"\$(?:(\$)|\(([^()]*)\))")


def call(*words, code=0):
    command = [str(ROOT / "tools/cluster/kubernetes-sweep"), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != code:
        raise AssertionError(f"{words}: code {done.returncode}: {done.stdout}{done.stderr}")
    return done


def manifests(*words):
    return list(yaml.safe_load_all(call(*words).stdout))


def expanded(word, variables):
    """As kubelet has it: $$ is a dollar, $(NAME) the variable, or itself where there is none."""
    return PATTERN.sub(lambda found: found[1] or variables.get(found[2], found[0]), word)


def run_pod(job, folder, **variables):
    """The pod's only container, with the folder as its volume."""
    (container,) = job["spec"]["template"]["spec"]["containers"]
    words = [expanded(word, variables) for word in container["command"] + container["args"]]
    environment = {"PATH": "/usr/bin:/bin", **variables}
    return subprocess.run(
        words, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


class KubernetesSweep(unittest.TestCase):
    def test_the_job_is_indexed_with_a_pod_for_each_shard(self):
        (job,) = manifests(*USUAL, "--at-once", "2", "--cpus", "4", "--memory", "2Gi", *SWEEP)
        self.assertEqual((job["apiVersion"], job["kind"]), ("batch/v1", "Job"))
        self.assertEqual(job["metadata"]["name"], "month")
        spec = job["spec"]
        self.assertEqual(spec["completionMode"], "Indexed")
        self.assertEqual((spec["completions"], spec["parallelism"]), (3, 2))
        self.assertEqual(spec["backoffLimitPerIndex"], 3)
        wrong_input, taken_back = spec["podFailurePolicy"]["rules"]
        self.assertEqual(wrong_input["action"], "FailJob")
        self.assertEqual(wrong_input["onExitCodes"]["values"], [2])
        self.assertEqual(taken_back["onPodConditions"], [{"type": "DisruptionTarget", "status": "True"}])
        pod = spec["template"]["spec"]
        self.assertEqual(pod["restartPolicy"], "Never")  # what a podFailurePolicy demands
        (container,) = pod["containers"]
        self.assertEqual(wrong_input["onExitCodes"]["containerName"], container["name"])
        self.assertEqual(container["resources"]["requests"], {"cpu": "4", "memory": "2Gi"})
        self.assertEqual(container["args"][-2:], ["--threads", "4"])
        (mount,), (volume,) = container["volumeMounts"], pod["volumes"]
        self.assertEqual((mount["name"], mount["mountPath"]), (volume["name"], container["workingDir"]))
        self.assertEqual(volume["persistentVolumeClaim"]["claimName"], "sweeps")

    def test_the_claim_is_printed_where_a_size_is_given(self):
        claim, job = manifests(*USUAL, "--storage", "10Gi", *SWEEP)
        self.assertEqual((claim["apiVersion"], claim["kind"]), ("v1", "PersistentVolumeClaim"))
        self.assertEqual(claim["metadata"]["name"], "sweeps")
        self.assertEqual(claim["spec"]["accessModes"], ["ReadWriteMany"])
        self.assertEqual(claim["spec"]["resources"]["requests"]["storage"], "10Gi")
        self.assertEqual(job["kind"], "Job")

    def test_the_pods_make_the_sweep_of_one_process(self):
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch)
            (folder / SWEEP[1]).write_text(SCENARIO, encoding="utf-8")
            (shards,) = manifests(*USUAL, "--program", PROGRAM, *SWEEP)
            (merge,) = manifests(*USUAL, "--program", PROGRAM, "--merge", *SWEEP)
            for index in (0, 2):
                self.assertEqual(run_pod(shards, folder, JOB_COMPLETION_INDEX=str(index)).returncode, 0)
            self.assertEqual(run_pod(merge, folder).returncode, 4)
            self.assertEqual(run_pod(shards, folder, JOB_COMPLETION_INDEX="1").returncode, 0)
            merged = run_pod(merge, folder)
            self.assertEqual(merged.returncode, 0, merged.stderr)
            names = sorted(place.name for place in (folder / "month").iterdir())
            self.assertEqual(names, ["shard-1", "shard-2", "shard-3", "whole"])
            one = [PROGRAM, "sweep", *SWEEP[1:], "--out", "one"]
            alone = subprocess.run(one, cwd=folder, check=True, capture_output=True, text=True)
            self.assertEqual(merged.stdout, alone.stdout)
            for name in ("sweep.csv", "sweep.json"):
                whole = (folder / "month/whole" / name).read_bytes()
                self.assertEqual(whole, (folder / "one" / name).read_bytes())

    def test_a_shard_ends_with_the_code_that_says_whether_to_try_again(self):
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch)
            text = SCENARIO.replace("gpus_per_node: 8", "gpus_per_node: 1").replace("6..15:1", "[1]")
            (folder / SWEEP[1]).write_text(text, encoding="utf-8")
            (shards,) = manifests(*USUAL, "--program", PROGRAM, *SWEEP)
            self.assertEqual(run_pod(shards, folder, JOB_COMPLETION_INDEX="0").returncode, 0)
            self.assertEqual(run_pod(shards, folder, JOB_COMPLETION_INDEX="3").returncode, 2)
            (folder / SWEEP[1]).unlink()
            self.assertEqual(run_pod(shards, folder, JOB_COMPLETION_INDEX="0").returncode, 2)

    def test_a_request_that_is_wrong_is_told_in_a_line(self):
        for words, message in (
            (["--name", "month", *SWEEP], "--shards, --image, --claim"),
            ([*USUAL], "a scenario is required"),
            ([*USUAL, "--shards", "0", *SWEEP], '"0" is not a whole number from 1 to 50000'),
            ([*USUAL, "--name", "Month", *SWEEP], '--name: "Month" is no name of a job'),
            ([*USUAL, "--name", "m" * 51, *SWEEP], "--name: has 51 characters"),
            ([*USUAL, "--claim", "a_b", *SWEEP], '--claim: "a_b"'),
            ([*USUAL, "--image", "a b", *SWEEP], '--image: "a b"'),
            ([*USUAL, "--memory", "2 GB", *SWEEP], '--memory: "2 GB" is no quantity'),
            ([*USUAL, "--storage", "much", *SWEEP], '--storage: "much" is no quantity'),
            ([*USUAL, "--program", "a; b", *SWEEP], '--program: "a; b"'),
            ([*USUAL, *SWEEP, "--out", "x"], "--out: not among the sweep's arguments"),
            ([*USUAL, *SWEEP, "--threads=2"], "say --cpus"),
        ):
            with self.subTest(words=words):
                error = call(*words, code=2).stderr
                self.assertIn(message, error)
                self.assertEqual(error.count("\n"), 1)

    @unittest.skipIf(MODULES is None, "BURSAR_NODE_MODULES is not set")
    def test_manifests_are_of_the_published_schema(self):
        usual = manifests(*USUAL, "--storage", "1Gi", *SWEEP) + manifests(*USUAL, "--merge", *SWEEP)
        checked = self.checked(usual)
        self.assertEqual(checked.returncode, 0, checked.stdout)
        for wrong in ({"completionMod": "Indexed"}, {"completions": "3"}):
            job = {**usual[1], "spec": {**usual[1]["spec"], **wrong}}
            checked = self.checked([job])
            self.assertEqual(checked.returncode, 1)
            self.assertIn(next(iter(wrong)), checked.stdout)

    def checked(self, some):
        script = ["node", str(Path(__file__).with_name("published_schema.js"))]
        environment = {**os.environ, "NODE_PATH": str(Path(MODULES).resolve())}
        return subprocess.run(
            script, input=json.dumps(some), env=environment, capture_output=True, text=True, check=False
        )


if __name__ == "__main__":
    if MODULES is None:
        print("skipped: the published schema of manifests (BURSAR_NODE_MODULES is not set)")
    unittest.main(argv=sys.argv[:1])
