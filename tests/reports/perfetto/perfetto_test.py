#!/usr/bin/env python3
"""schedule.pftrace as protoc decodes it: slices nest and end, GPUs hold one job each, the last cost is the bill's.

    perfetto_test.py PROGRAM

Exits with 77, the test's code for skipped, where bursar was built without the library for it, or there is no protoc.
"""

import csv
import json
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
from collections import Counter
from pathlib import Path

PROGRAM = sys.argv[1]
SCENARIO = """bursar: 1
name: trace
workload:
  synthetic: {like: philly, jobs: 200, gpus: 32, load: 1.3, seed: 7}
  classes:
    - {startup: 1 min, checkpoint: {when: every, every: 20 min, save: 30 s}}
fleet:
  - {pool: own, purchase: owned, gpu: V100-SXM2-16GB, nodes: 6, gpus_per_node: 4, price: 1 USD/gpu-h,
     failures: {per_node_day: 0.4, detect: 1 min, repair: 2 h}}
  - {pool: spot, purchase: spot, gpu: V100-SXM2-16GB, nodes: 2, gpus_per_node: 4, price: 0.3 USD/gpu-h}
policy: {queue: srtf, capacity: CAPACITY}
"""
BEGIN, END, INSTANT, COUNT = 1, 2, 3, 4


def words(data):
    """(field, value) of a message: numbers for varints and fixed ones, bytes for what has a length."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(data):
        key = varint()
        kind = key & 7
        if kind == 0:
            yield key >> 3, varint()
        elif kind == 1:
            at += 8
            yield key >> 3, data[at - 8 : at]
        else:
            assert kind == 2, kind
            length = varint()
            at += length
            yield key >> 3, data[at - length : at]


class Trace:
    """Tracks by id as (name, parent), and events in the order of the file."""

    def __init__(self, data):
        self.tracks, self.events = {}, []
        for field, packet in words(data):
            assert field == 1
            parts = dict(words(packet))
            assert parts[10] == 1
            if 60 in parts:
                track = dict(words(parts[60]))
                self.tracks[track[1]] = (track[2].decode(), track.get(5, 0))
            else:
                event = dict(words(parts[11]))
                self.events.append((parts[8], event[9], event[11], event))

    def id_of(self, name):
        return next(track for track, (own, _) in self.tracks.items() if own == name)


def traced(capacity):
    with tempfile.TemporaryDirectory() as folder:
        scenario = Path(folder, "s.yaml")
        scenario.write_text(SCENARIO.replace("CAPACITY", capacity))
        out = Path(folder, "out")
        done = subprocess.run([PROGRAM, "run", scenario, "--out", out, "--files", "perfetto,json,attempts"],
                              capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        with open(out / "attempts.csv", newline="", encoding="utf-8") as rows:
            attempts = list(csv.DictReader(rows))
        return (out / "schedule.pftrace").read_bytes(), json.loads((out / "summary.json").read_text()), attempts


class PerfettoTest(unittest.TestCase):
    def check(self, capacity):
        data, summary, attempts = traced(capacity)
        trace = Trace(data)
        self.assertEqual([at for at, *_ in trace.events], sorted(at for at, *_ in trace.events))
        open_slices, drawn = Counter(), Counter()
        for _, kind, track, event in trace.events:
            self.assertIn(track, trace.tracks)
            if kind == BEGIN:
                open_slices[track] += 1
                drawn[event[23].decode()] += 1
                self.assertEqual(open_slices[track], 1, "one job at a time on each GPU")
            elif kind == END:
                open_slices[track] -= 1
        self.assertEqual(set(open_slices.values()), {0})
        expected = Counter()
        for attempt in attempts:
            expected[f"job {attempt['job_id']}"] += int(attempt["gpus"]) if capacity == "nodes" else 1
        self.assertEqual(drawn, expected)
        submits = sum(kind == INSTANT for _, kind, *_ in trace.events)
        self.assertEqual(submits, 200)
        costs = [event[44] for _, kind, track, event in trace.events if kind == COUNT and track == trace.id_of("USD so far")]
        self.assertAlmostEqual(struct.unpack("<d", costs[-1])[0], float(summary["cost"]["paid"]), places=5)
        return data, trace

    def test_nodes_are_tracks_and_gpus_hold_one_job_each(self):
        data, trace = self.check("nodes")
        self.assertEqual(sum(name.startswith("node ") for name, _ in trace.tracks.values()), 8)
        flows = [event[47] for _, kind, _, event in trace.events if kind == BEGIN and 47 in event]
        self.assertGreater(len(flows), 0)
        decoded = subprocess.run(["protoc", "--decode_raw"], input=data, capture_output=True, check=False)
        self.assertEqual(decoded.returncode, 0, decoded.stderr)
        self.assertEqual(decoded.stdout.count(b"\n1 {") + decoded.stdout.startswith(b"1 {"), len(trace.tracks) + len(trace.events))

    def test_where_capacity_is_counted_attempts_have_places_in_their_pools(self):
        _, trace = self.check("count")
        self.assertFalse(any(name.startswith("node ") for name, _ in trace.tracks.values()))


if __name__ == "__main__":
    LISTED = subprocess.run([PROGRAM, "run", "--help"], capture_output=True, text=True, check=True).stdout
    if "perfetto" not in LISTED or shutil.which("protoc") is None:
        print("skipped: bursar was built without protozero, or there is no protoc")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
