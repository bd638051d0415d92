#!/usr/bin/env python3
"""schedule.pftrace as protoc decodes it: slices nest and end, GPUs hold one job each, the last cost is the bill's.

    perfetto_test.py PROGRAM

Exits with 77, the test's code for skipped, where bursar was built without the library for it, or there is no protoc.
"""

import atexit
import csv
import json
import shutil
import subprocess
import sys
import tempfile
import unittest
from collections import Counter, defaultdict
from datetime import datetime, timezone
from pathlib import Path

PROGRAM = sys.argv[1]
PROTO = Path(__file__).parent / "trace.proto"
SCENARIO = """bursar: 1
name: trace
workload:
  synthetic: {like: philly, jobs: 120, gpus: 32, load: 1.5, seed: 7}
  classes:
    - {startup: 1 min, restart: 2 min, teardown: 30 s, checkpoint: CHECKPOINT}
fleet:
  - {pool: own, purchase: owned, gpu: V100-SXM2-16GB, nodes: 6, gpus_per_node: 4, price: 1 USD/gpu-h,
     failures: {per_node_day: 1, detect: 1 min, repair: 2 h}}
  - {pool: spot, purchase: spot, gpu: V100-SXM2-16GB, nodes: 2, gpus_per_node: 4,
     price: {generate: {family: mean-reverting, mean: 0.3 USD/gpu-h, floor: 0.1 USD/gpu-h, ceiling: 0.6 USD/gpu-h,
                        every: 2 h, swing: 0.2, memory: 1 d}}}
policy: {queue: srtf, capacity: CAPACITY}
"""
ON_PREEMPT = "{when: on-preempt, save: 30 s}"
HOUR = 3_600_000_000_000


def message(lines):
    """A message of protoc's text form: {name: [values]}, its lines taken from `lines` up to its end."""
    out = defaultdict(list)
    for line in lines:
        line = line.strip()
        if line == "}":
            break
        if line.endswith("{"):
            out[line[:-2]].append(message(lines))
            continue
        name, value = line.split(": ", 1)
        assert not name.isdigit(), f"field {name} is not in {PROTO.name}"
        out[name].append(value[1:-1] if value.startswith('"') else value)
    return out


class Trace:
    """Tracks by id as (name, parent), and events in the order of the file."""

    def __init__(self, data):
        done = subprocess.run(["protoc", f"-I{PROTO.parent}", "--decode=Trace", PROTO.name], input=data,
                              capture_output=True, check=False)
        assert done.returncode == 0, done.stderr
        self.tracks, self.events, self.clocks = {}, [], {}
        for packet in message(iter(done.stdout.decode().splitlines()))["packet"]:
            assert packet["trusted_packet_sequence_id"] == ["1"]
            for snapshot in packet["clock_snapshot"]:
                self.clocks = {int(clock["clock_id"][0]): int(clock["timestamp"][0]) for clock in snapshot["clocks"]}
                assert snapshot["primary_trace_clock"] == ["6"]
            for track in packet["track_descriptor"]:
                self.tracks[track["uuid"][0]] = (track["name"][0], track["parent_uuid"][0] if track["parent_uuid"] else "")
            for event in packet["track_event"]:
                self.events.append((int(packet["timestamp"][0]), event["type"][0], event["track_uuid"][0], event))

    def of_type(self, kind):
        return [(at, track, event) for at, type_, track, event in self.events if type_ == kind]

    def counts(self, name):
        """[(instant, value)] of the counters of that name."""
        return [(at, float((event["counter_value"] + event["double_counter_value"])[0]))
                for at, track, event in self.of_type("TYPE_COUNTER") if self.tracks[track][0] == name]

    def instants(self, category):
        return [(at, event["name"][0]) for at, _, event in self.of_type("TYPE_INSTANT") if category in event["categories"]]

    def slices(self):
        """[(track, depth, begin, end, event)], after every begin has met its end and lies inside what it is in."""
        stacks, out = defaultdict(list), []
        for at, kind, track, event in self.events:
            assert track in self.tracks, track
            if kind == "TYPE_SLICE_BEGIN":
                stacks[track].append((at, event))
            elif kind == "TYPE_SLICE_END":
                begin, begun = stacks[track].pop()
                out.append((track, len(stacks[track]), begin, at, begun))
        assert not any(stacks.values()), "a slice does not end"
        return out


def notes(event):
    return {note["name"][0]: (note["int_value"] + note["double_value"] + note["string_value"])[0]
            for note in event["debug_annotations"]}


class Run:
    """A run of the scenario, and traces of its result."""

    def __init__(self, capacity, checkpoint=ON_PREEMPT):
        folder = Path(tempfile.mkdtemp())
        atexit.register(shutil.rmtree, folder)
        scenario = folder / "s.yaml"
        scenario.write_text(SCENARIO.replace("CAPACITY", capacity).replace("CHECKPOINT", checkpoint))
        self.out = folder / "out"
        self.bursar("run", scenario, "--out", self.out, "--files", "perfetto,json,attempts,jobs,csv,result")
        self.summary = json.loads((self.out / "summary.json").read_text())

    @staticmethod
    def bursar(*words):
        done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def rows(self, name):
        with open(self.out / name, newline="", encoding="utf-8") as rows:
            return list(csv.DictReader(rows))

    def trace(self, *limits):
        if not limits:
            return Trace((self.out / "schedule.pftrace").read_bytes())
        return Trace(self.bursar("report", self.out / "result.json", "--format", "perfetto", *limits))


