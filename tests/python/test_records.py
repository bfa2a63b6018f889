# SPDX-License-Identifier: GPL-3.0-or-later
import base64
import html
import json
import multiprocessing
import os
import pickle
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


def test_pair_distribution_is_that_of_the_program(program, tmp_path):
    records = ts.run("lennard_jones", steps=6, every=2, states=True)
    found = records.pair_distribution(bins=40)
    done = program(
        "run", "--preset", "lennard_jones", "--steps", 6, "--every", 2, "--pair-distribution", "g.csv", "--pair-bins", 40, "--quiet",
        folder=tmp_path,
    )
    assert done.returncode == 0, done.err
    table = np.loadtxt(tmp_path / "g.csv", delimiter=",", skiprows=1)
    for column, name in enumerate(("angle", "pair_distribution", "pairs")):
        assert (found[name] == table[:, column]).all()
    assert found["pairs"].sum() == 4 * 642 * 641 / 2
    with pytest.raises(ts.Error, match="bins"):
        records.pair_distribution(bins=0)


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


@pytest.mark.parametrize("preset", ["double_spherical_pendulum", "lennard_jones", "custom/double_pendulum"])
def test_the_same_bytes_with_plots(program, tmp_path, preset):
    records = ts.run(preset, steps=3, every=1, plots=True)
    assert pickle.loads(pickle.dumps(records)).csv() == records.csv()
    same_table(program, tmp_path, records, *f"--preset {preset} --steps 3 --every 1 --plots".split())


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
    for lane in (0, 1):
        for rows, now in zip(records.states(lane), run.lane(lane)):
            assert np.array_equal(rows[3], now)
    with pytest.raises(ts.Error, match="states=True"):
        ts.run("double_spherical_pendulum", steps=2).q
    with pytest.raises(ts.Error, match="lane: must be one of variational, rk4"):
        records.states("rk5")


def test_the_base_that_flies_in_rows():
    thrown = ts.Scenario("drone_with_load").changed(
        {"initial.base": {"position": [1, 2, 3]}}, integrator=["variational", "rk2"]
    )
    run = ts.Simulation(thrown)
    records = run.run(steps=20, states=True)
    for lane in (0, 1):
        position, velocity = records.base_of(lane)
        assert position.shape == velocity.shape == (len(records), 3)
        assert np.allclose(position[0], [1, 2, 3], atol=1e-15)
        for rows, now in zip((position, velocity), run.base_of(lane)):
            assert np.array_equal(rows[-1], now)
        with pytest.raises(ValueError):
            position[0] = 0
    assert np.array_equal(records.base[0], records.base_of("variational")[0])
    again = pickle.loads(pickle.dumps(records))
    for rows, same in zip(records.base_of(1), again.base_of(1)):
        assert np.array_equal(rows, same)
    with pytest.raises(ts.Error, match="states=True"):
        ts.run(thrown, steps=2).base
    assert ts.run("double_spherical_pendulum", steps=2, states=True).base is None
    pytest.importorskip("xarray")
    dataset = records.to_xarray()
    assert dataset.base_position.dims == dataset.base_velocity.dims == ("lane", "time", "axis")
    assert dataset.base_position.units == "m" and dataset.base_velocity.units == "m/s"
    assert np.array_equal(dataset.base_velocity.sel(lane="rk2"), records.base_of("rk2")[1])


def test_pandas_and_xarray():
    records = ts.run("double_spherical_pendulum", steps=40, states=True)
    frame = records.to_pandas()
    assert frame.index.name == "time" and frame.attrs["units"]["energy_error"] == "J"
    assert np.array_equal(frame["total_energy"], records["total_energy"])
    dataset = records.to_xarray()
    assert dataset.total_energy.attrs == {"units": "J", "long_name": "total energy"}
    assert dataset.q.dims == ("time", "body", "axis") and np.array_equal(dataset.q, records.q)
    assert dataset.time.attrs["units"] == "s"


