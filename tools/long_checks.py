"""Shared by tools/coverage, mutants and fuzz-long: programs that end with the script that started them."""

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager

CORES = len(os.sched_getaffinity(0))  # that this process may use
LOOK_S = 0.5  # a signal that arrives just before a wait begins is seen when the wait ends: no wait lasts longer
SCRIPT = os.path.basename(sys.argv[0])
running = set()
ending = False  # a pool of threads is: what a thread starts now ends at once
signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # as Ctrl-C: what was started ends first


def end(process):
    """Ends a program and those that it started. Not by a kill, which ninja's compilers outlive."""
    try:
        os.killpg(process.pid, signal.SIGTERM)
    except ProcessLookupError:
        pass


def run(*command, accepted=(0,), timeout=None, **words):
    """Runs a program to its end; returns its exit status, output and errors. Another status than those accepted (None:
    any) ends this script with what the program said. After `timeout` seconds the program is ended."""
    try:
        process = subprocess.Popen([str(word) for word in command], text=True, errors="replace", process_group=0,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, **words)
    except FileNotFoundError as error:
        sys.exit(f"{SCRIPT}: {error.filename} is missing; tools/install-packages build test check nightly")
    running.add(process)
    if ending:
        end(process)
    limit = time.monotonic() + (timeout or float("inf"))
    try:
        while True:
            try:
                out, err = process.communicate(timeout=LOOK_S)
                break
            except subprocess.TimeoutExpired:
                if time.monotonic() > limit:
                    end(process)
    except BaseException:
        end(process)
        process.communicate()
        raise
    finally:
        running.discard(process)
    if accepted is not None and process.returncode not in accepted:
        sys.exit(f"{SCRIPT}: exit status {process.returncode} of {' '.join(map(str, command))}\n{(out + err)[-4000:]}")
    return process.returncode, out, err


@contextmanager
def workers(jobs):
    """Gives a `map` whose calls run in a pool of threads. When its block ends by an exception, nothing else is started,
    and what runs is ended."""
    global ending
    with ThreadPoolExecutor(jobs) as pool:
        def each(function, items):
            for call in [pool.submit(function, item) for item in items]:
                while not wait([call], LOOK_S).done:
                    pass
                yield call.result()

        try:
            yield each
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            ending = True  # before the look at `running`: a thread may just have started a program
            for process in list(running):
                end(process)
            raise
