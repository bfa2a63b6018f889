# SPDX-License-Identifier: GPL-3.0-or-later
import concurrent.futures
import json
import os
import signal
import threading
import time

import numpy as np
import pytest

import twosphere as ts


def potential(q, k):
    """Two repelling bodies: k/|q_0 − q_1|."""
    return k / np.linalg.norm(q[0] - q[1])


def gradient(q, k):
    d = q[0] - q[1]
    g = -k * d / np.linalg.norm(d) ** 3
    return np.array([g, -g])


START = {"q": [[1, 0, 0], [0, 0, 1]], "omega": [[0, 0, 1], [0, 0, 0]]}
TEXT = {
    "twosphere": 1,
    "system": {
        "type": "custom",
        "parameters": {"m": [1, 0.5], "k": 1.25},
        "inertia": "diag(m)",
        "potential": "sum(i < j: k/norm(q[i] - q[j]))",
    },
    "initial": START,
    "integrator": {"type": "variational", "step": 0.01},
    "duration": 2,
}


@pytest.fixture
def repelling():
    ts.add_system(
        "repelling",
        potential,
        gradient,
        inertia=lambda n, k: [1, 0.5],
        parameters={"k": 1.25},
        title="Two repelling bodies",
    )
    return {**TEXT, "system": {"type": "repelling"}}


@pytest.mark.parametrize("integrator", ["variational", "rotation6", "rk45", "gauss16"])
def test_a_potential_in_python_moves_as_the_same_text(repelling, integrator):
    mine = ts.Simulation(ts.Scenario(repelling).changed(integrator=integrator))
    text = ts.Simulation(ts.Scenario(TEXT).changed(integrator=integrator))
    assert mine.energy == pytest.approx(text.energy, rel=1e-15)
    mine.run(), text.run()
    assert np.allclose(mine.q, text.q, atol=1e-11) and np.allclose(mine.omega, text.omega, atol=1e-11)
    assert np.abs(mine.q - START["q"]).max() > 0.5, "it moved"


def test_parameters_are_settings_and_states_are_exact(repelling, tmp_path):
    scenario = ts.Scenario(repelling)
    assert scenario["system.k"] == 1.25
    scenario["system.k"] = 2
    whole, half = ts.Simulation(scenario), ts.Simulation(scenario)
    assert half.sample()["potential_energy"] == pytest.approx(2 / np.sqrt(2), rel=1e-15)
    whole.step(50)
    half.step(20)
    half.save(tmp_path / "state.json")
    assert json.loads((tmp_path / "state.json").read_text())["system"] == {"type": "repelling", "k": 2}
    other = ts.Simulation.load(tmp_path / "state.json")
    other.step(30)
    assert np.array_equal(other.q, whole.q) and np.array_equal(other.omega, whole.omega)
    whole["system.k"] = 0.1
    whole.step(1)


def test_exponents_by_differences_are_those_of_the_text(repelling):
    mine, text = ts.Simulation(repelling), ts.Simulation(TEXT)
    for run in (mine, text):
        run.follow_exponents(2)
        run.step(100)
    assert np.allclose(mine.exponents()["lyapunov"], text.exponents()["lyapunov"], rtol=1e-6)


def test_the_same_inertia_in_every_form():
    ends = []
    for k, inertia in enumerate((0.7, [0.7, 0.7], [[0.7, 0], [0, 0.7]], lambda n, k: 0.7 * np.eye(n))):
        ts.add_system(f"form{k}", potential, gradient, inertia=inertia, parameters={"k": 1.0})
        run = ts.Simulation({**TEXT, "system": {"type": f"form{k}"}, "integrator": {"type": "rk4", "step": 0.01}})
        run.step(50)
        ends.append(run.q)
    assert all(np.allclose(end, ends[0], atol=1e-13) for end in ends)
    for wrong in ([1, 2, 3], [[1, 2], [0, 1]], [[1, 0], [0, -1]], "x"):
        ts.add_system("wrong", potential, gradient, inertia=wrong, parameters={"k": 1.0})
        with pytest.raises(ts.Error, match="inertia"):
            ts.Scenario({**TEXT, "system": {"type": "wrong"}})


def test_what_is_no_number_is_named():
    ts.add_system("wordy", lambda q: "a", lambda q: 0 * q, inertia=[1, 1])
    with pytest.raises(ts.Error, match="potential: must be a number of at most 1.8e308, not"):
        ts.Simulation({**TEXT, "system": {"type": "wordy"}})


