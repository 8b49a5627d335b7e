"""Averages the weights of classifiers that grew from one another.

Purpose: stretches of training that begin where the last one ended lie in one basin; the mean of their weights reads a little
better than any of them (Wortsman et al., *Model soups*, 2022). Input: checkpoints of train_classifier, the last stretch last.
Output: a checkpoint with their mean. Invariant: steps are those of these stretches together, the rest is the last one's (its samples count all stretches before).

`PYTHONPATH=scripts python3 -m vision.average_classifier A.pt B.pt C.pt --out out/classifier/classifier.pt`
"""

import argparse
from pathlib import Path

import torch


def averaged(states):
    """The mean of state dictionaries; whole numbers (counts of batches) are the last one's."""
    mean = dict(states[-1])
    for name, last in states[-1].items():
        if last.dtype.is_floating_point:
            mean[name] = torch.stack([state[name] for state in states]).mean(0)
    return mean


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoints", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    parts = [torch.load(path, map_location="cpu") for path in options.checkpoints]
    whole = {key: value for key, value in parts[-1].items() if key not in ("model", "optimiser", "average")}
    whole["step"] = sum(part["step"] for part in parts)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    torch.save(whole | {"average": averaged([part["average"] for part in parts])}, options.out)


if __name__ == "__main__":
    main()
