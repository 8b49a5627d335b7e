"""Averages the weights of networks that grew from one another.

Purpose: stretches of training that begin where the last one ended lie in one basin; the mean of
their weights sees a little better than any of them (Wortsman et al., *Model soups*, 2022). Input:
checkpoints of train_classifier or train_detector, the last stretch last. Output: a checkpoint with
the mean of their running means. Invariant: all but the weights is the last one's.

`PYTHONPATH=scripts python3 -m vision.average_weights A.pt B.pt --out out/classifier/classifier.pt`
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import torch


def averaged(states: list[dict[str, torch.Tensor]]) -> dict[str, Any]:
    """The mean of state dictionaries; whole numbers (counts of batches) are the last one's."""
    mean = dict(states[-1])
    for name, last in states[-1].items():
        if last.dtype.is_floating_point:
            mean[name] = torch.stack([state[name] for state in states]).mean(0)
    return mean


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoints", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    parts = [torch.load(path, map_location="cpu") for path in options.checkpoints]
    # The two trainings name their running means differently.
    key = "average" if "average" in parts[-1] else "averaged"
    options.out.parent.mkdir(parents=True, exist_ok=True)
    torch.save(parts[-1] | {key: averaged([part[key] for part in parts])}, options.out)


if __name__ == "__main__":
    main()