def test_a_force_of_time_does_work():
    def force(t, q, g):
        return np.array([[0, np.sin(t), 0]])

    ts.add_system("pushed", lambda q, g: -g * q[0, 2], lambda q, g: [[0, 0, -g]], force=force, parameters={"g": 9.81})
    run = ts.Simulation(
        {
            "twosphere": 1,
            "system": {"type": "pushed"},
            "initial": {"q": [[0, 0.6, 0.8]], "omega": [[0, 0, 0]]},
            "integrator": {"type": "gauss16", "step": 0.01},
            "duration": 1,
        }
    )
    run.run()
    sample = run.sample()
    assert abs(sample["work"]) > 0.01
    assert abs(sample["energy_error"]) < 1e-8


def test_a_wrong_gradient_is_refused_at_the_start():
    ts.add_system("off", potential, lambda q, k: 1.01 * gradient(q, k), parameters={"k": 1.0})
    with pytest.raises(ts.Error, match="gradient of off does not agree with potential"):
        ts.Scenario({**TEXT, "system": {"type": "off"}})


def test_what_a_function_raises_ends_the_run_and_leaves_the_state():
    class Trouble(Exception):
        pass

    calls = []

    def raising(q, k):
        calls.append(1)
        if len(calls) > 40:
            raise Trouble("in the gradient")
        return gradient(q, k)

    ts.add_system("raising", potential, raising, parameters={"k": 1.0})
    run = ts.Simulation({**TEXT, "system": {"type": "raising"}})
    with pytest.raises(Trouble, match="in the gradient"):
        run.run()
    assert 0 < run.steps < 40 and len(run.records) == run.steps + 1
    assert np.isfinite(run.q).all()

    ts.add_system("shape", potential, lambda q, k: np.zeros(3), parameters={"k": 1.0})
    with pytest.raises(ts.Error, match=r"gradient of shape: must be an array of shape \(2, 3\), not \(3,\)"):
        ts.Scenario({**TEXT, "system": {"type": "shape"}})


def test_ctrl_c_in_a_python_potential_ends_the_run(repelling):
    run = ts.Simulation(repelling)
    for go in (lambda: run.run(steps=10**8), lambda: run.step(10**8)):
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
        begun = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            go()
        assert time.monotonic() - begun < 60
    assert np.isfinite(run.q).all() and 0 < run.steps < 10**8
    run.step()


def test_threads_and_sweeps_call_python_functions(repelling):
    def end(k):
        run = ts.Simulation(ts.Scenario(repelling).changed({"system.k": k}))
        run.run()
        return run.energy

    ks = [0.5, 1.0, 1.5, 2.0]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        energies = list(pool.map(end, ks))
    swept = ts.sweep(repelling, {"system.k": ks}, ["total_energy.last"], jobs=3)
    assert swept.total_energy_last.values.tolist() == energies == [end(k) for k in ks]


def test_names_of_the_catalogue_are_kept():
    with pytest.raises(ts.Error, match='name: "n_body" is the name of a built-in one'):
        ts.add_system("n_body", potential, gradient, parameters={"k": 1.0})
    with pytest.raises(ts.Error, match="name: a name has letters, digits and _"):
        ts.add_integrator("my method", lambda *_: None)
    assert "repelling" not in ts.systems
    with pytest.raises(ts.Error, match='unknown system "nobody"'):
        ts.Scenario({**TEXT, "system": {"type": "nobody"}})


@pytest.mark.parametrize(
    "parameters, text",
    [
        ({"q": 1}, r"potential: cannot be called as potential\(q, q=...\): multiple values for argument 'q'"),
        ({"k": 1, "m": 2}, r"potential: cannot be called as potential\(q, k=..., m=...\): got an unexpected keyword argument 'm'"),
        ({}, r"potential: cannot be called as potential\(q\): missing a required argument: 'k'"),
        ({"type": 1}, "parameters: 'type' is a key of every scenario"),
        ({"two words": 1}, "parameters: a name has letters, digits and _, and begins with no digit, not 'two words'"),
        ({"k": "x"}, "k: must be numbers"),
    ],
)
def test_functions_that_cannot_be_called_are_refused_at_once(parameters, text):
    with pytest.raises(ts.Error, match=text):
        ts.add_system("refused", potential, gradient, parameters=parameters)


