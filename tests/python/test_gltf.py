# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of `twosphere run --gltf`, read from their bytes by what the specification of glTF 2.0 says, against the trajectory."""

import json
import math
import struct

import pytest

KINDS = {5123: ("H", 2), 5126: ("f", 4)}
SIZES = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}


class Gltf:
    """The document, and the numbers of its accessors as lists of rows."""

    def __init__(self, data):
        magic, version, length = struct.unpack_from("<4sII", data)
        assert (magic, version, length) == (b"glTF", 2, len(data))
        chunks, at = [], 12
        while at < length:
            size, kind = struct.unpack_from("<I4s", data, at)
            assert size % 4 == 0
            chunks.append((kind, data[at + 8 : at + 8 + size]))
            at += 8 + size
        assert [kind for kind, _ in chunks] == [b"JSON", b"BIN\0"]
        self.document = json.loads(chunks[0][1])
        assert self.document["asset"]["version"] == "2.0"
        assert not {"extensionsUsed", "extensionsRequired", "skins"} & set(self.document)
        (buffer,) = self.document["buffers"]
        assert len(chunks[1][1]) - 3 <= buffer["byteLength"] <= len(chunks[1][1])
        self.values = [self.rows(accessor, chunks[1][1]) for accessor in self.document["accessors"]]

    def rows(self, accessor, binary):
        view = self.document["bufferViews"][accessor["bufferView"]]
        letter, size = KINDS[accessor["componentType"]]
        width = SIZES[accessor["type"]]
        count = accessor["count"] * width
        assert view["byteOffset"] % 4 == 0 and count * size == view["byteLength"]
        flat = struct.unpack_from(f"<{count}{letter}", binary, view["byteOffset"])
        rows = [flat[i : i + width] for i in range(0, count, width)]
        for bound, choose in (("min", min), ("max", max)):
            if bound in accessor:
                assert accessor[bound] == pytest.approx([choose(column) for column in zip(*rows)])
        assert all(math.isfinite(x) for x in flat)
        return rows

    def motion(self, node, path):
        """The values of a node at every frame."""
        found = [c for c in self.channels if c["target"] == {"node": node, "path": path}]
        if not found:
            default = {"translation": (0, 0, 0), "rotation": (0, 0, 0, 1), "scale": (1, 1, 1)}[path]
            return [self.document["nodes"][node].get(path, default)] * len(self.times)
        (channel,) = found
        sampler = self.animation["samplers"][channel["sampler"]]
        assert sampler["interpolation"] == "LINEAR" and self.values[sampler["input"]] == self.values[self.time_accessor]
        return self.values[sampler["output"]]

    @property
    def animation(self):
        (animation,) = self.document["animations"]
        return animation

    @property
    def channels(self):
        return self.animation["channels"]

    @property
    def time_accessor(self):
        return self.animation["samplers"][0]["input"]

    @property
    def times(self):
        return [row[0] for row in self.values[self.time_accessor]]

    def children(self, node):
        return {self.document["nodes"][i]["name"]: i for i in self.document["nodes"][node].get("children", [])}

    @property
    def groups(self):
        """The nodes below the root, by name."""
        (root,) = self.document["scenes"][0]["nodes"]
        return self.children(root)


def made(program, folder, *words):
    done = program("run", *words, "--gltf", "run.glb", "--trajectory", "run.xyz", "--quiet", folder=folder)
    assert done.returncode == 0, done.err
    return Gltf((folder / "run.glb").read_bytes())


def positions(path):
    """The time and the positions of the bodies at every row."""
    lines = path.read_text().splitlines()
    count = int(lines[0])
    return [
        (
            float(lines[at + 1].rpartition("Time=")[2]),
            [tuple(map(float, line.split()[1:4])) for line in lines[at + 2 : at + 2 + count]],
        )
        for at in range(0, len(lines), count + 2)
    ]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def turned(quaternion, vector):
    """A vector turned by x, y, z, w: v + 2 u × (u × v + w v)."""
    *u, w = quaternion
    inner = [x + w * y for x, y in zip(cross(u, vector), vector)]
    return tuple(x + 2 * y for x, y in zip(vector, cross(u, inner)))


def near(a, b, within):
    return math.dist(a, b) <= within


