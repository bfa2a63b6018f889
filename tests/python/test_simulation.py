# SPDX-License-Identifier: GPL-3.0-or-later
import concurrent.futures
import copy
import json
import os
import pickle
import signal
import threading
import time

import numpy as np
import pytest

import twosphere as ts

PENDULUM = "double_spherical_pendulum"


def test_the_base_that_flies():
    assert ts.Simulation(PENDULUM).base is None
    thrown = ts.Scenario("drone_with_load").changed(
        {"initial.base": {"position": [1, 2, 3]}}, integrator=["variational", "rk2"]
    )
    run = ts.Simulation(thrown)
    position, velocity = run.base
    assert np.allclose(position, [1, 2, 3], atol=1e-15)
    assert np.allclose(velocity, 0, atol=1e-15)
    run.step(50)
    assert np.allclose(position, [1, 2, 3], atol=1e-15), "a snapshot"
    with pytest.raises(ValueError):
        position[0] = 0
    for lane in range(2):
        assert np.allclose(run.base_of(lane)[0], run.base[0], atol=1e-3)
    before = run.base[0]
    run["state.base.velocity"] = [0, 0, -1]
    assert np.allclose(run.base[1], [0, 0, -1], atol=1e-14)
    assert np.allclose(run.base[0], before, atol=1e-14)


def test_states_are_snapshots_that_later_steps_do_not_change():
    run = ts.Simulation(PENDULUM)
    q, omega = run.q, run.omega
    assert q.shape == omega.shape == (2, 3)
    assert run.q is q, "the same array until the state changes"
    kept = q.copy()
    assert run.step(10) == 10
    assert run.q is not q
    assert np.array_equal(q, kept)
    assert not np.array_equal(run.q, q)
    assert np.allclose(np.linalg.norm(run.q, axis=1), 1, atol=1e-15)
    assert np.allclose((run.q * run.omega).sum(axis=1), 0, atol=1e-14)
    with pytest.raises(ValueError):
        run.q[0, 0] = 0


def test_one_step_at_a_time_is_many_at_once():
    one, many = ts.Simulation(PENDULUM), ts.Simulation(PENDULUM)
    for _ in range(200):
        one.step()
    many.step(200)
    assert np.array_equal(one.q, many.q) and np.array_equal(one.omega, many.omega)
    assert one.time == many.time == 2
    assert one.energy == many.energy == one.sample()["total_energy"]


def test_run_goes_as_far_as_it_is_told():
    run = ts.Simulation(PENDULUM)
    assert len(run.run(steps=30)) == 31
    run.run(0.2)
    assert run.steps == 50
    run.run(until=1)
    assert run.steps == 100 and run.time == 1
    records = run.run(duration=0.005)
    assert run.steps == 101 and records["time"].tolist() == [1, run.time], "a step is taken whole"
    run.run()
    assert run.finished and run.steps == run.planned_steps == 10000
    for wrong in ({"duration": -1}, {"until": 3}, {"steps": -1}, {"duration": float("nan")}, {"steps": 1, "until": 2}):
        with pytest.raises(ts.Error):
            run.run(**wrong)


def test_rows_of_one_call_are_those_of_single_steps():
    scenario = ts.Scenario(PENDULUM).changed(every=1)
    one, many = ts.Simulation(scenario), ts.Simulation(scenario)
    records = many.run(steps=100, states=True, plots=True)
    assert len(records) == 101
    for k in range(1, 101):
        row = one.run(steps=1, states=True, plots=True)
        for name in ("time", "total_energy", "energy_error"):
            assert records[name][k] == row[name][-1], (k, name)
        assert np.array_equal(records.q[k], one.q) and np.array_equal(records.omega[k], one.omega)


def test_times_may_be_closer_than_the_steps():
    run = ts.Simulation(PENDULUM)
    for t in np.linspace(0, 1, 301):
        assert len(run.run(until=t)) >= 1
        assert t - 1e-9 < run.time < t + run.scenario.step
    assert run.steps == 100
    assert len(run.run(until=0.995)) == 1, "the last step has gone past it"
    with pytest.raises(ts.Error, match="until: must be from 1 s to"):
        run.run(until=0.98)


