# SPDX-License-Identifier: GPL-3.0-or-later
import json
import sys

import numpy as np
import pytest

import twosphere as ts


def same_table(program, folder, records, *words):
    """Whether the program, called with these words, writes these records, and their description."""
    done = program("run", *words, "--csv", "program.csv", "--quiet", folder=folder)
    assert done.returncode == 0, done.err
    records.to_csv(folder / "module.csv")
    assert (folder / "module.csv").read_bytes() == (folder / "program.csv").read_bytes()
    mine, other = (json.loads((folder / f"{name}.csv.json").read_text()) for name in ("module", "program"))
    mine.pop("revision", None), other.pop("revision", None)
    assert mine == other


@pytest.mark.parametrize("preset", ["double_spherical_pendulum", "three_body", "lennard_jones", "custom/double_pendulum"])
def test_the_same_bytes_as_the_program(program, tmp_path, preset):
    same_table(program, tmp_path, ts.run(preset, steps=300), "--preset", preset, "--steps", 300)


def test_the_same_bytes_with_options(program, tmp_path):
    records = ts.run(
        "chain_pendulum",
        {"system.gravity": 1.62},
        integrator=["variational", "rk45"],
        step=0.005,
        duration=2,
        every=7,
    )
    words = "--preset chain_pendulum --integrator variational --integrator rk45 --step 0.005 --duration 2 --every 7"
    same_table(program, tmp_path, records, *words.split(), "--set", "system.gravity=1.62")


def test_the_same_bytes_with_exponents(program, tmp_path):
    records = ts.run("double_spherical_pendulum", steps=500, exponents=3)
    same_table(program, tmp_path, records, *"--preset double_spherical_pendulum --steps 500 --exponents 3".split())


def test_the_same_bytes_of_a_whole_run(program, tmp_path):
    same_table(program, tmp_path, ts.run("double_spherical_pendulum"), "--preset", "double_spherical_pendulum")


def test_a_state_of_the_program_goes_on_with_the_same_bytes(program, tmp_path):
    words = "--preset double_spherical_pendulum --steps 100 --save-state state.json --quiet"
    assert program("run", *words.split(), folder=tmp_path).returncode == 0
    state = tmp_path / "state.json"
    run = ts.Simulation("double_spherical_pendulum")
    run.step(100)
    assert ts.Simulation.load(state).sample() == run.sample()
    same_table(program, tmp_path, ts.run(state, steps=200), "state.json", "--steps", 200)
    changed = ts.run(state, {"system.gravity": 1.62}, step=0.005, duration=2)
    words = "state.json --step 0.005 --duration 2 --set system.gravity=1.62"
    same_table(program, tmp_path, changed, *words.split())
    ts.Simulation(state).save(tmp_path / "again.json")
    assert ts.Scenario.load(tmp_path / "again.json") == ts.Scenario.load(state)


def test_columns_are_views_of_one_array():
    records = ts.run("double_spherical_pendulum", steps=50)
    array = records.array
    assert len(records) == len(array) == 51
    assert array.dtype.names == tuple(records.columns)
    for name in records.columns:
        assert np.array_equal(array[name], records[name])
        assert np.shares_memory(array[name], records[name])
    assert records.units["energy_error"] == "J" and records.units["time"] == "s"
    with pytest.raises(ValueError):
        array["time"][0] = 1
    with pytest.raises(ts.Error, match="energy_eror: there is no such column; known: time, kinetic_energy"):
        records["energy_eror"]
    del records
    assert array["time"][-1] == 0.5


def test_states_of_rows():
    records = ts.run("double_spherical_pendulum", integrator=["variational", "rk4"], steps=40, every=10, states=True)
    assert records.q.shape == records.omega.shape == (5, 2, 3)
    run = ts.Simulation(ts.Scenario("double_spherical_pendulum").changed(integrator=["variational", "rk4"]))
    run.step(30)
    for lane in ("variational", 1):
        for rows, now in zip(records.states(lane), run.lane(lane)):
            assert np.array_equal(rows[3], now)
    with pytest.raises(ts.Error, match="states=True"):
        ts.run("double_spherical_pendulum", steps=2).q
    with pytest.raises(ts.Error, match="lane: must be one of variational, rk4"):
        records.states("rk5")


def test_pandas_and_xarray():
    records = ts.run("double_spherical_pendulum", steps=40, states=True)
    frame = records.to_pandas()
    assert frame.index.name == "time" and frame.attrs["units"]["energy_error"] == "J"
    assert np.array_equal(frame["total_energy"], records["total_energy"])
    dataset = records.to_xarray()
    assert dataset.total_energy.attrs == {"units": "J", "long_name": "total energy"}
    assert dataset.q.dims == ("time", "body", "axis") and np.array_equal(dataset.q, records.q)
    assert dataset.time.attrs["units"] == "s"


def test_plots_of_a_custom_system_are_columns():
    plain, more = ts.run("custom/double_pendulum", steps=5), ts.run("custom/double_pendulum", steps=5, plots=True)
    added = [name for name in more.columns if name not in plain.columns]
    assert added and all(name.startswith("plots.") for name in added)


def test_a_plot(monkeypatch):
    import matplotlib

    matplotlib.use("agg")
    records = ts.run("double_spherical_pendulum", steps=200)
    figure = records.plot()
    energies, error = figure.axes
    assert [line.get_label() for line in energies.lines] == ["kinetic_energy", "potential_energy", "total_energy"]
    assert error.get_yscale() == "log" and np.nanmin(error.lines[0].get_ydata()) > 0
    assert len(records.plot("angular_momentum_z").axes) == 1
    with pytest.raises(ts.Error, match="no such column"):
        records.plot("angular")
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ts.Error, match=r"plot\(\): needs matplotlib, which is not installed; on Debian: apt install python3-mat"):
        records.plot()


def test_a_run_that_ends_where_it_is_has_one_row():
    records = ts.Simulation("double_spherical_pendulum").run(steps=0)
    assert len(records) == 1 and records["time"].tolist() == [0]


def test_a_meaningless_result_is_a_warning():
    scenario = ts.Scenario("three_body").changed({"duration": 14})
    with pytest.warns(ts.RunWarning):
        ts.run(scenario)