def check_surfaces(file):
    for mesh in file.document["meshes"]:
        for primitive in mesh["primitives"]:
            points = file.values[primitive["attributes"]["POSITION"]]
            if primitive.get("mode") == 3:
                continue
            normals = file.values[primitive["attributes"]["NORMAL"]]
            corners = [row[0] for row in file.values[primitive["indices"]]]
            assert max(corners) < len(points) == len(normals) and len(corners) % 3 == 0
            assert all(math.isclose(math.hypot(*n), 1, abs_tol=1e-5) for n in normals)
            volume = agree = 0
            for i in range(0, len(corners), 3):
                a, b, c = (points[k] for k in corners[i : i + 3])
                area = cross([q - p for p, q in zip(a, b)], [q - p for p, q in zip(a, c)])
                volume += dot(a, area)
                agree += dot(area, normals[corners[i]]) > 0
            assert volume > 0, "counterclockwise from outside"
            # A coil, whose node stretches it, is flat before: there some normals lean over.
            assert agree > 0.8 * len(corners) / 3


PRESETS = ["double_spherical_pendulum", "three_body", "pendulum_network", "lennard_jones", "conformal_pair", "custom/kepler"]


@pytest.mark.parametrize("preset", PRESETS)
def test_bodies_are_where_the_trajectory_has_them(program, tmp_path, preset):
    file = made(program, tmp_path, "--preset", preset, "--steps", "300")
    rows = dict(positions(tmp_path / "run.xyz"))
    assert 1 < len(file.times) <= len(rows) and len(file.document["nodes"]) <= 2000
    assert all(a < b for a, b in zip(file.times, file.times[1:]))
    (lane,) = [node for name, node in file.groups.items() if name != "mounts"]
    bodies = [node for name, node in file.children(lane).items() if name.startswith("body ")]
    size = max(math.hypot(*p) for _, row in positions(tmp_path / "run.xyz") for p in row)
    assert len(bodies) == len(next(iter(rows.values())))
    at_times = [rows[min(rows, key=lambda t, now=now: abs(t - now))] for now in file.times]
    for i, node in enumerate(bodies):
        for found, row in zip(file.motion(node, "translation"), at_times):
            assert near(found, row[i], 1e-6 * size)
    check_surfaces(file)


def test_rods_reach_from_body_to_body(program, tmp_path):
    file = made(program, tmp_path, "--preset", "double_spherical_pendulum", "--duration", "5")
    (lane,) = [node for name, node in file.groups.items() if name != "mounts"]
    parts = file.children(lane)
    body = {i: file.motion(parts[f"body {i}"], "translation") for i in (1, 2)}
    begin = file.motion(parts["rod 2"], "translation")
    turn = file.motion(parts["rod 2"], "rotation")
    scale = file.motion(parts["rod 2"], "scale")
    assert all(math.isclose(math.hypot(*q), 1, abs_tol=1e-6) for q in turn)
    assert all(dot(p, q) > 0 for p, q in zip(turn, turn[1:])), "turns are the shorter ones"
    for k in range(len(file.times)):
        end = turned(turn[k], (0, scale[k][1], 0))
        assert near(begin[k], body[1][k], 1e-5)
        assert near([a + b for a, b in zip(begin[k], end)], body[2][k], 1e-5)
    assert not [c for c in file.channels if c["target"] == {"node": parts["rod 2"], "path": "scale"}], "its length is constant"


def in_frame(root, folder, frame, events=()):
    """The file of a pendulum that is seen in a frame."""
    scenario = json.loads((root / "resources/presets/double_spherical_pendulum.json").read_text())
    scenario |= {"view": {"frame": frame}, "events": list(events)}
    (folder / "seen.json").write_text(json.dumps(scenario))
    return "seen.json"