def test_a_run_goes_back_to_a_time():
    run = ts.Simulation(PENDULUM)
    run.run(until=1)
    run.reverse()
    records = run.run(until=0.25)
    assert run.time == 0.25 and run.steps == 175
    assert records["time"][0] == 1 and records["time"][-1] == 0.25
    with pytest.raises(ts.Error, match="to 0.25 s, not 0.5 s"):
        run.run(until=0.5)
    run.reverse()
    run.run(until=0.5)
    assert run.time == 0.5 and run.steps == 200


@pytest.mark.parametrize(
    "call, text",
    [
        (lambda run: run.run(steps=10**20), "steps: must be a whole number from 0 to 2^53 - 1, not 100000000000000000000"),
        (lambda run: run.run(steps=2.9), "steps: must be a whole number from 0 to 2^53 - 1, not 2.9"),
        (lambda run: run.run(steps="3"), "steps: must be a whole number from 0 to 2^53 - 1, not '3'"),
        (lambda run: run.run(duration=1e300), "duration: must be from 0 s to 9.0072e+13 s, not 1e+300 s"),
        (lambda run: run.run(until="x"), "until: must be a finite number, not 'x'"),
        (lambda run: run.step(10**20), "count: must be a whole number from 1 to 2^53 - 1, not 1"),
        (lambda run: run.step(2.9), "count: must be a whole number from 1 to 2^53 - 1, not 2.9"),
        (lambda run: run.step(0), "count: must be a whole number from 1 to 2^53 - 1, not 0"),
        (lambda run: run.pull(2, [0, 0, 1]), "body: must be a whole number from 0 to 1, not 2"),
        (lambda run: run.pull(0, [0, 1]), "force: must be three numbers, not [0, 1]"),
        (lambda run: run.pull(0, [0, 0, 1], 10**20), "steps: must be a whole number from 1 to 2^53 - 1, not 1"),
        (lambda run: run.follow_exponents(1.5), "count: must be a whole number from 1 to 8, not 1.5"),
        (lambda run: run.sample(1), "lane: must be a whole number from 0 to 0, not 1"),
        (lambda run: run.lane(-1), "lane: must be a whole number from 0 to 0, not -1"),
        (lambda run: run.render(1, 100), "width: must be a whole number from 16 to 8192, not 1"),
        (lambda run: run.render(100, 10**20), "height: must be a whole number from 16 to 8192, not 1"),
        (lambda run: ts.run(PENDULUM, steps=2.5), "steps: must be a whole number from 1 to 2^53 - 1, not 2.5"),
        (lambda run: ts.run(PENDULUM, steps=2, every=0), "every: must be a whole number from 1 to 2^53 - 1, not 0"),
        (lambda run: ts.run(PENDULUM, duration="x"), "duration: must be a finite number, not 'x'"),
        (lambda run: ts.set_threads(0), "count: must be a whole number from 1 to 1024, not 0"),
        (lambda run: run.save(3), "path: must be the path of a file, not 3"),
        (lambda run: run.set({"system.gravity": 10**400}), "system.gravity: must be a number of at most 1.8e308, not "),
        (lambda run: run.set({"system.gravity": 1j}), "system.gravity: a value must be a number, a text, a list"),
        (lambda run: run.set({"title": "\ud800"}), "title: must be a text that UTF-8 can hold, not '\\ud800'"),
        (lambda run: run.system.potential(1j * run.q), "q: must be numbers, not "),
        (lambda run: run.system.force("x", run.q, run.omega), "t: must be a finite number, not 'x'"),
        (lambda run: run.system.acceleration(None, run.q, run.omega), "t: must be a finite number, not None"),
        (lambda run: ts.study(PENDULUM, steps=["x"]), "steps: must be numbers, not"),
        (lambda run: ts.study(PENDULUM, steps=0.1), "steps: must be a list of numbers, not"),
        (lambda run: ts.study(PENDULUM, tolerances=[None]), "tolerances: must be numbers, not"),
        (lambda run: ts.run_sweep("none", part=3), "part: must be (K, N), not 3"),
        (lambda run: run.frequencies(), "frequencies: needs follow_signal() before the steps"),
        (lambda run: run.frequencies(33), "count: must be a whole number from 1 to 32, not 33"),
        (lambda run: run.follow_signal("q[7].e1"), "signal.real:column"),
        (lambda run: run.follow_signal(3), "signal: must be an expression, or the real and the imaginary part, not 3"),
    ],
)
def test_numbers_that_are_not_allowed_are_refused_with_those_that_are(call, text):
    run = ts.Simulation(PENDULUM)
    with pytest.raises(ts.Error) as caught:
        call(run)
    assert text in str(caught.value) and caught.value.kind == "usage"
    assert run.steps == 0


