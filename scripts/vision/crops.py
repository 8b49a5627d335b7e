"""Training crops for the classifier, rendered on the fly.

Purpose: endless labelled crops as the detector would cut them. Input: face sets, prints of bonus
tiles, a seed. Output: `Crop`s: RGB uint8 [80, 64, 3], class index, turn (0..3, clockwise quarter
turns; -1 unknown), red five, and where the picture leaves the class open, the share of each.
Invariant: preprocessing follows models/manifest.json: the quad scaled by 1.15 about its centroid,
long side vertical.

`python3 -m vision.crops --out FILE.png [--shared PATH]` writes a contact sheet.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from . import crops_cover, faces_prints
from . import crops_tiles as tiles
from .crops_index import with_index
from .crops_photo import CROP_H, CROP_W, MARGIN, photograph, photograph_gently
from .faces import BONUS, CLASSES, CODES, RED, FaceSet, generate_set, joker, load_sets
from .frontend import DARK, LIGHT, leaning, turned
from .motifs import FOLDER, Motifs
from .scene_clutter import sheet
from .scene_textures import texture

INDEX = {code: i for i, code in enumerate(CLASSES)} | {"0m": 4, "0p": 13, "0s": 22}
# Faces that most makers draw the same under a half turn; a corner index or a shaded coin may still
# tell, so the loss accepts either of the two turns rather than none.
HALF_TURN = {INDEX[c] for c in ("1p", "2p", "4p", "5p", "8p", "9p", "2s", "4s", "5s", "6s", "8s", "9s", "3p")}
NO_TURN = {INDEX[c] for c in ("P", "back", "none")}
# How often each class is drawn: hard and manifold classes more often.
_WEIGHTS = {"none": 5.0, "back": 3.2, "P": 2.2, "1s": 1.8} | dict.fromkeys(BONUS, 2.6) | dict.fromkeys(RED, 0.5)
_WEIGHTS |= {"7s": 1.3, "9s": 1.3, "2m": 1.2, "3m": 1.2}
# The same beside prints, which come with smaller bamboo.
_PRINTED_WEIGHTS = _WEIGHTS | {"4s": 1.3, "6s": 1.7, "9s": 1.6, "P": 2.6}
JOKERS = 48
_TARGET = np.float32([[0, 0], [1, 0], [1, 1], [0, 1]])
_HOME = np.float32(
    [
        [tiles.HOME[0], tiles.HOME[1]],
        [tiles.HOME[2], tiles.HOME[1]],
        [tiles.HOME[2], tiles.HOME[3]],
        [tiles.HOME[0], tiles.HOME[3]],
    ]
)
BONUS_AT = INDEX[BONUS[0]]
# Shares of crops beside prints: ones of bamboo from icons of birds, playing tiles with a word on
# them, and drawings smaller than the set's.
BIRDS, WORDED, SMALL_BAMBOO, SMALL = 0.15, 0.04, 0.3, 0.08


@dataclass(frozen=True)
class Mixture:
    """Shares of crops: of bonus tiles from prints, of tiles that something hides in part, of each
    quarter turn, of tiles of light makes for certain, and of gentle photos; the least, usual and
    largest width of a tile in the photo; the weight of a playing tile beside a bonus tile, if not
    that of its class, or the weights of the only classes that are drawn; and the shares of white
    dragons without a print and of tiles of dark makes for certain."""

    manner: faces_prints.Manner = faces_prints.ANY
    printed: float = 0.6
    covered: float = 0.1
    turns: tuple = (0.48, 0.08, 0.36, 0.08)
    light: float = 0.0
    gentle: float = 0.0
    # A hand of 14 across a photo of 640 pixels gives 35.
    widths: tuple = (14, 50, 180)
    playing: float | None = None
    classes: dict | None = None
    plain: float = 0.0
    dark: float = 0.0

    def weight(self, code: str, usual: dict) -> float:
        """Weight of a class beside the others."""
        if self.classes is not None:
            return self.classes.get(code, 0.0)
        if self.playing is not None:
            return 1.0 if code in BONUS else self.playing
        return usual.get(code, 1.0)


EVERYTHING = Mixture()
BONUS_TILES = Mixture(faces_prints.CUSTOMARY, 0.85, 0.04, (0.34, 0.18, 0.3, 0.18), 0.5, 0.6, (20, 45, 140), 0.12)
# Backs and white dragons, half of these without a print, of light and of dark makes.
BLANKS = Mixture(covered=0.0, classes={"back": 1.0, "P": 0.8, "none": 0.2}, plain=0.5, dark=0.2)


@dataclass
class Crop:
    """A training sample."""

    image: np.ndarray
    label: int
    turn: int
    red: bool
    shares: np.ndarray | None = None

    @property
    def target(self) -> np.ndarray:
        """The share of each class [44]: all for the label, unless the picture leaves it open."""
        return np.eye(len(CLASSES), dtype=np.float32)[self.label] if self.shares is None else self.shares


@dataclass
class Prints:
    """Faces of bonus tiles and of ones of bamboo beside those of the sets, and where words come
    from."""

    bonus: list
    birds: list
    motifs: Motifs

    @classmethod
    def drawn(
        cls, motifs: Motifs, count: int, rng: np.random.Generator, manner: faces_prints.Manner = faces_prints.ANY
    ) -> Prints:
        """Draws `count` prints of bonus tiles, and a tenth as many of birds."""
        return cls(
            [faces_prints.bonus_print(rng, motifs, manner) for _ in range(count)],
            [faces_prints.bird_print(rng, motifs) for _ in range(count // 10)],
            motifs,
        )


@dataclass
class TrueTile:
    """The tile of a patch: its code, its face (none of a back or of nothing), its set, and its
    shares where they are open."""

    code: str
    face: np.ndarray | None
    faces: dict
    spare: bool
    shares: np.ndarray | None


class CropFactory:
    """Renders crops from face sets whose faces are kept as small RGBA arrays."""

    def __init__(
        self,
        sets: list[dict[str, np.ndarray]],
        weights: list[float] | None = None,
        seed: int = 0,
        prints: Prints | None = None,
        mixture: Mixture = EVERYTHING,
    ) -> None:
        rng = np.random.default_rng(seed)
        self.prints, self.mixture, self._inks = prints, mixture, {}
        self.sets = sets
        blank = {"P": np.zeros((tiles.TILE_H, tiles.TILE_W, 4), np.uint8)}
        self.plain = [faces | blank for faces in sets] if mixture.plain else []
        self.set_p = np.float64(weights or [1.0] * len(sets)) / np.sum(weights or len(sets))
        self.grounds = [np.clip(texture(rng), 0, 255).astype(np.uint8)[::2, ::2] for _ in range(72)]
        self.clutter = [_as_rgb(sheet(rng)) for _ in range(48)]
        self.codes = CODES + ["back", "none"]
        self.jokers = [
            cv2.resize(joker(int(rng.integers(1 << 31))), (tiles.TILE_W, tiles.TILE_H), interpolation=cv2.INTER_AREA)
            for _ in range(JOKERS)
        ]
        weights_of = _PRINTED_WEIGHTS if prints else _WEIGHTS
        w = np.float64([mixture.weight(c, weights_of) for c in self.codes])
        self.code_p = w / w.sum()

    def sample(self, rng: np.random.Generator) -> Crop:
        """Draws a crop of a random class."""
        return self.samples(rng, 1)[0]

    def samples(self, rng: np.random.Generator, looks: int, dark: bool = False) -> list[Crop]:
        """Crops of one tile on one table, each cut and photographed anew: drawing costs more than
        looking."""
        code = self.codes[rng.choice(len(self.codes), p=self.code_p)]
        kind = rng.random()
        if code == "none" and kind < 0.3:
            return [Crop(self._nothing(rng), INDEX["none"], -1, False) for _ in range(looks)]
        sets = self.plain if self.plain and code == "P" and rng.random() < self.mixture.plain else self.sets
        while True:
            faces = sets[rng.choice(len(sets), p=self.set_p)]
            if code in faces or code in ("back", "none"):
                break
        dark = dark or (self.mixture.dark > 0 and rng.random() < self.mixture.dark)
        while True:
            light = not dark and self.mixture.light > 0 and rng.random() < self.mixture.light
            how = tiles.make(
                rng,
                light_only=light
                or (code == "P" and faces["P"][..., 3].max() < 60 and not dark and rng.random() < 0.85),
                dark_only=dark,
            )
            if not (how.drained and code in RED):  # A red five in the same ink as the others is not one.
                break
        # A joker, or a spare tile with words on it, is no face that the program knows.
        tile = self._tile(rng, code, faces, code == "none" and kind < 0.48)
        patch = self._patch(rng, how, tile)
        cover = (
            self._cover(rng, patch, how, tile)
            if self.prints and tile.code not in ("none", "back") and rng.random() < self.mixture.covered
            else None
        )
        return [self._crop(rng, patch, how, (tile, cover)) for _ in range(looks)]

    def _tile(self, rng: np.random.Generator, code: str, faces: dict, spare: bool) -> TrueTile:
        """The tile in the middle: its face of the set or of the prints, as this maker prints it."""
        if code in ("none", "back"):
            return TrueTile(code, self.jokers[rng.integers(len(self.jokers))] if spare else None, faces, spare, None)
        face, shares = faces[code], None
        if code in BONUS:
            if self.prints and rng.random() < self.mixture.printed:
                chosen = self.prints.bonus[rng.integers(len(self.prints.bonus))]
                face, shares = chosen.face, np.zeros(len(CLASSES), np.float32)
                shares[BONUS_AT : BONUS_AT + len(BONUS)] = chosen.shares
                code = BONUS[int(rng.choice(len(BONUS), p=chosen.shares))]
                return TrueTile(code, face, faces, False, shares)
        elif self.prints and code == "1s" and rng.random() < BIRDS:
            face = self.prints.birds[rng.integers(len(self.prints.birds))]
        elif self.prints and code != "P" and rng.random() < (SMALL_BAMBOO if code[-1] == "s" else SMALL):
            face = _shrunk(rng, face)
        if rng.random() < (0.05 if code in BONUS else 0.09):
            face = with_index(rng, face, code)
        elif self.prints and code not in BONUS and rng.random() < WORDED:
            face = faces_prints.with_word(rng, face, code, self.prints.motifs)
        return TrueTile(code, face, faces, False, shares)

    def _cover(self, rng: np.random.Generator, patch: np.ndarray, how: tiles.Make, tile: TrueTile) -> crops_cover.Cover:
        names = list(tile.faces)
        back = rng.random() < 0.25
        sprite = (
            tiles.back_sprite(rng, how, self._ground(rng))
            if back
            else tiles.face_sprite(rng, how, tile.faces[names[rng.integers(len(names))]], False)
        )
        return crops_cover.cover(rng, patch, how, sprite)

    def _crop(
        self,
        rng: np.random.Generator,
        patch: np.ndarray,
        how: tiles.Make,
        what: tuple[TrueTile, crops_cover.Cover | None],
    ) -> Crop:
        """A crop of one look at a tile, which may be covered."""
        tile, cover = what
        label, turn = INDEX[tile.code], int(rng.choice(4, p=self.mixture.turns))
        quad, shares = _HOME, tile.shares
        if cover is not None:
            squeezed = rng.random() < 0.5
            quad = cover.quad() if squeezed else _HOME
            across, down = np.hypot(*(quad[1] - quad[0])), np.hypot(*(quad[2] - quad[1]))
            if across > down and turn % 2 == 0:  # The program stands the longer side up.
                turn = int(rng.choice([1, 3]))
            named = np.eye(len(CLASSES), dtype=np.float32)[label] if shares is None else shares
            shares = crops_cover.shares((crops_cover.ink(tile.face), named), self._inks_of(tile.faces), cover, squeezed)
        image = self._look(rng, patch, (tile.code if not tile.spare else "P", turn, quad))
        if how.dark or rng.random() < 0.02:
            image = _to_light(rng, image, tile.code, how)
        return Crop(image, label, -1 if label in NO_TURN or cover is not None else turn, tile.code in RED, shares)

    def _inks_of(self, faces: dict) -> dict:
        """The inks of a set's faces by class, made once."""
        if id(faces) not in self._inks:
            self._inks[id(faces)] = {
                INDEX[code]: crops_cover.ink(face) for code, face in faces.items() if code not in RED
            }
        return self._inks[id(faces)]

    def _ground(self, rng: np.random.Generator) -> np.ndarray:
        pool = self.grounds if rng.random() < 0.85 else self.clutter
        image = pool[rng.integers(len(pool))]
        side = int(rng.integers(min(40, *image.shape[:2]), min(image.shape[:2]) + 1))
        y, x = rng.integers(image.shape[0] - side + 1), rng.integers(image.shape[1] - side + 1)
        part = image[y : y + side, x : x + side]
        return np.rot90(part, rng.integers(4)).copy()

    def _patch(self, rng: np.random.Generator, how: tiles.Make, tile: TrueTile) -> np.ndarray:
        code, spare, ground = tile.code, tile.spare, self._ground(rng)
        names = list(tile.faces)
        count = int(rng.choice([0, 1, 2, 3, 4], p=[0.12, 0.16, 0.4, 0.12, 0.2]))
        if code == "none" and not spare:
            count = max(count, 2)
        material = self._ground(rng) if rng.random() < 0.9 else None
        # Half of the backs lie in a wall, among nothing but backs.
        beside = (0.92 if rng.random() < 0.5 else 0.3) if code == "back" else 0.04
        back, sprites = None, []
        for i in range(count + 1):
            first = i == 0 and code != "none"
            name = code if first else names[rng.integers(len(names))]
            if name == "back" or (i > 0 and rng.random() < beside):
                back = tiles.back_sprite(rng, how, material) if back is None else back
                sprites.append((back, True))
                continue
            face = tile.face if first or (spare and i == 0) else self._neighbour(rng, tile.faces, name)
            sprites.append((tiles.face_sprite(rng, how, face, i == 0), False))
        return tiles.lay(rng, how, ground, sprites)

    def _neighbour(self, rng: np.random.Generator, faces: dict, name: str) -> np.ndarray:
        if self.prints and name in BONUS and rng.random() < self.mixture.printed:
            return self.prints.bonus[rng.integers(len(self.prints.bonus))].face
        return faces[name]

    def _look(self, rng: np.random.Generator, patch: np.ndarray, what: tuple[str, int, np.ndarray]) -> np.ndarray:
        """Cut the crop as a detector with imprecise corners would, and photograph it."""
        code, turn, home = what
        if code == "none":
            home = _astray(rng, home)
        quad = _jitter(rng, home)
        target = np.roll(_TARGET * (CROP_W, CROP_H), -turn, axis=0)
        flat = cv2.warpPerspective(
            patch,
            cv2.getPerspectiveTransform(quad, np.float32(target)),
            (CROP_W, CROP_H),
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REFLECT,
        )
        if rng.random() < 0.1 and code != "none":
            _cover(rng, flat)
        return self._photograph(rng, flat)

    def _photograph(self, rng: np.random.Generator, flat: np.ndarray) -> np.ndarray:
        narrowest, usual, widest = np.log(self.mixture.widths)
        how = photograph_gently if self.mixture.gentle and rng.random() < self.mixture.gentle else photograph
        return how(rng, flat, float(np.exp(rng.triangular(narrowest, usual, widest))))

    def _nothing(self, rng: np.random.Generator) -> np.ndarray:
        pool = self.clutter if rng.random() < 0.55 else self.grounds
        image = pool[rng.integers(len(pool))]
        h, w = image.shape[:2]
        side = rng.uniform(20, min(h, w))
        centre = np.float32([rng.uniform(side / 2, w - side / 2), rng.uniform(side / 2, h - side / 2)])
        a = rng.uniform(0, 6.28)
        turn = np.float32([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
        quad = centre + ((_TARGET - 0.5) * (side * rng.uniform(0.6, 0.9), side)) @ turn.T
        flat = cv2.warpPerspective(
            image,
            cv2.getPerspectiveTransform(np.float32(quad), np.float32(_TARGET * (CROP_W, CROP_H))),
            (CROP_W, CROP_H),
            borderMode=cv2.BORDER_REFLECT,
        )
        if rng.random() < 0.2:
            _cover(rng, flat)
        return self._photograph(rng, flat)


def _to_light(rng: np.random.Generator, image: np.ndarray, code: str, how: tiles.Make) -> np.ndarray:
    """A dark tile's crop turned to light as the program does it, and left as it is where the
    program mostly would."""
    lean = leaning(image)
    if lean == LIGHT or not how.dark:
        return turned(image) if lean == DARK and rng.random() < 0.5 else image
    if lean == DARK:
        return turned(image) if rng.random() < 0.95 else image
    # Without ink a tile is turned only where it has the colour of its set's bodies.
    alike = code != "back" or np.abs(how.back - how.body).max() < 40
    return turned(image) if rng.random() < (0.7 if alike else 0.03) else image


def _shrunk(rng: np.random.Generator, face: np.ndarray) -> np.ndarray:
    """The drawing smaller in the tile's middle, as some makers carve it, and perhaps narrower or
    shorter than theirs."""
    h, w = face.shape[:2]
    wide, high = np.clip(rng.uniform(0.55, 0.95) * np.exp(rng.normal(0, 0.12, 2)), 0.45, 1.0)
    art = cv2.resize(face, (int(w * wide), int(h * high)), interpolation=cv2.INTER_AREA)
    out = np.zeros_like(face)
    y, x = (
        int((h - art.shape[0]) * np.clip(rng.normal(0.5, 0.08), 0, 1)),
        int((w - art.shape[1]) * np.clip(rng.normal(0.5, 0.08), 0, 1)),
    )
    out[y : y + art.shape[0], x : x + art.shape[1]] = art
    return out


def _as_rgb(image: np.ndarray) -> np.ndarray:
    """A clutter sheet as RGB uint8, whatever channels it has."""
    image = np.asarray(image[0] if isinstance(image, tuple) else image)
    return np.clip(image[..., :3], 0, 255).astype(np.uint8)


def _jitter(rng: np.random.Generator, home: np.ndarray) -> np.ndarray:
    """The crop's corners: margin, scale, shift and corner noise, in tile widths as the detector
    errs."""
    centre = home.mean(0)
    scale = MARGIN * np.clip(np.exp(rng.normal(0.0, 0.075, 2) + rng.normal(0, 0.06)), 0.84, 1.22)
    noise = rng.normal(0, rng.uniform(0.01, 0.13), (4, 2)) * tiles.TILE_W
    # One quad in eight is off by much: a young detector's quads of close tiles lay a third of a
    # width aside.
    shift = rng.normal(0, 0.17 if rng.random() < 0.12 else 0.05, 2) * tiles.TILE_W
    # Quads that lean: mostly a little; now and then as much as where only an axis-aligned box is
    # known.
    a, shear = rng.normal(0, 0.04), rng.normal(0, 0.06)
    if rng.random() < 0.2:
        a, shear = rng.normal(0, 0.2), rng.normal(0, 0.2)
    base = (home - centre) * scale
    base[:, 0] += shear * base[:, 1]
    base = base @ np.float32([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    return np.float32(centre + base + noise + shift)


def _astray(rng: np.random.Generator, home: np.ndarray) -> np.ndarray:
    """A quad that shows no one face: between tiles, much too large, or one pip of a face."""
    centre, kind = home.mean(0), rng.random()
    if kind < 0.55:
        way = [(1, 0), (-1, 0), (0, 1), (0, -1), (0.9, 0.9), (-0.9, 0.9)][
            rng.choice(6, p=[0.25, 0.25, 0.18, 0.18, 0.07, 0.07])
        ]
        return home + np.float32(way) * rng.uniform(0.42, 0.56) * (tiles.TILE_W, tiles.TILE_H)
    if kind < 0.72:
        return centre + (home - centre) * rng.uniform(1.75, 2.3)
    small = rng.uniform(0.16, 0.42)
    spot = centre + rng.uniform(-0.4, 0.4, 2) * (tiles.TILE_W, tiles.TILE_H)
    return spot + (home - centre) * small


def _cover(rng: np.random.Generator, flat: np.ndarray) -> None:
    """A finger, chip or other thing over a part, in place."""
    colour = (
        np.float32([rng.uniform(150, 240), rng.uniform(100, 180), rng.uniform(80, 160)])
        if rng.random() < 0.6
        else rng.uniform(0, 255, 3)
    )
    a = rng.uniform(0, 6.28)
    far = rng.uniform(0.48, 0.75)
    centre = (int(CROP_W * (0.5 + np.cos(a) * far)), int(CROP_H * (0.5 + np.sin(a) * far)))
    axes = (int(rng.uniform(7, 22)), int(rng.uniform(12, 40)))
    cv2.ellipse(
        flat,
        centre,
        axes,
        float(np.degrees(a)) + 90 + rng.uniform(-50, 50),
        0,
        360,
        tuple(float(v) for v in colour),
        -1,
        cv2.LINE_AA,
    )


def small_faces(face_set: FaceSet) -> dict[str, np.ndarray]:
    """All faces of a set reduced to the patch's tile size."""
    return {
        c: cv2.resize(face_set.face(c), (tiles.TILE_W, tiles.TILE_H), interpolation=cv2.INTER_AREA)
        for c in face_set.codes
    }


def sheet_of(crops: list[Crop], columns: int = 24) -> np.ndarray:
    """A contact sheet with class names."""
    cells = []
    for c in crops:
        cell = c.image.copy()
        name = CLASSES[c.label] + ("r" if c.red else "") + (f"/{c.turn}" if c.turn > 0 else "")
        cv2.putText(cell, name, (1, 9), cv2.FONT_HERSHEY_SIMPLEX, 0.35, (255, 0, 255), 1, cv2.LINE_AA)
        cells.append(cell)
    cells += [np.zeros_like(cells[0])] * (-len(cells) % columns)
    return np.vstack([np.hstack(cells[i : i + columns]) for i in range(0, len(cells), columns)])


def main() -> None:
    """Write a contact sheet of rendered crops and say how fast they come."""
    import time

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", required=True)
    parser.add_argument("--shared")
    parser.add_argument("--motifs", type=Path, default=FOLDER, help="where setup-training put icons and fonts")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    motifs = Motifs.of(args.motifs)
    prints = Prints.drawn(motifs, 200, np.random.default_rng(args.seed)) if motifs else None
    sets = [small_faces(generate_set(100 + i)) for i in range(6)]
    sets += [small_faces(s) for s in load_sets(Path(args.shared) if args.shared else None)[:10]]
    factory, rng = CropFactory(sets, seed=args.seed, prints=prints), np.random.default_rng(args.seed)
    start = time.time()
    crops = [factory.sample(rng) for _ in range(312)]
    print(f"{len(crops) / (time.time() - start):.0f} crops a second")
    cv2.imwrite(args.out, cv2.cvtColor(sheet_of(crops), cv2.COLOR_RGB2BGR))


if __name__ == "__main__":
    main()
