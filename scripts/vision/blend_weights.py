"""Blends a network with what it has become: a part of the way, where the whole way forgets too
much.

Purpose: new drawn material moves a network away from real photos a little; most of the gain lies on
the way (Wortsman et al., *Robust fine-tuning*, 2022). Input: two checkpoints of train_classifier,
the second trained from the first with --folded.
Output: a checkpoint with the blend as its running means. Invariant: --dragon raises the white
dragon's logit and nothing else.

`PYTHONPATH=scripts python3 -m vision.blend_weights BEFORE.pt AFTER.pt --share 0.6 --out out/classifier/classifier.pt`
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import torch

from .classifier import LARGE, SMALL, Classifier, Shape, fold
from .faces import CLASSES


def folded(state: dict[str, torch.Tensor], shape: Shape = SMALL):
    """A state dictionary with its normalisations folded, so that weights of two networks are of one
    kind."""
    model = Classifier(shape)
    model.load_state_dict(state)
    fold(model)
    return model.state_dict()


def blended(before: dict[str, Any], after: dict[str, Any], share: float) -> dict[str, Any]:
    """The weights `share` of the way from `before` to `after`; whole numbers are the latter's."""
    return {
        name: torch.lerp(before[name], value, share) if value.dtype.is_floating_point else value
        for name, value in after.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoints", type=Path, nargs=2)
    parser.add_argument("--share", type=float, default=0.6)
    parser.add_argument("--dragon", type=float, default=0.0, help="added to the white dragon's logit")
    parser.add_argument("--large", action="store_true", help="the checkpoints are the large classifier's")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    before, after = (torch.load(path, map_location="cpu") for path in options.checkpoints)
    shape = LARGE if options.large else SMALL
    state = blended(folded(before["average"], shape), folded(after["average"], shape), options.share)
    state["heads.bias"][CLASSES.index("P")] += options.dragon
    torch.save(after | {"average": state}, options.out)


if __name__ == "__main__":
    main()