def test_a_view_that_turns_turns_the_root(program, root, tmp_path):
    rate = 7.0
    name = in_frame(root, tmp_path, {"axis": [0, 0, 1], "rate": rate})
    turned_file = made(program, tmp_path, name, "--duration", "4")
    resting = made(program, tmp_path, "--preset", "double_spherical_pendulum", "--duration", "4")
    (top,) = turned_file.document["scenes"][0]["nodes"]
    (channel,) = [c for c in turned_file.channels if c["target"]["node"] == top]
    assert channel["target"]["path"] == "rotation"
    sampler = turned_file.animation["samplers"][channel["sampler"]]
    times = [row[0] for row in turned_file.values[sampler["input"]]]
    rotations = turned_file.values[sampler["output"]]
    assert times[0] == 0 and times[-1] == turned_file.times[-1] and all(a < b for a, b in zip(times, times[1:]))
    assert all(dot(p, q) > 0.7 for p, q in zip(rotations, rotations[1:])), "by at most a quarter turn"
    for now, rotation in zip(times, rotations):
        assert math.isclose(math.hypot(*rotation), 1, abs_tol=1e-6)
        # e1 of the equations, seen in the frame, and e3 down.
        assert near(turned(rotation, (1, 0, 0)), (math.cos(rate * now), 0, -math.sin(rate * now)), 1e-5)
        assert near(turned(rotation, (0, 0, 1)), (0, -1, 0), 1e-6)
    # What moves in the root is as before.
    assert turned_file.groups.keys() == resting.groups.keys()
    assert len(turned_file.channels) == len(resting.channels) + 1


def test_a_view_turns_back_where_the_run_is_reversed(program, root, tmp_path):
    name = in_frame(root, tmp_path, {"axis": [0, 0, 1], "rate": 7}, [{"step": 100, "reverse": True}])
    file = made(program, tmp_path, name, "--steps", "200", "--every", "20")
    (top,) = file.document["scenes"][0]["nodes"]
    (channel,) = [c for c in file.channels if c["target"]["node"] == top]
    sampler = file.animation["samplers"][channel["sampler"]]
    times, rotations = ([*file.values[sampler[key]]] for key in ("input", "output"))
    end = times[-1][0]
    for (now,), rotation in zip(times, rotations):
        angle = 7 * min(now, end - now)
        assert near(turned(rotation, (1, 0, 0)), (math.cos(angle), 0, -math.sin(angle)), 1e-5)
    assert len(times) > 2 and near(rotations[0], rotations[-1], 1e-5)


def test_a_view_that_cannot_turn_does_not(program, root, tmp_path):
    for frame, note in (
        ({"rate": "orbit"}, "view.frame: has the rate of an orbit"),
        ({"axis": [1, 0, 0], "rate": 1e9}, "view.frame: turns too often for a file"),
    ):
        name = in_frame(root, tmp_path, frame)
        done = program("run", name, "--steps", "20", "--gltf", "run.glb", folder=tmp_path)
        assert done.returncode == 0 and note in done.err, done.err
        file = Gltf((tmp_path / "run.glb").read_bytes())
        (top,) = file.document["scenes"][0]["nodes"]
        assert not [c for c in file.channels if c["target"]["node"] == top]


def test_down_is_minus_y_and_lanes_are_groups(program, tmp_path):
    done = program(
        "run", "--preset", "double_spherical_pendulum", "--integrator", "variational,rk4", "--steps", "20",
        "--gltf", "two.glb", "--quiet", folder=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.err
    file = Gltf((tmp_path / "two.glb").read_bytes())
    (root,) = file.document["scenes"][0]["nodes"]
    down = turned(file.document["nodes"][root]["rotation"], (0, 0, 1))
    assert near(down, (0, -1, 0), 1e-6)
    assert len(file.groups) == 3
    colors = [
        file.document["meshes"][file.document["nodes"][file.children(node)["body 2"]]["mesh"]]["primitives"][0]["material"]
        for name, node in file.groups.items()
        if name != "mounts"
    ]
    assert colors[0] != colors[1], "in the colours of the lanes"


@pytest.mark.parametrize("preset", ["elastic_rod", "dipole_array", "custom/magnetic_pendulum"])
def test_other_shapes_are_sound(program, tmp_path, preset):
    done = program("run", "--preset", preset, "--steps", "200", "--gltf", "run.glb", "--quiet", folder=tmp_path)
    assert done.returncode == 0, done.err
    file = Gltf((tmp_path / "run.glb").read_bytes())
    check_surfaces(file)
    assert file.channels and len(file.document["nodes"]) > 3


def test_is_the_same_twice(program, tmp_path):
    for name in ("a.glb", "b.glb"):
        done = program("run", "--preset", "three_body", "--steps", "50", "--gltf", name, "--quiet", folder=tmp_path)
        assert done.returncode == 0, done.err
    assert (tmp_path / "a.glb").read_bytes() == (tmp_path / "b.glb").read_bytes()
