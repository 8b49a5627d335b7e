#!/usr/bin/env python3
"""Makes a copy of ONNX Runtime that takes this processor for one without AVX-512, to measure what
others meet.

    scripts/without_avx512.py LIBRARY COPY

The library asks the operating system which registers it keeps (`xgetbv`) before it chooses kernels.
The copy has the answer of a system with AVX and no more in the place of each such question. Output:
the settings with which the program loads the copy, for `env` or a shell. x86-64 only; a processor
with AVX-VNNI but without AVX-512 keeps its VNNI. Standard library only.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

# `xgetbv`, and `mov al, 7; nop`: the registers of x87, SSE and AVX. None of the 17 places in ONNX
# Runtime 1.31.1 looks at more than the lowest byte for what has to do with AVX.
QUESTION, ANSWER = b"\x0f\x01\xd0", b"\xb0\x07\x90"


def main() -> None:
    """Copies and prints."""
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    source, copy = map(Path, sys.argv[1:])
    library = source.read_bytes()
    if QUESTION not in library:
        sys.exit(f"without_avx512: {source} never asks for registers; is it for x86-64?")
    library = library.replace(QUESTION, ANSWER)
    copy.write_bytes(library)
    print(f"TILESIGHT_ONNXRUNTIME={copy.resolve()} TILESIGHT_ONNXRUNTIME_SHA256={hashlib.sha256(library).hexdigest()}")


if __name__ == "__main__":
    main()