def test_lanes_are_a_dimension_and_every_dataset_can_be_a_netcdf_file(tmp_path):
    xarray, _ = pytest.importorskip("xarray"), pytest.importorskip("netCDF4")
    lanes = ["variational", "variational4"]
    several = ts.run("double_spherical_pendulum", integrator=lanes, steps=20, states=True, exponents=2)
    dataset = several.to_xarray()
    assert dataset.lane.values.tolist() == lanes
    assert dataset.energy_error.dims == ("lane", "time") and dataset.q.dims == ("lane", "time", "body", "axis")
    for lane in lanes:
        for name in ("energy_error", "lyapunov[1]", "megno"):
            assert np.array_equal(dataset[name].sel(lane=lane), several[f"{lane}/{name}"], equal_nan=True), (lane, name)
        assert np.array_equal(dataset.q.sel(lane=lane), several.states(lane)[0])
    assert {f"{lane}/{name}" for lane in lanes for name in dataset.data_vars} - set(several.columns) == {
        f"{lane}/{name}" for lane in lanes for name in ("q", "omega")
    }
    assert dataset.total_energy.attrs == {"units": "J", "long_name": "total energy"}
    one = ts.run("custom/double_pendulum", steps=5, plots=True, states=True).to_xarray()
    for k, made in enumerate((dataset, one)):
        made.to_netcdf(tmp_path / f"{k}.nc")
        with xarray.open_dataset(tmp_path / f"{k}.nc", decode_times=False) as read:
            assert read.equals(made)


def test_records_are_pickled():
    records = ts.run("double_spherical_pendulum", integrator=["variational", "rk4"], steps=40, states=True)
    again = pickle.loads(pickle.dumps(records))
    assert again.csv() == records.csv() and again.units == records.units
    assert again.to_xarray().identical(records.to_xarray())
    plain = pickle.loads(pickle.dumps(ts.run("custom/double_pendulum", steps=5, plots=True, exponents=2)))
    assert plain.csv() == ts.run("custom/double_pendulum", steps=5, plots=True, exponents=2).csv()
    with pytest.raises(ts.Error, match="states=True"):
        plain.q
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        parts = [pool.apply_async(ts.run, ("double_spherical_pendulum",), {"steps": n}) for n in (10, 20)]
        assert [len(part.get(120)) for part in parts] == [11, 21]


def block(page, name):
    begin = page.index(f' id="{name}">\n') + len(f' id="{name}">\n')
    return page[begin : page.index("\n</script>", begin)]


def test_a_page_plays_the_run_as_that_of_the_program(program, tmp_path):
    words = "--preset double_spherical_pendulum --integrator variational,rk4 --duration 3 --html page.html --quiet"
    assert program("run", *words.split(), folder=tmp_path).returncode == 0
    records = ts.run("double_spherical_pendulum", integrator=["variational", "rk4"], duration=3)
    page = records.html()
    assert page.startswith("<!DOCTYPE html>")
    theirs = (tmp_path / "page.html").read_text()
    assert json.loads(block(page, "data"))["points"] == json.loads(block(theirs, "data"))["points"]
    assert json.loads(block(page, "data"))["curves"] == json.loads(block(theirs, "data"))["curves"]
    scenario = base64.b64decode(block(page, "scenario"))
    (tmp_path / "again.json").write_bytes(scenario)
    assert ts.run(tmp_path / "again.json").csv() == records.csv()
    assert pickle.loads(pickle.dumps(records)).html() == page
    records.to_html(tmp_path / "mine.html", "A </title>", "No text & more", trail=0, light=True)
    mine = (tmp_path / "mine.html").read_text()
    assert "<h1>A &lt;/title&gt;</h1>" in mine and "<p>No text &amp; more</p>" in mine
    assert '<html lang="en" class="light">' in mine and json.loads(block(mine, "data"))["trail"] == 0
    with pytest.raises(ts.Error, match="trail: must be 0 s or more"):
        records.html(trail=-1)
    with pytest.raises(ts.Error, match="frames: must be"):
        records.html(frames=1)


def test_a_page_turns_with_the_view(program, tmp_path):
    words = "run --preset relative_orbit --duration 1 --html page.html --quiet"
    assert program(*words.split(), folder=tmp_path).returncode == 0
    theirs = json.loads(block((tmp_path / "page.html").read_text(), "data"))["frame"]
    records = ts.run("relative_orbit", duration=1)
    assert json.loads(block(records.html(), "data"))["frame"] == theirs
    assert json.loads(block(pickle.loads(pickle.dumps(records)).html(), "data"))["frame"] == theirs
    assert "view" not in json.loads(records._recording.companion())["scenario"], "a table has none"


