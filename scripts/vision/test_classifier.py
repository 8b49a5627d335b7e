"""Checks of the faces, the crop generator and the classifier that need no training and no shared
data.

Run: `PYTHONPATH=scripts python3 -m unittest vision.test_classifier`. Each test names the mistake
that it once caught or would.
"""

from __future__ import annotations

import json
import tempfile
import unittest
from dataclasses import replace
from pathlib import Path
from unittest import mock

import cv2
import numpy as np
import onnx
import torch

from . import crops_cover, faces_prints, tune_heads
from . import crops_tiles as tiles
from .blend_weights import blended, folded
from .classifier import LARGE, Classifier, fold
from .crops import BLANKS, BONUS_TILES, INDEX, Crop, CropFactory, Mixture, Prints, small_faces
from .crops_photo import CROP_H, CROP_W
from .crops_real import RealSource, box_quad, quad_around
from .embedding_metric import metric_of
from .faces import BONUS, CLASSES, CODES, generate_set, joker
from .faces_finish import finish
from .from_onnx import SHAPES, layer_of, restored
from .frontend import cut, planes, to_light, turned
from .motifs import Motifs
from .real import RealPhoto
from .session import session
from .train_classifier import PARTS, Options, Packs, Run, loss_of


class RealTiles(unittest.TestCase):
    """Tests of what is cut out of real photos."""

    QUADS = np.float32(
        [
            [[0, 0], [30, 0], [30, 40], [0, 40]],
            [[2, 2], [12, 2], [12, 8], [2, 8]],
            [[40, 0], [70, 0], [70, 40], [40, 40]],
        ]
    )

    def test_quad_around_a_numeral_is_the_tile(self):
        np.testing.assert_array_equal(quad_around(self.QUADS, (2, 2, 12, 8)), self.QUADS[0])

    def test_numeral_without_a_tile_is_left_out(self):
        self.assertIsNone(quad_around(self.QUADS, (100, 2, 12, 8)))
        self.assertIsNone(quad_around(np.zeros((0, 4, 2), np.float32), (2, 2, 12, 8)))

    def test_preferred_classes_are_drawn_more_often_and_the_others_keep_their_order(self):
        source = RealSource.__new__(RealSource)
        source.patches = [(None, INDEX[code]) for code in ("f1", "1m", "2m")]
        source.p = np.array([0.2, 0.5, 0.3])
        source.prefer(BONUS, 4.0)
        np.testing.assert_allclose(source.p, np.array([0.8, 0.5, 0.3]) / 1.6)
        np.testing.assert_allclose(source.edges, np.cumsum(source.p))

    def test_mirror_image_is_turned_back(self):
        with tempfile.TemporaryDirectory() as folder:
            picture = np.full((20, 40, 3), 255, np.uint8)
            picture[:, :10] = 0
            file = Path(folder) / "a.png"
            cv2.imwrite(str(file), picture)
            facts = {"kind": "loose", "dataset": "d", "exhaustive": False, "augmented": True}
            photo = RealPhoto(
                "a", file, (40, 20), [], "scene", "train", **facts, greyscale=False, loose_boxes=False, mirrored=True
            )
            np.testing.assert_array_equal(photo.image()[10, [2, 37]], [[255] * 3, [0] * 3])


class Restored(unittest.TestCase):
    """Tests of weights that come back from a file."""

    def test_layers_are_found_by_the_names_of_nodes(self):
        self.assertEqual(layer_of("/body/body.0/body.0.0/Conv"), "body.0")
        self.assertEqual(layer_of("/classifier/body/body.3/a/a.0/Conv"), "body.3.a")
        self.assertEqual(layer_of("/where/where.0/where.0.0/Conv"), "where.0")

    def test_network_of_an_int8_file_names_like_the_file(self):
        models = Path(__file__).resolve().parents[2] / "models"
        crops = np.random.default_rng(3).integers(0, 256, (8, CROP_H, CROP_W, 3), np.uint8)
        for name, shape in SHAPES.items():
            with torch.no_grad():
                ours = restored(models / f"{name}.onnx", shape)(torch.from_numpy(planes(crops)))[0].numpy()
            file = session(models / f"{name}.onnx").run(None, {"crops": planes(crops)})[0]
            self.assertLess(np.abs(ours - file).mean(), 0.15, name)