def test_whole_numbers_may_be_floats_and_of_numpy():
    run = ts.Simulation(PENDULUM)
    assert run.step(np.int32(3)) == 3 and run.step(2.0) == 2
    assert len(run.run(steps=np.float64(10))) == 11 and run.steps == 15


def test_a_saved_state_goes_on_bit_for_bit(tmp_path):
    whole, half = ts.Simulation("chain_pendulum"), ts.Simulation("chain_pendulum")
    whole.step(200)
    half.step(80)
    half.save(tmp_path / "state.json")
    for other in (ts.Simulation.load(tmp_path / "state.json"), pickle.loads(pickle.dumps(half)), copy.copy(half)):
        other.step(120)
        assert np.array_equal(other.q, whole.q) and np.array_equal(other.omega, whole.omega)
        assert other.sample() == whole.sample()


def test_changes_are_events_which_repeat_the_run():
    run = ts.Simulation(PENDULUM)
    run.step(10)
    run["system.gravity"] = 3.7
    run.step(10)
    run.pull(1, [5, 0, 0], steps=4)
    run.add_lane({"type": "rk4", "step": 0.005, "from": 0})
    run.step(10)
    run.reverse()
    run.step(5)
    assert run["system.gravity"] == 3.7 and run.reversed and run.lanes == ["variational", "rk4"]
    again = ts.Simulation(run.record)
    again.step(35)
    assert np.array_equal(again.q, run.q)
    for mine, other in zip(again.lane("rk4"), run.lane(1)):
        assert np.array_equal(mine, other)
    with pytest.raises(ts.Error, match="lane: must be"):
        run.lane("rk5")
    with pytest.raises(ts.Error, match="lane: must be a whole number from 0 to 1, not 2"):
        run.lane(2)
    assert run.rewound().steps == 0 and run.scenario["system.gravity"] == 3.7


def test_a_stop_condition_ends_the_run_and_step_goes_past_it():
    run = ts.Simulation(ts.Scenario(PENDULUM).changed({"stop": [{"time": 0.25}]}))
    run.run()
    assert run.steps == 25 and "0.25" in run.stopped
    assert run.step(5) == 5 and run.stopped is None


def test_a_step_that_cannot_be_taken_is_an_error_with_the_programs_text():
    run = ts.Simulation(ts.Scenario(PENDULUM).changed(step=0.5))
    with pytest.raises(ts.Error) as caught:
        run.run(20)
    assert caught.value.kind == "numerical" and "step" in str(caught.value)
    assert len(run.records) >= 1 and np.isfinite(run.q).all()


def test_exponents_follow_a_run():
    run = ts.Simulation(PENDULUM)
    assert run.exponents() is None
    run.follow_exponents(2)
    run.step(2000)
    found = run.exponents()
    assert found["lyapunov"].shape == found["error"].shape == (2,)
    records = ts.run(PENDULUM, steps=2000, exponents=2)
    assert records["lyapunov[1]"][-1] == found["lyapunov"][1]
    assert records["megno"][-1] == found["megno"]
    with pytest.raises(ts.Error, match="count: must be a whole number from 1 to 8, not 9"):
        run.follow_exponents(9)


