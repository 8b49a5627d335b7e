"""The corner refiner: a small network that looks at one tile with its surroundings and corrects its
four corners.

Purpose: the detector finds centres almost always and corners to a tenth of a tile's width; a
second, closer look at each tile takes them to a third of that. Input: float32 [N, 3, 64, 64], RGB
0..1: `frontend.surroundings` of a quad. Output: `corners` [N, 8]: x, y of the corners in the quad's
own frame, where the quad that was given is (0,0), (1,0), (1,1), (0,1).
Invariant: normalisation lives inside, ReLU only, any N; a network that knows nothing answers the
quad it was given.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from torch import nn

from .classifier import Block, _conv
from .frontend import SIDE

SQUARE = np.float32([[0, 0], [1, 0], [1, 1], [0, 1]])


class Refiner(nn.Module):
    """Stem, three stages down to 8x8 cells, and a head that sees every cell by itself."""

    def __init__(self, widths: tuple[int, int, int, int] = (16, 32, 64, 64)) -> None:
        super().__init__()
        a, b, c, d = widths
        self.body = nn.Sequential(
            _conv(3, a, 2), nn.ReLU(), Block(a, b, 2), Block(b, b), Block(b, c, 2), Block(c, d), Block(d, d)
        )
        self.head = nn.Sequential(
            _conv(d, 24, 1, 1),
            nn.ReLU(),
            nn.Flatten(),
            nn.Linear(24 * (SIDE // 8) ** 2, 128),
            nn.ReLU(),
            nn.Linear(128, 8),
        )
        nn.init.zeros_(self.head[-1].weight)
        nn.init.zeros_(self.head[-1].bias)
        self.register_buffer("given", torch.from_numpy(SQUARE.reshape(1, 8).copy()))

    def forward(self, crops: torch.Tensor) -> torch.Tensor:
        """Crops in, corners out."""
        return self.given + self.head(self.body((crops - 0.5) * 4.0))


def load(path: str | Path, device: str = "cpu"):
    """A trained network from a checkpoint of train_refiner (its averaged weights)."""
    model = Refiner()
    model.load_state_dict(torch.load(path, map_location=device)["average"])
    return model.eval()