class PerfettoTest(unittest.TestCase):
    def check(self, run, capacity):
        trace = run.trace()
        self.assertEqual([at for at, *_ in trace.events], sorted(at for at, *_ in trace.events))
        slices = trace.slices()
        self.assertEqual(max(depth for _, depth, *_ in slices), 1, "one job at a time on each GPU, and its phases in it")
        drawn = Counter(event["name"][0] for _, depth, *_, event in slices if depth == 0)
        expected, ends = Counter(), Counter()
        for attempt in run.rows("attempts.csv"):
            expected[f"job {attempt['job_id']}"] += int(attempt["gpus"]) if capacity == "nodes" else 1
            ends[attempt["end_cause"]] += 1
        self.assertEqual(drawn, expected)
        self.assertEqual(len(trace.instants("submit")), 120)
        self.assertEqual(len(trace.instants("fault")), sum(int(job["failures"]) for job in run.rows("jobs.csv")))
        self.assertEqual(len(trace.instants("preempt")), ends["preempted"])
        self.assertGreater(len(trace.instants("capacity")), 10)
        self.assertEqual([at for at, _ in trace.instants("price")], [at for at, _ in trace.counts("price")][1:])
        self.assertGreater(len(trace.instants("price")), 10)
        self.assertAlmostEqual(trace.counts("cumulative_cost")[-1][1], float(run.summary["cost"]["paid"]), places=5)
        return trace, slices

    def test_nodes_are_tracks_and_gpus_hold_one_job_each(self):
        trace, slices = self.check(Run("nodes"), "nodes")
        self.assertEqual(sum(name.startswith("node ") for name, _ in trace.tracks.values()), 8)
        self.assertEqual({name for name, parent in trace.tracks.values() if parent == ""}, {"queue", "own", "spot"})
        flows = defaultdict(set)
        for *_, event in slices:
            for flow in event["flow_ids"]:
                flows[flow].add(event["name"][0])
        self.assertGreater(len(flows), 0)
        self.assertTrue(all(len(names) == 1 for names in flows.values()), "arrows join the attempts of one job")

    def test_phases_fill_attempts_and_add_up_to_the_bill(self):
        run = Run("count")
        trace, slices = self.check(run, "count")
        self.assertFalse(any(name.startswith("node ") for name, _ in trace.tracks.values()))
        inside, hours = defaultdict(int), defaultdict(float)
        for track, depth, begin, end, event in slices:
            if depth == 1:
                inside[track] += end - begin
                self.assertEqual(event["name"], event["categories"][:1])
                for leaf, held in notes(event).items():
                    hours[leaf.split(".")[0] if leaf.startswith("over") else leaf] += float(held)
            else:
                inside[track] -= end - begin
        self.assertEqual(set(inside.values()), {0})
        booked = defaultdict(float)
        for row in run.rows("gpu_hours.csv"):
            group = row["leaf"].split(".")[0]
            if group not in ("idle", "unavail"):
                booked["overhead" if group == "over" else row["leaf"]] += float(row["gpu_hours"])
        hours["overhead"] += hours.pop("over")
        self.assertEqual(hours.keys(), booked.keys())
        for leaf, sum_of in booked.items():
            self.assertAlmostEqual(hours[leaf], sum_of, places=3, msg=leaf)

    def test_a_job_that_saves_while_it_works_has_one_phase_for_both(self):
        _, slices = self.check(Run("count", "{when: every, every: 20 min, save: 30 s}"), "count")
        self.assertTrue(any({"prod.useful", "over.checkpoint"} <= notes(event).keys() for *_, event in slices))

    def test_limits_hold(self):
        run = Run("nodes")
        jobs = sorted(run.rows("jobs.csv"), key=lambda job: -float(job["cost_usd"]))
        whole, top = run.trace(), run.trace("--trace-top", 3)
        self.assertEqual({event["name"][0] for _, depth, *_, event in top.slices() if depth == 0},
                         {f"job {job['job_id']}" for job in jobs[:3]})
        self.assertEqual(len(top.instants("submit")), 3)
        self.assertEqual(top.counts("cumulative_cost"), whole.counts("cumulative_cost"))

        part = run.trace("--trace-from", "20h", "--trace-to", "30h")
        self.assertEqual((part.events[0][0], part.events[-1][0]), (20 * HOUR, 30 * HOUR))
        for name in ("cumulative_cost", "queue_gpus"):
            before = [count for at, count in whole.counts(name) if at <= 20 * HOUR][-1]
            after = [count for at, count in whole.counts(name) if at >= 30 * HOUR][0]
            if name == "queue_gpus":
                self.assertEqual(part.counts(name)[0][1], before)
            else:
                self.assertGreaterEqual(part.counts(name)[0][1], before)
                self.assertLessEqual(part.counts(name)[-1][1], after)

        def inside(trace):
            return Counter((event["name"][0], depth, max(begin, 20 * HOUR), min(end, 30 * HOUR))
                           for _, depth, begin, end, event in trace.slices() if begin < 30 * HOUR and end > 20 * HOUR)

        self.assertEqual(inside(part), inside(whole))
        dated = run.trace("--trace-from", "2017-10-03", "--trace-to", "2017-10-03T08:00Z")
        zero_ms = json.loads((run.out / "result.json").read_text())["outcome"]["zero_utc_ms"]
        self.assertEqual(whole.clocks, {6: 0, 1: zero_ms * 1_000_000}, "the zero of the trace's clock as a date")
        day = datetime(2017, 10, 3, tzinfo=timezone.utc).timestamp() * 1000 - zero_ms
        self.assertEqual(dated.events[0][0], round(day) * 1_000_000)
        self.assertEqual(dated.events[-1][0], round(day) * 1_000_000 + 8 * HOUR)


if __name__ == "__main__":
    LISTED = subprocess.run([PROGRAM, "run", "--help"], capture_output=True, text=True, check=True).stdout
    if "perfetto" not in LISTED or shutil.which("protoc") is None:
        print("skipped: bursar was built without protozero, or there is no protoc")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