def test_frequencies_are_those_of_the_program(program, tmp_path):
    words = "run --preset double_spherical_pendulum --duration 40 --frequencies 3 --signal q[1].e1 --signal q[1].e2 --json"
    summary = json.loads(program(*words.split(), folder=tmp_path).stdout)
    run = ts.Simulation(ts.Scenario(PENDULUM).changed(duration=40))
    run.follow_signal(("q[1].e1", "q[1].e2"))
    run.step(1000)
    run.run()
    found = run.frequencies(3)
    indices = ("", "[1]", "[2]")
    assert found["frequency"].tolist() == [summary[f"frequency{k}"] for k in indices]
    assert np.allclose(np.abs(found["amplitude"]), [summary[f"amplitude{k}"] for k in indices], rtol=1e-15)
    assert found["diffusion"] == summary["diffusion"]
    assert (found["samples"], found["interval"]) == (4001, 0.01)
    run.follow_signal()
    assert len(run.frequencies()["frequency"]) == 0, "it begins anew"


def test_a_signal_is_followed_in_the_run_of_an_edited_start():
    run = ts.Simulation(PENDULUM)
    run.follow_signal("q[0].e1")
    run.set({"system.gravity": 5})
    run.step(100)
    found = run.frequencies()
    assert found["samples"] == 101
    plain = ts.Simulation(PENDULUM)
    plain.set({"system.gravity": 5})
    plain.follow_signal("q[0].e1")
    plain.step(100)
    assert found["frequency"].tolist() == plain.frequencies()["frequency"].tolist()


def test_tangent_vectors_follow_the_run_of_an_edited_start():
    run, plain = ts.Simulation(PENDULUM), ts.Simulation(PENDULUM)
    run.follow_exponents(2)
    run.set({"system.gravity": 5})
    plain.set({"system.gravity": 5})
    plain.follow_exponents(2)
    for one in (run, plain):
        one.step(100)
    assert run.exponents()["lyapunov"].tolist() == plain.exponents()["lyapunov"].tolist()


def test_a_system_can_be_evaluated():
    run = ts.Simulation(PENDULUM)
    system, q, omega = run.system, run.q, run.omega
    sample = run.sample()
    assert system.potential(q) == sample["potential_energy"]
    assert system.energy(q, omega) == pytest.approx(sample["total_energy"], rel=1e-14)
    velocity = np.cross(omega, q)
    m = system.inertia(q)
    assert 0.5 * np.einsum("ij,ik,jk", m, velocity, velocity) == pytest.approx(sample["kinetic_energy"], rel=1e-13)
    direction = np.cross(q, [[0.3, 0.2, 0.1], [0.5, -1, 2]])
    e = 1e-5
    slope = (system.potential(q + e * direction) - system.potential(q - e * direction)) / (2 * e)
    assert (system.gradient(q) * direction).sum() == pytest.approx(slope, rel=1e-8)
    # ω̇ by the equations of motion, against what a short step does to ω.
    h = 1e-6
    short = ts.Simulation(ts.Scenario(PENDULUM).changed(integrator="rk4", step=h))
    short.step()
    assert np.allclose((short.omega - omega) / h, system.acceleration(0, q, omega), atol=1e-3)
    with pytest.raises(ts.Error, match=r"q: must be an array of shape \(2, 3\)"):
        system.potential(q[0])


def test_threads_run_at_the_same_time_with_the_same_results():
    scenario = ts.Scenario(PENDULUM)

    def end(k):
        run = ts.Simulation(scenario.changed({"system.gravity": 9.81 + k}))
        run.step(20000)
        return run.q

    alone = [end(k) for k in range(4)]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        together = list(pool.map(end, range(4)))
    assert all(np.array_equal(a, b) for a, b in zip(alone, together))


def test_the_gil_is_released_and_a_second_thread_is_refused():
    run = ts.Simulation(PENDULUM)
    begun, done = threading.Event(), []

    def work():
        begun.set()
        done.append(run.step(1_000_000))

    thread = threading.Thread(target=work)
    thread.start()
    begun.wait()
    refused, turns = 0, 0
    while not done:
        turns += 1
        try:
            run.sample()
        except ts.Error as error:
            assert "another thread" in str(error)
            refused += 1
        time.sleep(0.001)
    thread.join()
    assert done == [1_000_000]
    assert turns > 20, "this thread continued during the steps"
    assert refused > 20


