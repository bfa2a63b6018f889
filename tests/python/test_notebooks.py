# SPDX-License-Identifier: GPL-3.0-or-later
"""The notebooks are executed, and say what the program says."""

import json

import pytest

nbformat = pytest.importorskip("nbformat")
preprocessors = pytest.importorskip("nbconvert.preprocessors")


@pytest.fixture(scope="module")
def executed(root):
    made = {}
    for path in sorted((root / "python/notebooks").glob("*.ipynb")):
        book = nbformat.read(path, as_version=4)
        preprocessors.ExecutePreprocessor(timeout=300, kernel_name="python3").preprocess(book)
        made[path.stem] = [output for cell in book.cells if cell.cell_type == "code" for output in cell.outputs]
    return made


def printed(outputs):
    return "".join(output.text for output in outputs if output.output_type == "stream" and output.name == "stdout")


def results(outputs, kind):
    return [output.data[kind] for output in outputs if "data" in output and kind in output.data]


def test_there_are_three_without_outputs(root):
    paths = list((root / "python/notebooks").glob("*.ipynb"))
    assert sorted(path.stem for path in paths) == ["chaos", "first_run", "order_study"]
    for path in paths:
        cells = json.loads(path.read_text())["cells"]
        assert not any(cell.get("outputs") or cell.get("execution_count") for cell in cells)


def test_the_first_run_is_that_of_the_program(executed, program, tmp_path):
    done = program("run", "--preset", "double_spherical_pendulum", "--json", folder=tmp_path)
    worst = json.loads(done.stdout)["worst energy error"]
    assert f"worst energy error: {worst!r} J" in printed(executed["first_run"])
    assert results(executed["first_run"], "text/plain")[-1] == "True"
    assert len(results(executed["first_run"], "image/png")) == 3


def test_the_order_study_finds_the_orders(executed):
    text = printed(executed["order_study"])
    assert "order 2.0" in text and "order 4.0" in text
    orders = results(executed["order_study"], "text/plain")[-1]
    mine = float(next(line for line in orders.splitlines() if line.startswith("kick_rotate")).split()[-1])
    assert mine == pytest.approx(1, abs=0.1)


def test_chaos_is_that_of_the_program(executed, program, tmp_path):
    words = "run --preset double_spherical_pendulum --duration 200 --exponents 2 --json"
    summary = json.loads(program(*words.split(), folder=tmp_path).stdout)
    assert f"lyapunov: {summary['lyapunov']!r} megno: {summary['megno']!r}" in printed(executed["chaos"])
    assert results(executed["chaos"], "text/plain")[-1] == "True"
