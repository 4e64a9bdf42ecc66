"""Ctrl-C while a model loads."""

from __future__ import annotations

import subprocess
import sys

CODE = """
import os, signal, sys
from litemem.embed.locate import find_model
from litemem.embed.onnx import OnnxEmbedder


signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores it


class CtrlC:  # pressed when numpy's C code is about to load
    def find_spec(self, name, path=None, target=None):
        if name.endswith("_multiarray_umath"):
            sys.meta_path.remove(self)
            os.kill(os.getpid(), signal.SIGINT)


sys.meta_path.insert(0, CtrlC())
embedder = OnnxEmbedder(find_model("fast", {}))
try:
    embedder.embed_query("tea")
except KeyboardInterrupt:
    print("stopped", embedder.embed_query("tea") is not None)
"""


def test_ctrl_c_waits_for_c_code_that_could_not_be_imported_again() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=False)

    assert done.stderr == ""
    assert done.stdout == "stopped True\n"