@pytest.mark.parametrize("go", [lambda run: run.step(10**9), lambda run: run.run(steps=10**9)])
def test_ctrl_c_ends_a_long_call_and_the_run_can_go_on(go):
    run = ts.Simulation(PENDULUM)
    former = signal.getsignal(signal.SIGINT)
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        go(run)
    assert time.monotonic() - begun < 60
    assert signal.getsignal(signal.SIGINT) is former
    reached = run.steps
    assert 0 < reached < 10**9
    whole = ts.Simulation(PENDULUM)
    whole.step(reached)
    assert np.array_equal(whole.q, run.q)
    run.step(5)
    assert run.steps == reached + 5


def test_ctrl_c_interrupts_a_single_long_step():
    # As many inner steps as there may be.
    run = ts.Simulation(ts.Scenario("elastic_rod").changed({"integrator.step": 2000}, integrator="rk78", duration=2000))
    threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        run.step()
    assert run.steps == 0


def test_a_handler_that_raises_nothing_lets_the_run_go_on():
    calls = []
    former = signal.signal(signal.SIGINT, lambda *_: calls.append(1))
    try:
        run = ts.Simulation(PENDULUM)
        threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
        assert run.step(2_000_000) == 2_000_000
        assert len(run.run(steps=100)) >= 2
    finally:
        signal.signal(signal.SIGINT, former)
    assert calls == [1]


def test_ctrl_c_ends_runs_in_other_threads():
    runs = [ts.Simulation(PENDULUM) for _ in range(2)]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        futures = [pool.submit(run.step, 10**9) for run in runs]
        time.sleep(0.2)
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(5)
        for future in futures:
            with pytest.raises(KeyboardInterrupt):
                future.result(timeout=60)
    assert all(0 < run.steps < 10**9 for run in runs)


def test_ctrl_c_ends_a_large_picture():
    run = ts.Simulation(PENDULUM)
    try:
        run.render(320, 200)
    except ts.Error as error:
        pytest.skip(str(error))
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        while True:  # however soon one is drawn
            run.render(8192, 8192)


def test_a_picture_is_seen_in_the_frame_of_the_view(program, tmp_path):
    from matplotlib import image as reader

    scenario = ts.Scenario("relative_orbit")
    rest = scenario.to_dict()
    del rest["view"]
    run, resting = ts.Simulation(scenario), ts.Simulation(rest)
    for each in (run, resting):
        each.step(200)
    try:
        seen = np.asarray(run.render(320, 200, follow=1))
    except ts.Error as error:
        pytest.skip(str(error))
    words = f"render --preset relative_orbit --time {run.time!r} --size 320x200 --trail 0 --no-legend --follow 2 --png theirs.png"
    assert program(*words.split(), folder=tmp_path).returncode == 0
    theirs = np.rint(reader.imread(tmp_path / "theirs.png")[..., :3] * 255)

    def other_pixels(picture):
        return (np.abs(theirs - picture[..., :3]).max(axis=-1) > 20).sum()

    assert other_pixels(seen) < 20 and other_pixels(np.asarray(resting.render(320, 200, follow=1))) > 200
    # A view that cannot turn rests, with a warning.
    rest["view"] = {"frame": {"rate": "orbit"}}
    del rest["orbit"]
    other = ts.Simulation(rest)
    other.step(200)
    with pytest.warns(ts.RunWarning, match="view.frame: has the rate of an orbit"):
        pixels = other.render(320, 200, follow=1)
    assert np.array_equal(np.asarray(pixels), np.asarray(resting.render(320, 200, follow=1)))


def test_a_layer_that_the_system_does_not_have_is_a_warning():
    scenario = {
        "twosphere": 1,
        "system": {"type": "chain_pendulum", "masses": [1], "lengths": [1]},
        "initial": {"q": [[1, 0, 0]], "omega": [[0, 0, 0]]},
        "integrator": {"type": "variational", "step": 0.01},
        "duration": 1,
        "view": {"layer": {"axis": "e3", "number": 2}},
    }
    run = ts.Simulation(scenario)
    try:
        with pytest.warns(ts.RunWarning, match="view.layer: is of a cubic lattice of spins"):
            run.render(320, 200)
    except ts.Error as error:
        pytest.skip(str(error))


