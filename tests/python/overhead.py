# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints what Python adds to steps, in processor time: of many in one call against the program, and of one step a call.

    PYTHONPATH=build/release/python tests/python/overhead.py build/release/twosphere
"""

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


# In turns, so that what else the machine does falls on all of them.
rounds = [(program(sys.argv[1]), one_call(), single(False), single(True)) for _ in range(ROUNDS)]
ratios = [mine / other for other, mine, _, _ in rounds]
best = [min(column) for column in zip(*rounds)]
print(f"{STEPS} steps of {PRESET}: {1e9 * best[0]:.1f} ns a step by the program, {1e9 * best[1]:.1f} ns by run()")
print(f"ratio: {best[1] / best[0]:.4f} of the best, median {statistics.median(ratios):.4f}, of {ROUNDS} rounds")
print(f"step() in a loop adds {1e9 * best[2]:.0f} ns to a step, with a look at q {1e9 * best[3]:.0f} ns")
