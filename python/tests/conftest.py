# SPDX-License-Identifier: MIT
import os
import subprocess

import pytest


@pytest.fixture(scope="session")
def program():
    """Runs the program, whose path is in GULLY; returns what it prints."""
    path = os.environ["GULLY"]

    def run(*words):
        done = subprocess.run([path, *map(str, words)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture(scope="session")
def source_root():
    return os.environ["GULLY_SOURCE"]
