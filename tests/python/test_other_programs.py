# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/other-programs.md: its very lines run, and each program reads the numbers that the files have.

Those that take long to install and to start run only in the long test.
"""

import csv
import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile
from xml.etree import ElementTree

import pytest

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/other-programs.md"
SECTIONS = {
    part.partition("\n")[0]: re.findall(r"^```(\w+)\n(.*?)^```$", part, flags=re.M | re.S)
    for part in re.split(r"^## ", PAGE.read_text(encoding="utf-8"), flags=re.M)[1:]
}
LONG = bool(os.environ.get("TWOSPHERE_LONG"))


def code(section, language):
    """The blocks of a section, which must be in one language."""
    assert [kind for kind, _ in SECTIONS[section]] == [language] * len(SECTIONS[section])
    return "".join(text for _, text in SECTIONS[section])


def run(command, folder, text=None):
    environment = {**os.environ, "MPLBACKEND": "Agg", "HOME": str(folder), "PYTHONPATH": ""}
    done = subprocess.run(command, input=text, cwd=folder, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def numbers(text):
    return [float(word) for word in text.split()]


def needs_module(*names):
    for name in names:
        if importlib.util.find_spec(name) is None:
            pytest.skip(f"the Python module {name} is not installed")


def needs_program(name):
    if not LONG:
        pytest.skip(f"{name} runs in the long test only: TWOSPHERE_LONG is not set")
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed")


@pytest.fixture(scope="module")
def files(program, tmp_path_factory):
    """The folder with the files of the page."""
    folder = tmp_path_factory.mktemp("files")
    path = f"{pathlib.Path(program.path).resolve().parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["sh", "-eu"], input=code("The files", "sh"), cwd=folder, env={**os.environ, "PATH": path}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    done = program("sweep", "collect", "sweep", "sweep.csv", folder=folder)
    assert done.returncode == 0, done.err
    return folder


def table(path):
    """The columns of a CSV file."""
    with open(path, newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    return {name: [row[i] for row in rows] for i, name in enumerate(header)}


@pytest.fixture(scope="module")
def rows(files):
    """The columns of run.csv as numbers."""
    return {name: [float(x) for x in column] for name, column in table(files / "run.csv").items()}


@pytest.fixture(scope="module")
def frames(files):
    """(time, lines of words) of every frame of way.xyz."""
    lines = (files / "way.xyz").read_text().splitlines()
    count = int(lines[0])
    return [
        (float(lines[i + 1].rpartition("Time=")[2]), [line.split() for line in lines[i + 2 : i + 2 + count]])
        for i in range(0, len(lines), count + 2)
    ]


def worst(rows):
    return max(abs(x) for x in rows["energy_error [J]"])


def test_every_section_is_run():
    tested = {name for name in SECTIONS if "test_" + name.lower().replace(" ", "_") in globals()}
    assert {name for name, blocks in SECTIONS.items() if blocks} == tested | {"The files"}


def test_pandas(files, rows):
    needs_module("pandas", "matplotlib")
    text = code("pandas", "python") + (
        'print(len(run), repr(float(run["energy_error [J]"].abs().max())), repr(float(run.index[-1])))\n'
        'assert description["scenario"]["system"]["type"] == "chain_pendulum" and len(run.columns) > 5\n'
    )
    assert numbers(run([sys.executable, "-"], files, text)) == [len(rows["time [s]"]), worst(rows), rows["time [s]"][-1]]


def test_xarray(files):
    needs_module("xarray", "netCDF4", "matplotlib", "zarr")
    text = code("xarray", "python") + (
        'print(*map.megno.dims)\nprint(*map.megno.values.ravel())\n'
        'import numpy, json\n'
        'assert numpy.array_equal(map.megno, same.megno)\nassert (map.system_gravity.units, same.system_gravity.units) == ("m/s²", "m/s2")\n'
        'assert json.loads(scenario)["system"]["type"] == "chain_pendulum"\n'
    )
    dimensions, values = run([sys.executable, "-"], files, text).splitlines()
    assert dimensions.split() == ["system_gravity", "initial_omega_1_1"]
    assert numbers(values) == [float(x) for x in table(files / "sweep.csv")["megno [1]"]]


def test_r(files, rows):
    needs_program("Rscript")
    have = run(["Rscript", "-e", 'cat(all(c("ncdf4", "jsonlite") %in% rownames(installed.packages())))'], files)
    if have != "TRUE":
        pytest.skip("the R packages ncdf4 and jsonlite are not installed")
    (files / "read.r").write_text(
        code("R", "r") + 'cat(sprintf("%.17g", c(nrow(run), max(abs(run[["energy_error [J]"]])), megno)))\n'
        'stopifnot(description$scenario$system$type == "chain_pendulum")\n'
    )
    count, error, *megno = numbers(run(["Rscript", "read.r"], files))
    assert (count, error) == (len(rows["time [s]"]), pytest.approx(worst(rows), rel=1e-14))
    assert megno == [float(x) for x in table(files / "sweep.csv")["megno [1]"]]


def test_gnuplot(files, rows):
    needs_program("gnuplot")
    text = (
        'set terminal svg\nset output "figure.svg"\n' + code("gnuplot", "gnuplot") + 'unset output\nset print "-"\n'
        'stats "run.csv" using (abs(column("energy_error [J]"))) name "error" nooutput\n'
        'print sprintf("%d %.17g", error_records, error_max)\n'
    )
    count, error = numbers(run(["gnuplot", "-"], files, text))
    assert (count, error) == (len(rows["time [s]"]), pytest.approx(worst(rows), rel=1e-14))
    assert (files / "figure.svg").read_text().count("<path") > 2


def test_libreoffice(files, rows):
    needs_program("soffice")
    run(["sh", "-eu"], files, code("LibreOffice", "sh"))
    with zipfile.ZipFile(files / "run.ods") as file:
        content = ElementTree.fromstring(file.read("content.xml"))
    space = {name: f"urn:oasis:names:tc:opendocument:xmlns:{name}:1.0" for name in ("office", "table")}
    cells = [row.findall("table:table-cell", space) for row in content.iterfind(".//table:table-row", space)]
    read = [[cell.get(f"{{{space['office']}}}value") for cell in row] for row in cells[1 : len(rows["time [s]"]) + 1]]
    # Equal cells beside one another are written once.
    repeated = f"{{{space['table']}}}number-columns-repeated"
    wide = [
        [value for value, cell in zip(line, row) for _ in range(int(cell.get(repeated, 1)))]
        for line, row in zip(read, cells[1:])
    ]
    for i, name in enumerate(rows):
        assert [float(line[i]) for line in wide] == pytest.approx(rows[name], rel=1e-14, abs=1e-300), name


def test_paraview(files, frames):
    needs_program("pvpython")
    (files / "read.py").write_text(
        code("ParaView", "python")
        + "print(len(way.TimestepValues), way.TimestepValues[-1])\n"
        + "data = servermanager.Fetch(bodies)\n"
        + "print(*(x for i in range(data.GetNumberOfPoints()) for x in data.GetPoint(i)))\n"
        + 'values = data.GetPointData().GetArray("omega")\n'
        + "print(*(x for i in range(data.GetNumberOfPoints()) for x in values.GetTuple(i)))\n"
        + "assert servermanager.Fetch(balls).GetNumberOfPoints() > 20\n"
    )
    times, positions, omega = run(["pvpython", "read.py"], files).splitlines()[-3:]
    last, lines = frames[-1]
    assert numbers(times) == [len(frames), last]
    assert numbers(positions) == pytest.approx([float(x) for line in lines for x in line[1:4]], rel=1e-6)  # 32 bits
    assert numbers(omega) == [float(x) for line in lines for x in line[10:13]]


def check_xyz(output, frames):
    time, omega = map(numbers, output.splitlines())
    assert time == [len(frames), frames[-1][0]]
    assert omega == [float(x) for line in frames[-1][1] for x in line[10:13]]


def test_ovito(files, frames):
    needs_module("ovito")
    text = code("OVITO", "python") + 'print(way.source.num_frames, frame.attributes["Time"])\nprint(*omega[...].ravel())\nassert position.count == 2\n'
    check_xyz(run([sys.executable, "-"], files, text), frames)


def test_ase(files, frames):
    needs_module("ase")
    text = code("ASE", "python") + "print(len(time), time[-1])\nprint(*omega[-1].ravel())\nassert way[0].positions.shape == (2, 3)\n"
    check_xyz(run([sys.executable, "-"], files, text), frames)


def test_the_description_repeats_the_run(files, program):
    """As the page says."""
    done = program("run", "run.csv.json", "--csv", "again.csv", folder=files)
    assert done.returncode == 0, done.err
    assert (files / "again.csv").read_bytes() == (files / "run.csv").read_bytes()
    assert json.loads((files / "run.csv.json").read_text())["scenario"]