def test_a_picture_shows_the_layer_of_the_view():
    whole = {
        "twosphere": 1,
        "system": {"type": "spins", "lattice": {"type": "cubic", "size": [4, 4, 4]}},
        "initial": {"generator": {"type": "random", "seed": 3}},
        "integrator": {"type": "spherical_midpoint", "step": 0.1},
        "duration": 1,
    }
    layers = [whole | {"view": {"layer": {"axis": "e3", "number": k}}} for k in (0, 3)]
    try:
        pictures = [np.asarray(ts.Simulation(each).render(320, 200)) for each in (whole, *layers)]
    except ts.Error as error:
        pytest.skip(str(error))
    for k in range(3):
        assert not np.array_equal(pictures[k], pictures[k - 1])


def test_a_picture_is_drawn():
    run = ts.Simulation(PENDULUM)
    try:
        image = run.render(320, 200)
    except ts.Error as error:
        pytest.skip(str(error))
    pixels = np.asarray(image)
    assert pixels.shape == (200, 320, 4) and pixels.dtype == np.uint8
    assert (pixels[..., 3] == 255).all() and len(np.unique(pixels[..., :3].reshape(-1, 3), axis=0)) > 100
    run.step(50)
    assert not np.array_equal(pixels, np.asarray(run.render(320, 200)))
    clear = np.asarray(run.render(320, 200, transparent=True))
    assert (clear[..., 3] == 0).any() and (clear[..., 3] == 255).any()
    pictures = [pixels]
    for options in ({"azimuth": 1}, {"elevation": 0.5}, {"follow": 1}, {"color": "speed"}, {"color": "speed", "color_map": "cividis"},
                    {"color": "direction"}, {"color": "direction", "color_axis": "e1"}):
        pictures.append(np.asarray(run.render(320, 200, **options)))
        assert not any(np.array_equal(pictures[-1], other) for other in pictures[:-1]), options
    for options, text in (
        ({"follow": 2}, "follow: must be a whole number from 0 to 1, not 2"),
        ({"color": "spead"}, "color: must be one of automatic, "),
        ({"color_map": "jet"}, "color_map: must be one of "),
        ({"color_axis": "z"}, "color_axis: must be one of e1, e2, e3"),
        ({"azimuth": float("nan")}, "azimuth: must be a finite number, not nan"),
    ):
        with pytest.raises(ts.Error) as caught:
            run.render(**options)
        assert text in str(caught.value)
    spins = ts.Simulation(ts.Scenario.preset("spin_waves"))
    assert np.asarray(spins.render(320, 200)).shape == (200, 320, 4)
    with pytest.raises(ts.Error) as caught:
        spins.render(320, 200, color="kinetic_energy")
    assert "color: there are none by kinetic_energy: a system of first order has no kinetic energy" in str(caught.value)
    from matplotlib import image as reader
    import io

    read = reader.imread(io.BytesIO(image._repr_png_()))
    assert np.array_equal(np.rint(read * 255), pixels)


def test_a_heat_bath_keeps_its_temperature_and_its_noise():
    warm = ts.Scenario.preset("domain_wall").changed({"system.temperature": 0.02, "system.seed": 3}, step=0.1, duration=10)
    run, again = ts.Simulation(warm), ts.Simulation(warm)
    other = ts.Simulation(warm.changed({"system.seed": 4}))
    for one in (run, again, other):
        one.step(20)
    assert np.array_equal(run.q, again.q) and not np.array_equal(run.q, other.q)
    with pytest.raises(ts.Error, match="temperature: needs a damping greater than 0"):
        warm.changed({"system.damping": 0})
    with pytest.raises(ts.Error, match="must be a whole number of at least 0, not 0.5"):
        warm.changed({"system.seed": 0.5})
    with pytest.raises(ts.Error, match="needs a temperature of 0"):
        warm.changed(integrator="spherical_midpoint4")
