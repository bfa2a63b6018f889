# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures what Python adds to steps, in processor time: of many in one call against the program, and of one step a call.

    PYTHONPATH=build/release/python tests/python/overhead.py build/release/twosphere [PAGE]

prints the rows of the table of docs/python.md, writes them there if that page is given, and ends with 1 if a target is missed:
a run takes at most 2 % longer than the program, and a call of step() adds at most 1 µs.
"""

import pathlib
import re
import resource
import statistics
import subprocess
import sys
import time

import twosphere

PRESET, STEPS, SINGLE, ROUNDS = "double_spherical_pendulum", 1_000_000, 100_000, 9


def program(path):
    """Processor time of a step of `twosphere run`, without what a run of one step takes [s]."""

    def seconds(steps):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([path, "run", "--preset", PRESET, "--steps", str(steps), "--quiet"], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    return (seconds(STEPS) - seconds(1)) / STEPS


def one_call():
    run = twosphere.Simulation(twosphere.Scenario(PRESET).changed(steps=STEPS))
    begun = time.process_time()
    run.run()
    return (time.process_time() - begun) / STEPS


def single(look):
    run = twosphere.Simulation(PRESET)
    begun = time.process_time()
    for _ in range(SINGLE):
        run.step()
        if look:
            run.q
    taken = time.process_time() - begun
    begun = time.process_time()
    run.step(SINGLE)
    return (taken - (time.process_time() - begun)) / SINGLE


def table(best, median, rounds):
    """The rows, from the least times [s]: of the program, of run(), of step() and of step() with a look at q."""
    program, call, step, look = best
    more = f"{100 * (call / program - 1):.1f} % more by the best of {rounds} rounds each"
    more += f", {100 * (median - 1):.1f} % more by the median of the ratios"
    return (
        f"| a million steps by `twosphere run` | {1e9 * program:.0f} ns a step |\n"
        f"| the same by `run()`, with 10 001 rows as arrays | {1e9 * call:.0f} ns a step: {more} |\n"
        f"| `step()` in a loop, one step a call | adds {1e6 * step:.2f} µs to a step |\n"
        f"| the same with a look at `q` each time | adds {1e6 * look:.2f} µs to a step |\n"
    )


def write(page, rows):
    text = page.read_text(encoding="utf-8")
    new, found = re.subn(r"(\| \| processor time \|\n\|---\|---\|\n)(\|.*\n)+", lambda m: m[1] + rows, text)
    if found != 1:
        sys.exit(f"{page}: there is no table of processor time")
    page.write_text(new, encoding="utf-8")


def main():
    # In turns, so that what else the machine does falls on all of them.
    rounds = [(program(sys.argv[1]), one_call(), single(False), single(True)) for _ in range(ROUNDS)]
    best = [min(column) for column in zip(*rounds)]
    rows = table(best, statistics.median(mine / other for other, mine, _, _ in rounds), ROUNDS)
    print(rows, end="")
    if len(sys.argv) > 2:
        write(pathlib.Path(sys.argv[2]), rows)
    missed = []
    if best[1] > 1.02 * best[0]:
        missed.append("run() takes more than 2 % longer than the program")
    if best[2] > 1e-6:
        missed.append("step() adds more than 1 µs")
    for text in missed:
        print(f"missed: {text}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