class Faces(unittest.TestCase):
    """Tests of generated sets."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.sets = [generate_set(seed) for seed in range(5)]

    def test_every_face_has_ink_except_a_white_dragon(self) -> None:
        for s in self.sets:
            for code in CODES:
                face = s.face(code)
                self.assertEqual(face.shape, (256, 192, 4))
                if code != "P":
                    self.assertGreater((face[..., 3] > 128).mean(), 0.02, f"{s.name} {code}")

    def test_faces_of_a_set_differ_from_each_other(self) -> None:
        for s in self.sets:
            plain = [c for c in CODES if c not in BONUS]
            for i, a in enumerate(plain):
                for b in plain[i + 1 :]:
                    apart = np.abs(s.face(a).astype(int) - s.face(b)).mean()
                    self.assertGreater(apart, 0.5, f"{s.name}: {a} looks like {b}")

    def test_a_seed_draws_the_same_set_again(self) -> None:
        again = generate_set(3)
        for code in ("1s", "f1", "9p", "P"):
            np.testing.assert_array_equal(again.face(code), self.sets[3].face(code))

    def test_a_finish_keeps_the_ink(self) -> None:
        # A scalar maximum once cleared the alpha channel, and training saw blank tiles under every
        # name.
        face = tiles.cv2.resize(self.sets[0].face("8p"), (72, 96), interpolation=tiles.cv2.INTER_AREA)
        for seed in range(20):
            painted = finish(face, np.random.default_rng(seed))
            self.assertGreater(painted[..., 3].sum(), 0.2 * face[..., 3].sum())


class Crops(unittest.TestCase):
    """Tests of rendered and cut crops."""

    def test_the_face_shows_in_the_patch(self) -> None:
        faces = small_faces(generate_set(1))
        ground = np.full((64, 64, 3), 90, np.uint8)
        for code in ("1m", "7p", "9s", "E", "s2"):
            shown = []
            for face in (faces[code], np.zeros_like(faces[code])):
                rng = np.random.default_rng(4)
                how = tiles.make(rng, light_only=True)
                shown.append(
                    tiles.lay(
                        np.random.default_rng(9), how, ground, [(tiles.face_sprite(rng, how, face), False)]
                    ).astype(int)
                )
            x0, y0, x1, y1 = tiles.HOME
            self.assertGreater(np.abs(shown[0] - shown[1])[y0:y1, x0:x1].mean(), 3, code)

    def test_samples_are_repeatable_and_well_formed(self) -> None:
        factory = CropFactory([small_faces(generate_set(2))], seed=5)
        first, second = ([factory.sample(np.random.default_rng(k)) for k in range(40)] for _ in range(2))
        for a, b in zip(first, second):
            self.assertEqual((a.image.shape, a.image.dtype), ((80, 64, 3), np.uint8))
            np.testing.assert_array_equal(a.image, b.image)
            self.assertTrue(0 <= a.label < 44 and -1 <= a.turn < 4)

    def test_a_cut_keeps_the_order_of_corners_and_stands_the_long_side_up(self) -> None:
        image = np.zeros((200, 300, 3), np.uint8)
        image[60:140, 100:130] = (255, 0, 0)  # The left half of an upright box is red.
        upright = cut(image, box_quad(100, 60, 60, 80), 1.0)
        self.assertGreater(upright[:, :28, 0].mean(), 240)
        self.assertLess(upright[:, 36:, 0].mean(), 15)
        # A lying box starts at its second corner: what was on the right comes to the top.
        lying = cut(image, box_quad(100, 60, 160, 80), 1.0)
        self.assertLess(lying[:40, :, 0].mean(), 15)
        self.assertGreater(lying[68:, :, 0].mean(), 240)

    def test_a_dark_set_comes_to_light_and_a_light_one_stays(self) -> None:
        factory = CropFactory([small_faces(generate_set(s)) for s in (2, 4)], seed=5)
        factory.code_p = np.float64([c in ("1m", "5m", "8p", "E", "F", "6s") for c in factory.codes]) / 6
        with mock.patch("vision.crops._to_light", lambda rng, image, code, how: image):
            dark = [factory.samples(np.random.default_rng(k), 1, dark=True)[0].image for k in range(60)]
        with mock.patch("vision.crops_tiles._DARK", 0.0):
            light = [factory.sample(np.random.default_rng(k)).image for k in range(60)]
        # Some of the darkest are dimmed or blurred away; none of the light ones may turn.
        changed = lambda before: sum(not np.array_equal(a, b) for a, b in zip(to_light(before), before))  # noqa: E731
        self.assertGreater(changed(dark), 20)
        self.assertEqual(changed(light), 0)

    def test_turned_twice_is_as_before(self) -> None:
        crop = np.random.default_rng(1).integers(0, 256, (80, 64, 3)).astype(np.uint8)
        np.testing.assert_array_equal(turned(turned(crop)), crop)
        self.assertEqual(tuple(turned(np.uint8([[[30, 30, 34]]]))[0, 0]), (221, 221, 225))

    def test_the_looks_at_one_tile_share_its_name(self) -> None:
        factory = CropFactory([small_faces(generate_set(2))], seed=5)
        for k in range(20):
            looks = factory.samples(np.random.default_rng(k), 3)
            self.assertEqual((len(looks), len({c.label for c in looks})), (3, 1))

    def test_the_metric_shortens_what_differs_within_tiles(self) -> None:
        rng = np.random.default_rng(3)
        labels = np.repeat(np.arange(6), 30)
        # The first direction says which face it is, the second one only which look.
        faces = np.stack([labels - 2.5, np.zeros(180), np.full(180, 4.0)], 1)
        looks = faces[:, None] + rng.normal(0, (0.1, 3, 0.1), (180, 3, 3))
        mean, metric = metric_of(looks, labels)
        np.testing.assert_allclose(mean, [0, 0, 4], atol=0.6)
        spread = lambda given: given.std(1).mean(0)[:2] / given.mean(1).std(0)[:2]  # noqa: E731
        self.assertGreater(spread(looks)[1], 1)
        lengths = np.linalg.norm(metric, axis=0)
        self.assertGreater(lengths[0], 2 * lengths[1])

    def test_jokers_are_drawn_and_differ(self) -> None:
        drawn = [joker(k) for k in range(30)]
        for face in drawn:
            self.assertGreater((face[..., 3] > 128).mean(), 0.01)
        self.assertGreater(len({face.tobytes() for face in drawn}), 25)

    def test_blanks_are_backs_and_dragons_and_a_dragon_without_a_print_has_none(self) -> None:
        framed = {"P": np.full((tiles.TILE_H, tiles.TILE_W, 4), 255, np.uint8)}
        factory = CropFactory([small_faces(generate_set(2)) | framed], seed=5, mixture=replace(BLANKS, plain=1.0))
        self.assertEqual(factory.plain[0]["P"].max(), 0)
        names = {CLASSES[factory.sample(np.random.default_rng(k)).label] for k in range(40)}
        self.assertEqual(names, {"back", "P", "none"})

    def test_class_order_is_the_contract(self) -> None:
        self.assertEqual(len(CLASSES), 44)
        self.assertEqual(
            (CLASSES[0], CLASSES[26], CLASSES[27], CLASSES[33], CLASSES[34], CLASSES[43]),
            ("1m", "9s", "E", "P", "f1", "none"),
        )
        self.assertEqual((INDEX["0p"], INDEX["back"]), (INDEX["5p"], 42))


class Covers(unittest.TestCase):
    """Tests of the faces that partly hidden tiles may still be."""

    @classmethod
    def setUpClass(cls) -> None:
        faces = small_faces(generate_set(2))
        cls.inks = {INDEX[code]: crops_cover.ink(face) for code, face in faces.items() if code[0] != "0"}

    def shares(self, code: str, visible: tuple[float, int, float, float], squeezed: bool = False) -> np.ndarray:
        own = np.eye(len(CLASSES), dtype=np.float32)[INDEX[code]]
        return crops_cover.shares((self.inks[INDEX[code]], own), self.inks, crops_cover.Cover(visible), squeezed)

    def test_shares_sum_to_one_and_the_face_is_never_less_likely_than_another(self) -> None:
        for code in ("4s", "7p", "3m", "E", "f2"):
            for visible in ((0, 0, 0.8, 1), (0.5, 0, 1, 1), (0, 0, 1, 0.25)):
                for squeezed in (False, True):
                    shares = self.shares(code, visible, squeezed)
                    self.assertAlmostEqual(float(shares.sum()), 1.0, 5)
                    self.assertEqual(int(shares.argmax()), INDEX[code], (code, visible, squeezed))

    def test_the_less_is_seen_the_less_is_certain(self) -> None:
        seen = [float(self.shares("4s", (0, 0, 1 - hidden, 1))[INDEX["4s"]]) for hidden in (0.05, 0.5, 0.75)]
        self.assertGreater(seen[0], 0.7)
        self.assertGreater(seen[0], seen[1])
        self.assertGreater(seen[1], seen[2])

    def test_half_a_four_in_a_quad_of_its_own_may_be_a_two(self) -> None:
        self.assertGreater(
            self.shares("4s", (0, 0, 0.5, 1), True)[INDEX["2s"]], 1.5 * self.shares("4s", (0, 0, 0.5, 1))[INDEX["2s"]]
        )

    def test_a_cover_hides_its_share_of_the_patch(self) -> None:
        for seed in range(30):
            rng = np.random.default_rng(seed)
            patch, how = np.zeros((tiles.PATCH_H, tiles.PATCH_W, 3), np.uint8), tiles.make(rng, light_only=True)
            hidden = crops_cover.cover(rng, patch, how, np.full((tiles.TILE_H, tiles.TILE_W, 3), 200, np.float32))
            self.assertTrue(crops_cover.MIN_HIDDEN <= hidden.hidden <= crops_cover.MAX_HIDDEN + 1e-6)
            x0, y0 = hidden.quad()[0] + 1
            x1, y1 = hidden.quad()[2] - 1
            self.assertLess((patch[int(y0) : int(y1), int(x0) : int(x1)] > 60).mean(), 0.35)


class PrintedFaces(unittest.TestCase):
    """Bonus tiles of icons and words, from a folder of a few pictures made here."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        entries, parts = [], b""
        for k, (name, kind, hint) in enumerate(
            (
                ("a", "flower", "f3"),
                ("fluent-emoji-flat", "flower", None),
                ("b", "bird", None),
                ("b", "season", "s4"),
                ("a", "plant", None),
            )
        ):
            picture = np.zeros((60, 60, 4), np.uint8)
            tiles.cv2.circle(picture, (30, 30), 20 + k, (30 * k, 90, 200, 255), -1)
            code = tiles.cv2.imencode(".png", picture)[1].tobytes()
            entries.append(
                {
                    "set": name,
                    "name": str(k),
                    "kind": kind,
                    "hint": hint,
                    "colour": k % 2 == 0,
                    "at": len(parts),
                    "bytes": len(code),
                }
            )
            parts += code
        (cls.folder / "motifs.png").write_bytes(parts)
        (cls.folder / "motifs.json").write_text(json.dumps({"fonts": [], "motifs": entries}))
        cls.motifs = Motifs(cls.folder)

    def test_held_sets_are_on_one_side_only(self) -> None:
        held = Motifs(self.folder, held=True)
        self.assertEqual([entry["set"] for entry in held.entries], ["fluent-emoji-flat"])
        self.assertNotIn("fluent-emoji-flat", {entry["set"] for entry in self.motifs.entries})
        self.assertIsNone(Motifs.of(self.folder / "nowhere"))

    def test_a_print_has_ink_and_shares_and_is_repeatable(self) -> None:
        for seed in range(60):
            first, again = (faces_prints.bonus_print(np.random.default_rng(seed), self.motifs) for _ in range(2))
            np.testing.assert_array_equal(first.face, again.face)
            self.assertEqual((first.face.shape, first.face.dtype), ((96, 72, 4), np.uint8))
            self.assertGreater((first.face[..., 3] > 60).mean(), 0.01)
            self.assertAlmostEqual(sum(first.shares), 1.0)

    def test_a_text_can_be_seen(self) -> None:
        # The same picture with a numeral and without it.
        for text in ("1", "三", "IV", "WINTER"):
            sheet = faces_prints.Sheet()
            kind = "word" if text == "WINTER" else "numeral"
            faces_prints._texts(
                sheet,
                np.random.default_rng(3),
                self.motifs,
                (faces_prints.series.Saying(((kind, text),), ()), [(20, 20, 20)] * 3, False),
            )
            self.assertGreater((sheet.face()[..., 3] > 100).sum(), 25, text)

    def test_a_motif_alone_teaches_no_one_tile(self) -> None:
        prints = Prints.drawn(self.motifs, 40, np.random.default_rng(1))
        prints.bonus = [one for one in prints.bonus if max(one.shares) < 0.4]
        self.assertTrue(prints.bonus)
        factory = CropFactory(
            [small_faces(generate_set(2))], seed=5, prints=prints, mixture=Mixture(printed=1.0, covered=0.0)
        )
        factory.code_p = np.float64([code in BONUS for code in factory.codes]) / len(BONUS)
        for k in range(20):
            crop = factory.sample(np.random.default_rng(k))
            self.assertLess(crop.target.max(), 0.4)
            self.assertAlmostEqual(float(crop.target[INDEX["f1"] : INDEX["s4"] + 1].sum()), 1.0, 4)

    def test_a_covered_tile_is_never_certain_of_another_face(self) -> None:
        prints = Prints.drawn(self.motifs, 20, np.random.default_rng(1))
        factory = CropFactory([small_faces(generate_set(2))], seed=5, prints=prints, mixture=Mixture(covered=1.0))
        factory.code_p = np.float64([code not in (*BONUS, "back", "none") for code in factory.codes])
        factory.code_p /= factory.code_p.sum()
        for k in range(40):
            crop = factory.sample(np.random.default_rng(k))
            self.assertAlmostEqual(float(crop.target.sum()), 1.0, 4)
            self.assertLess(float(np.delete(crop.target, crop.label).max(initial=0)), 0.51)

    def test_most_crops_for_small_writing_are_bonus_tiles(self) -> None:
        prints = Prints.drawn(self.motifs, 20, np.random.default_rng(1), BONUS_TILES.manner)
        factory = CropFactory([small_faces(generate_set(2))], seed=5, prints=prints, mixture=BONUS_TILES)
        crops = [factory.sample(np.random.default_rng(k)) for k in range(60)]
        self.assertGreater(sum(CLASSES[crop.label] in BONUS for crop in crops), 25)

    def test_open_shares_are_learnt_as_shares(self) -> None:
        classes, target = torch.zeros(1, 44), torch.zeros(1, 44)
        target[0, INDEX["f1"]] = target[0, INDEX["s1"]] = 0.5
        sure, open_ = classes.clone(), classes.clone()
        sure[0, INDEX["f1"]], open_[0, INDEX["f1"]], open_[0, INDEX["s1"]] = 9.0, 9.0, 9.0
        label, turn, red = torch.tensor([INDEX["f1"]]), torch.tensor([-1]), torch.tensor([False])
        heads = torch.zeros(1, 4), torch.zeros(1, 1)
        losses = [float(loss_of((logits, *heads), label, turn, red, target)) for logits in (open_, sure)]
        self.assertLess(losses[0], losses[1] - 1)


