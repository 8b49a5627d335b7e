"""Measures how well the classifier's embedding tells the faces of one set apart, given other photos
of that set.

Purpose: the figure behind "learn a player's own set from one photo of it". Input: unit embeddings
[n, d] of real crops, their classes, and "stem scene" of each. Output: the share whose nearest
neighbour among the crops of the same set in other photos is the same face, over all faces and over
flowers and seasons. Invariant: a crop is never compared with its own photo, and is left out where
no other photo of the set shows its face.
"""

from __future__ import annotations

import numpy as np

from .faces import BONUS, CLASSES

MIN_PHOTOS = 5  # A set of fewer photos has too few faces to be matched with.


def matched(embeddings: np.ndarray, labels: np.ndarray, names: list[str]) -> dict:
    """Accuracy of the nearest neighbour and how many crops it was measured on."""
    stems, scenes = zip(*(name.split(" ", 1) for name in names))
    stems, sets = np.array(stems), np.array([scene.split("/")[0] for scene in scenes])
    right, bonus = [], []
    for name in np.unique(sets):
        members = np.nonzero(sets == name)[0]
        if len(np.unique(stems[members])) < MIN_PHOTOS:
            continue
        for i in members:
            others = members[stems[members] != stems[i]]
            if (labels[others] == labels[i]).any():
                right.append(labels[others[(embeddings[others] @ embeddings[i]).argmax()]] == labels[i])
                bonus.append(CLASSES[labels[i]] in BONUS)
    right, bonus = np.array(right, bool), np.array(bonus, bool)
    share = lambda hits: round(float(hits.mean()), 4) if len(hits) else None  # noqa: E731
    return {"all": share(right), "n": len(right), "bonus": share(right[bonus]), "n_bonus": int(bonus.sum())}
