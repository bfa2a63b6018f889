# SPDX-License-Identifier: GPL-3.0-or-later
"""The program whose bytes the module has to give: TWOSPHERE_PROGRAM, or that of the release build."""

import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Program:
    def __init__(self, path):
        self.path = path

    def __call__(self, *words, folder):
        done = subprocess.run([self.path, *map(str, words)], cwd=folder, capture_output=True, timeout=300)
        done.err = done.stderr.decode()
        return done


@pytest.fixture(scope="session")
def program():
    path = pathlib.Path(os.environ.get("TWOSPHERE_PROGRAM") or ROOT / "build/release/twosphere")
    if not path.exists():
        pytest.skip(f"{path} is not built")
    return Program(path)


@pytest.fixture(scope="session")
def root():
    return ROOT