class Stretch(unittest.TestCase):
    """A further stretch of training from packs."""

    COUNT, FRESH = 8, 0.25

    def options(self, folder: Path, **other) -> Options:
        facts = {
            "out": folder,
            "shared": None,
            "seed": 1,
            "steps": 2,
            "sets": 1,
            "peak": 1e-2,
            "start": None,
            "models": folder,
            "real_share": 0.0,
            "scenes": None,
            "packs": folder,
            "folded": True,
            "large": False,
            "batch": self.COUNT,
            "fresh": 0.0,
            "frozen": 0,
        }
        return Options(**facts | other)

    def pack(self, folder: Path) -> None:
        """A pack of black crops of nothing."""
        crops = [Crop(np.zeros((CROP_H, CROP_W, 3), np.uint8), INDEX["none"], -1, False)] * 20
        np.savez(folder / "pack_1_0000.npz", **{name: np.array([getattr(c, name) for c in crops]) for name in PARTS})

    def test_a_share_of_each_batch_is_cut_anew_from_real_photos(self) -> None:
        real = mock.Mock()
        real.sample.return_value = Crop(np.zeros((CROP_H, CROP_W, 3), np.uint8), INDEX["f1"], -1, False)
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            self.pack(folder)
            with mock.patch("vision.train_classifier.RealSource", return_value=real):
                packs = Packs(self.options(folder, shared=folder, fresh=self.FRESH), 0)
            labels = packs.batch()[1].tolist()
        self.assertEqual(labels.count(INDEX["f1"]), self.COUNT * self.FRESH)
        self.assertEqual(labels.count(INDEX["none"]), self.COUNT * (1 - self.FRESH))

    def test_frozen_parts_stay_as_they_are(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            self.pack(folder)
            options = self.options(folder, frozen=3)
            run, packs = Run(options), Packs(options, 0)
            before = {key: value.clone() for key, value in run.model.state_dict().items()}
            for _ in range(options.steps):
                run.learn(packs.batch())
        moved = {key for key, value in run.model.state_dict().items() if not torch.equal(value, before[key])}
        self.assertFalse([key for key in moved if key.startswith(("body.0.", "body.1.", "body.2."))])
        self.assertTrue([key for key in moved if key.startswith("body.3.")])


class TunedHeads(unittest.TestCase):
    """The last layer, learnt further from the shipped file."""

    FEATURES = 6

    def start(self) -> tune_heads.Heads:
        rng = np.random.default_rng(1)
        rows = rng.normal(0, 0.1, (len(CLASSES), self.FEATURES)).astype(np.float32)
        return tune_heads.Heads(rows, np.zeros(len(CLASSES), np.float32))

    def test_lessons_are_learnt_and_the_start_stays_as_it_was(self) -> None:
        start, features = self.start(), np.eye(self.FEATURES, dtype=np.float32)
        targets = np.eye(len(CLASSES), dtype=np.float32)[[INDEX[code] for code in ("1m", "2p", "3s", "E", "P", "f1")]]
        lesson = tune_heads.Lesson(features, targets, np.ones(self.FEATURES))
        with mock.patch.object(tune_heads, "RATE", 0.1):
            found = tune_heads.tuned(start, [lesson], steps=60)
        names = lambda heads: (features @ heads.weight.T + heads.bias).argmax(1).tolist()  # noqa: E731
        self.assertEqual(names(found), targets.argmax(1).tolist())
        np.testing.assert_array_equal(start.weight, self.start().weight)
        np.testing.assert_allclose(start.towards(found, 0.5).weight, (start.weight + found.weight) / 2, atol=1e-6)

    def test_rows_of_turn_and_red_fives_keep_their_bits(self) -> None:
        rows = np.random.default_rng(2).normal(size=(len(CLASSES) + 5, self.FEATURES)).astype(np.float32)
        numbers = {"heads.weight": rows, "heads.bias": rows[:, 0]}
        graph = onnx.helper.make_graph(
            [], "heads", [], [], [onnx.numpy_helper.from_array(array, name) for name, array in numbers.items()]
        )
        model, heads = onnx.helper.make_model(graph), self.start()
        tune_heads.with_heads(model, heads)
        after = {number.name: onnx.numpy_helper.to_array(number) for number in model.graph.initializer}
        np.testing.assert_array_equal(after["heads.weight"][len(CLASSES) :], rows[len(CLASSES) :])
        np.testing.assert_array_equal(after["heads.bias"][len(CLASSES) :], rows[len(CLASSES) :, 0])
        np.testing.assert_array_equal(tune_heads.heads_of(model).weight, heads.weight)

    def test_tiles_of_small_sets_and_rare_faces_are_drawn_more_often(self) -> None:
        labels = np.array([INDEX["1m"]] * 9 + [INDEX["2m"], INDEX["P"]])
        names = ["1 large/table"] * 10 + ["2 small/table"]
        weights = tune_heads.rareness(labels, names)
        self.assertLess(weights[0], weights[9])
        self.assertLess(2 * weights[9], weights[10])


class Network(unittest.TestCase):
    """Shapes, size, folding, and the loss's treatment of turns."""

    def test_folded_it_answers_the_same_and_its_state_fits_back(self) -> None:
        torch.manual_seed(3)
        plain, crops = Classifier(), torch.rand(16, 3, 80, 64)
        plain(crops)  # In training, so that the normalisations have seen something.
        before = plain.eval()(crops)[0].detach()
        fold(plain)
        again = Classifier()
        again.load_state_dict(plain.state_dict())
        for model in (plain, again.eval()):
            self.assertLess(float((model(crops)[0] - before).abs().max()), 1e-4)

    def test_a_part_of_the_way_lies_between_two_large_networks(self) -> None:
        torch.manual_seed(4)
        states = [folded(Classifier(LARGE).state_dict(), LARGE) for _ in range(2)]
        mean = blended(states[0], states[1], 0.25)
        name = "body.0.0.weight"
        torch.testing.assert_close(mean[name], 0.75 * states[0][name] + 0.25 * states[1][name])
        Classifier(LARGE).load_state_dict(mean)

    def test_shapes_and_size(self) -> None:
        model = Classifier().eval()
        for n in (1, 3):
            shapes = [tuple(o.shape) for o in model(torch.rand(n, 3, 80, 64))]
            self.assertEqual(shapes, [(n, 44), (n, 4), (n, 1)])
        self.assertLess(sum(p.numel() for p in model.parameters()), 1_200_000)

    def test_the_large_one_has_the_names_of_its_checkpoints(self) -> None:
        model = Classifier(LARGE).eval()
        shapes = [tuple(o.shape) for o in model(torch.rand(2, 3, 80, 64))]
        self.assertEqual(shapes, [(2, 44), (2, 4), (2, 1)])
        state = {name: tuple(value.shape) for name, value in model.state_dict().items()}
        self.assertEqual(state["body.0.0.weight"], (32, 3, 3, 3))
        self.assertEqual(
            [name for name in state if name.endswith("skip.0.weight")], [f"body.{n}.skip.0.weight" for n in (3, 5, 8)]
        )
        self.assertEqual((state["body.8.b.0.weight"], state["where.0.0.weight"]), ((224, 224, 3, 3), (48, 224, 1, 1)))
        self.assertEqual(state["heads.weight"], (49, 224 + 48 * 5 * 4))

    def test_symmetric_faces_accept_either_half_turn(self) -> None:
        classes, red = torch.zeros(1, 44), torch.zeros(1, 1)
        upside = torch.tensor([[0.0, 0.0, 9.0, 0.0]])
        turn, is_red = torch.tensor([0]), torch.tensor([False])
        labels = [torch.tensor([INDEX[code]]) for code in ("8p", "7p")]
        losses = [float(loss_of((classes, upside, red), label, turn, is_red)) for label in labels]
        self.assertLess(losses[0], losses[1] - 1)


if __name__ == "__main__":
    unittest.main()
