"""ONNX files as the program runs them: on one thread of the processor.

Input: the path of an ONNX file. Output: a session. Needs onnxruntime only.
"""

from __future__ import annotations

from pathlib import Path

import onnxruntime


def session(path: str | Path):
    """A one-thread session."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