def test_a_page_has_the_rows_of_the_records():
    run = ts.Simulation("double_spherical_pendulum")
    run.run(1.0)
    later = run.run(0.5)
    times = json.loads(block(later.html(), "data"))["curves"]["times"]
    assert times[0][1] == pytest.approx(1.0) and sum(count for count, _, _ in times) == len(later)


def test_the_rows_of_a_run_are_one_object():
    run = ts.Simulation("double_spherical_pendulum")
    first = run.run(0.1)
    assert run.records is first and run.records is first
    assert run.run(0.1) is not first


def test_a_notebook_shows_the_page_or_its_picture(monkeypatch):
    records = ts.run("double_spherical_pendulum", duration=1)
    shown = records._repr_html_()
    assert shown.startswith('<iframe sandbox="allow-scripts allow-downloads" width="720" height="440"')
    source = html.unescape(shown[shown.index('srcdoc="') + 8 : shown.rindex('"></iframe>')])
    assert source == records.html(text="")
    page, made = ts._core.page, []
    monkeypatch.setattr(ts._core, "page", lambda *given: made.append(given) or page(*given))
    assert records._repr_html_() is shown and not made, "the run is not repeated"
    monkeypatch.setattr(ts._records, "_largest_shown", 1000)
    large = pickle.loads(pickle.dumps(records))._repr_html_()
    assert len(made) == 1
    assert "<iframe" not in large and "too much for a notebook" in large


def test_files_are_written_completely_or_not_at_all(tmp_path):
    records = ts.run("double_spherical_pendulum", steps=3)
    image = ts.Image(np.zeros((2, 3, 4), np.uint8))
    with pytest.raises(ts.Error, match="pixels: must be an array of"):
        ts.Image(np.zeros((2, 3, 3), np.uint8)).png()
    for write in (records.to_csv, image.save):
        with pytest.raises(ts.Error) as caught:
            write(tmp_path / "none" / "file")
        assert caught.value.kind == "input_output" and str(tmp_path / "none/file") in str(caught.value)
        with pytest.raises(ts.Error, match="path: must be the path of a file, not 3"):
            write(3)
        # Names that are the same file remain so: it is replaced as a whole.
        kept, linked = tmp_path / "kept", tmp_path / "linked"
        kept.write_bytes(b"former")
        os.link(kept, linked)
        write(kept)
        assert linked.read_bytes() == b"former" and kept.read_bytes() != b"former"
        linked.unlink()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kept", "kept.json"]
    records.to_csv(os.fsencode(tmp_path / "bytes.csv"))
    assert (tmp_path / "bytes.csv").read_bytes() == records.csv()


def test_a_plot_of_a_program_is_shown_where_there_are_windows(monkeypatch):
    import matplotlib
    from matplotlib import pyplot

    matplotlib.use("agg")
    shown = []
    monkeypatch.setattr(pyplot, "show", lambda: shown.append(1))
    monkeypatch.delattr(sys, "ps1", raising=False)
    records = ts.run("double_spherical_pendulum", steps=5)
    records.plot()
    assert not shown, "without windows"
    records.plot(show=True)
    assert shown == [1]
    canvas = type(pyplot.figure().canvas)
    monkeypatch.setattr(canvas, "required_interactive_framework", "any", raising=False)
    records.plot()
    assert shown == [1, 1]
    _, axes = pyplot.subplots(2)
    records.plot(axes=axes)
    records.plot(show=False)
    monkeypatch.setattr(sys, "ps1", ">>> ", raising=False)
    records.plot()
    assert shown == [1, 1], "left to whoever made the axes, said so, or has a prompt"
    pyplot.close("all")


def test_plots_of_a_custom_system_are_columns():
    plain, more = ts.run("custom/double_pendulum", steps=5), ts.run("custom/double_pendulum", steps=5, plots=True)
    added = [name for name in more.columns if name not in plain.columns]
    assert added[0].startswith("inertia_determinant") and added[1].startswith("inertia_condition")
    assert added[2:] and all(name.startswith("plots.") for name in added[2:])


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