def test_steps_that_cannot_be_called_are_refused_at_once():
    def step(system, t, h, q, omega, **parameters):
        return q, omega

    for parameters, text in (
        ({"h": 1}, r"step: cannot be called as step\(system, t, h, q, omega, h=...\)"),
        ({"step": 1}, "parameters: 'step' is a key of every scenario"),
    ):
        with pytest.raises(ts.Error, match=text):
            ts.add_integrator("refused", step, parameters=parameters)
    with pytest.raises(ts.Error, match="order: must be a whole number from 1 to 2147483647, not 2.5"):
        ts.add_integrator("refused", step, order=2.5)
    with pytest.raises(ts.Error, match="step: must be a function, not 3"):
        ts.add_integrator("refused", 3)
    with pytest.raises(ts.Error, match=r"force: cannot be called as force\(t, q, k=...\)"):
        ts.add_system("refused", potential, gradient, force=lambda q, k: q, parameters={"k": 1})
    with pytest.raises(ts.Error, match='unknown integrator "refused"'):
        ts.Scenario("three_body").changed(integrator="refused")


def rotate(q, omega, s):
    speed = np.linalg.norm(omega, axis=1, keepdims=True)
    safe = np.where(speed > 0, speed, 1)
    q = np.cos(s * speed) * q + np.where(speed > 0, np.sin(s * speed) / safe, s) * np.cross(omega, q)
    return q / np.linalg.norm(q, axis=1, keepdims=True)


def leapfrog(system, t, h, q, omega):
    """The built-in `rotation` for uncoupled bodies: half a kick, a rotation, half a kick."""
    m = np.diag(system.inertia(q))[:, None]
    omega = omega - h / 2 / m * np.cross(q, system.gradient(q))
    q = rotate(q, omega, h)
    omega = omega - h / 2 / m * np.cross(q, system.gradient(q))
    return q, omega - q * (q * omega).sum(axis=1, keepdims=True)


def test_an_integrator_in_python_takes_the_steps_of_the_built_in_one():
    ts.add_integrator("leapfrog", leapfrog, order=2, symplectic=True, keeps_sphere=True)
    run = ts.Simulation(ts.Scenario("three_body").changed(integrator=["leapfrog", "rotation"], duration=2))
    run.run()
    mine, built_in = run.lane("leapfrog"), run.lane("rotation")
    assert np.allclose(mine[0], built_in[0], atol=1e-10) and np.allclose(mine[1], built_in[1], atol=1e-9)


def test_an_order_study_measures_an_integrator_in_python():
    def midpoint(system, t, h, q, omega, part):
        a = system.acceleration(t, q, omega)
        q1, w1 = q + part * h * np.cross(omega, q), omega + part * h * a
        return q + h * np.cross(w1, q1), omega + h * system.acceleration(t + part * h, q1, w1)

    ts.add_integrator("midpoint", midpoint, order=2, parameters={"part": 0.5})
    study = ts.study(
        "double_spherical_pendulum",
        integrators=["midpoint", "rk2"],
        steps=[1 / 64, 1 / 128, 1 / 256],
        duration=0.5,
        threads=2,
    )
    assert study.order.sel(name="midpoint") == pytest.approx(2, abs=0.1)
    mine, built_in = (study.error[study.integrator == key].values for key in ("midpoint", "rk2"))
    assert np.allclose(mine, built_in, rtol=1e-2)


def test_a_step_must_stay_on_the_sphere_where_it_says_so_and_be_finite():
    ts.add_integrator("drifting", lambda system, t, h, q, omega: (1.001 * q, omega), keeps_sphere=True)
    run = ts.Simulation(ts.Scenario("three_body").changed(integrator="drifting"))
    q = run.q
    with pytest.raises(ts.Error, match="drifting: a step left the sphere by 0.001 at body 0"):
        run.step()
    assert np.array_equal(run.q, q)
    for out, text in (((np.nan,), "must return"), (lambda q: (q * np.nan, q), "step")):
        ts.add_integrator("bad", lambda s, t, h, q, w: out(q) if callable(out) else out)
        with pytest.raises(ts.Error, match=text):
            ts.Simulation(ts.Scenario("three_body").changed(integrator="bad")).step()


def test_a_system_is_lent_for_the_step_only():
    kept = []

    def step(system, t, h, q, omega):
        kept.append(system)
        return q, omega

    ts.add_integrator("keeping", step)
    ts.Simulation(ts.Scenario("three_body").changed(integrator="keeping")).step()
    with pytest.raises(ts.Error, match="was lent to a step"):
        kept[0].gradient(np.eye(3))


def test_a_new_definition_replaces_the_former_for_new_runs():
    for factor in (1.0, 3.0):
        ts.add_system(
            "again", lambda q, f=factor: f * q[0, 2], lambda q, f=factor: [[0, 0, f]], inertia=1.0
        )
        run = ts.Simulation(
            {
                "twosphere": 1,
                "system": {"type": "again"},
                "initial": {"q": [[0, 0, 1]], "omega": [[0, 0, 0]]},
                "integrator": {"type": "rk4", "step": 0.01},
                "duration": 1,
            }
        )
        assert run.energy == factor
