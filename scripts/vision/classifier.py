"""The tile classifiers: residual networks over 80x64 crops, a small one for all crops and a large
one for those that it leaves in doubt.

Purpose: name the face in a crop, its turn and whether it is a red five. Input: float32 [N, 3, 80,
64], RGB 0..1.
Output: `classes` [N, 44], `turn` [N, 4], `red` [N, 1], all logits; the small one is exported with
an `embedding` too. Invariant: normalisation lives inside, only ReLU as an activation (int8 runtimes
like it), every layer works for any N.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import torch
from torch import nn

from .faces import CLASSES


def _conv(inputs: int, outputs: int, stride: int = 1, size: int = 3) -> nn.Sequential:
    return nn.Sequential(nn.Conv2d(inputs, outputs, size, stride, size // 2, bias=False), nn.BatchNorm2d(outputs))


class Folded(nn.Sequential):
    """A convolution with its normalisation folded into it; what is left of that is the shift, as
    the convolution's bias."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Features in, features out."""
        conv, norm = self
        return nn.functional.conv2d(x, conv.weight, norm.bias, conv.stride, conv.padding)


def fold(model: nn.Module) -> None:
    """Fold all normalisations, in place: the same answers, twice as fast to train further; names in
    the state stay."""
    for pair in [
        m for m in model.modules() if type(m) is nn.Sequential and len(m) == 2 and isinstance(m[1], nn.BatchNorm2d)
    ]:
        conv, norm = pair
        with torch.no_grad():
            factor = norm.weight / (norm.running_var + norm.eps).sqrt()
            conv.weight.mul_(factor[:, None, None, None])
            norm.bias.sub_(norm.running_mean * factor)
            norm.weight.fill_(1)
            norm.running_mean.zero_()
            norm.running_var.fill_(1 - norm.eps)
        norm.weight.requires_grad_(False)
        pair.__class__ = Folded


class Block(nn.Module):
    """Two 3x3 convolutions and a shortcut."""

    def __init__(self, inputs: int, outputs: int, stride: int = 1) -> None:
        super().__init__()
        self.a, self.b = _conv(inputs, outputs, stride), _conv(outputs, outputs)
        self.skip = None if stride == 1 and inputs == outputs else _conv(inputs, outputs, stride, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Features in, features out."""
        y = self.b(torch.relu(self.a(x)))
        return torch.relu(y + (x if self.skip is None else self.skip(x)))


class Shape(NamedTuple):
    """Size of a classifier: the features of stem and stages, the blocks of each that keep its size,
    and the features whose places count."""

    widths: tuple[int, int, int, int]
    blocks: tuple[int, int, int, int]
    placed: int


SMALL = Shape((24, 48, 96, 160), (0, 1, 1, 0), 32)
LARGE = Shape((32, 64, 128, 224), (1, 1, 2, 0), 48)


def _body(shape: Shape) -> nn.Sequential:
    """Stem and stages; each stage begins with a block that halves the sides."""
    layers: list[nn.Module] = [_conv(3, shape.widths[0], 2), nn.ReLU()]
    for stage, (width, blocks) in enumerate(zip(shape.widths, shape.blocks)):
        if stage:
            layers.append(Block(shape.widths[stage - 1], width, 2))
        layers += [Block(width, width) for _ in range(blocks)]
    return nn.Sequential(*layers)


class Classifier(nn.Module):
    """Stem, three stages, and heads that see both the pooled features and where they lie."""

    def __init__(self, shape: Shape = SMALL) -> None:
        super().__init__()
        features = shape.widths[-1]
        self.body = _body(shape)
        self.where = nn.Sequential(_conv(features, shape.placed, 1, 1), nn.ReLU())
        # The corner index, the M over W of eight bamboo and the turn depend on places, which
        # pooling forgets.
        self.drop = nn.Dropout(0.15)
        self.heads = nn.Linear(features + shape.placed * 5 * 4, len(CLASSES) + 4 + 1)

    def forward(self, crops: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Crops in, three sets of logits out."""
        return self.look(crops)[:3]

    def look(self, crops: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        """Crops in, three sets of logits and the pooled features [N, 160] (large: 224) out."""
        x = self.body((crops - 0.5) * 4.0)
        pooled = x.mean((2, 3))
        out = self.heads(self.drop(torch.cat([pooled, self.where(x).flatten(1)], 1)))
        n = len(CLASSES)
        return out[:, :n], out[:, n : n + 4], out[:, n + 4 :], pooled


class Exported(nn.Module):
    """The classifier with its embedding as a fourth output, [N, 160 + 44], of length one.

    Half of it is the pooled features, half the class logits less their mean: two crops of one face
    of one set point the same way (`vision.matching` measures it), so that a set can be learned from
    one photo of it.
    """

    def __init__(self, classifier: Classifier) -> None:
        super().__init__()
        self.classifier = classifier

    def forward(self, crops: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        """Classes, turn, red, embedding."""
        classes, turn, red, pooled = self.classifier.look(crops)
        halves = [nn.functional.normalize(part, dim=1) for part in (pooled, classes - classes.mean(1, keepdim=True))]
        return classes, turn, red, torch.cat(halves, 1) * 0.5**0.5


def load(path: str | Path, device: str = "cpu", shape: Shape = SMALL) -> Classifier:
    """A trained network from a checkpoint of train_classifier (its averaged weights)."""
    state = torch.load(path, map_location=device)
    model = Classifier(shape)
    model.load_state_dict(state["average"])
    return model.eval()
