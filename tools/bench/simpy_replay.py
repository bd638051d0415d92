#!/usr/bin/python3
"""Replays a Philly CSV trace in SimPy 2 and prints a line of JSON for each number of GPUs: jobs,
mean_jct_s, makespan_s, engine_s (the simulation alone, without reading the trace), simpy (its version).

    simpy_replay.py TRACE GPUS...

One process per core shares the numbers; the trace is read once.

First come first served on a counted pool of GPUs; a job that does not fit blocks those behind it.
As lean as SimPy allows, for a fair comparison: one process per job, created when it arrives; a plain
deque for the queue (SimPy's Level lets a small request overtake a large one).
"""

import csv
import json
import multiprocessing
import sys
import time
from collections import deque
from datetime import datetime

import SimPy
from SimPy.Simulation import Process, activate, hold, initialize, now, passivate
from SimPy.Simulation import reactivate, simulate


def read_jobs(trace):
    """(submit, duration, gpus) by submit, ties in file order; seconds since the first submit."""
    with open(trace, newline="", encoding="utf-8") as rows:
        jobs = [
            (
                datetime.fromisoformat(row["timestamp"]),
                float(row["duration"]),
                int(row["num_gpus"]),
            )
            for row in csv.DictReader(rows)
        ]
    jobs.sort(key=lambda job: job[0])
    zero = jobs[0][0]
    return [((submit - zero).total_seconds(), duration, gpus) for submit, duration, gpus in jobs]


class Cluster:
    def __init__(self, gpus):
        self.free = gpus
        self.queue = deque()  # waiting jobs, first come first
        self.total_jct = 0.0
        self.last_finish = 0.0


class Job(Process):
    def __init__(self, gpus):
        Process.__init__(self)
        self.gpus = gpus

    def run(self, cluster, submit, duration):
        if cluster.queue or cluster.free < self.gpus:
            cluster.queue.append(self)
            yield passivate, self
        else:
            cluster.free -= self.gpus
        yield hold, self, duration
        cluster.free += self.gpus
        while cluster.queue and cluster.queue[0].gpus <= cluster.free:
            head = cluster.queue.popleft()
            cluster.free -= head.gpus
            reactivate(head)
        cluster.total_jct += now() - submit
        cluster.last_finish = now()


class Arrivals(Process):
    def run(self, cluster, jobs):
        for submit, duration, gpus in jobs:
            if submit > now():
                yield hold, self, submit - now()
            job = Job(gpus)
            activate(job, job.run(cluster, submit, duration))


def replay(jobs, gpus):
    start = time.perf_counter()
    initialize()
    cluster = Cluster(gpus)
    arrivals = Arrivals()
    activate(arrivals, arrivals.run(cluster, jobs))
    simulate(until=float("inf"))
    engine_s = time.perf_counter() - start
    return {
        "jobs": len(jobs),
        "mean_jct_s": cluster.total_jct / len(jobs),
        "makespan_s": cluster.last_finish,
        "engine_s": engine_s,
        "simpy": SimPy.__version__,
    }


kept_jobs = None  # of a worker: handed over once, not with every number


def keep_jobs(jobs):
    global kept_jobs
    kept_jobs = jobs


def replay_kept(gpus):
    return replay(kept_jobs, gpus)


def main():
    jobs = read_jobs(sys.argv[1])
    gpus = [int(word) for word in sys.argv[2:]]
    if len(gpus) == 1:
        print(json.dumps(replay(jobs, gpus[0])))
        return
    with multiprocessing.Pool(initializer=keep_jobs, initargs=[jobs]) as pool:
        for answer in pool.imap(replay_kept, gpus):
            print(json.dumps(answer))


if __name__ == "__main__":
    main()
