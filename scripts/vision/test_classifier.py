"""Checks of the faces, the crop generator and the classifier that need no training and no shared
data.

Run: `PYTHONPATH=scripts python3 -m unittest vision.test_classifier`. Each test names the mistake
that it once caught or would.
"""

import unittest
from unittest import mock

import numpy as np
import torch

from . import crops_tiles as tiles
from .classifier import Classifier, fold
from .crops import INDEX, CropFactory, small_faces
from .crops_real import box_quad
from .faces import BONUS, CLASSES, CODES, generate_set, joker
from .faces_finish import finish
from .frontend import cut, to_light, turned
from .train_classifier import loss_of


class Faces(unittest.TestCase):
    """What generated sets promise."""

    @classmethod
    def setUpClass(cls):
        cls.sets = [generate_set(seed) for seed in range(5)]

    def test_every_face_has_ink_except_a_white_dragon(self):
        for s in self.sets:
            for code in CODES:
                face = s.face(code)
                self.assertEqual(face.shape, (256, 192, 4))
                if code != "P":
                    self.assertGreater((face[..., 3] > 128).mean(), 0.02, f"{s.name} {code}")

    def test_faces_of_a_set_differ_from_each_other(self):
        for s in self.sets:
            plain = [c for c in CODES if c not in BONUS]
            for i, a in enumerate(plain):
                for b in plain[i + 1:]:
                    apart = np.abs(s.face(a).astype(int) - s.face(b)).mean()
                    self.assertGreater(apart, 0.5, f"{s.name}: {a} looks like {b}")

    def test_a_seed_draws_the_same_set_again(self):
        again = generate_set(3)
        for code in ("1s", "f1", "9p", "P"):
            np.testing.assert_array_equal(again.face(code), self.sets[3].face(code))

    def test_a_finish_keeps_the_ink(self):
        # A scalar maximum once cleared the alpha channel, and training saw blank tiles under every
        # name.
        face = tiles.cv2.resize(self.sets[0].face("8p"), (72, 96), interpolation=tiles.cv2.INTER_AREA)
        for seed in range(20):
            painted = finish(face, np.random.default_rng(seed))
            self.assertGreater(painted[..., 3].sum(), 0.2 * face[..., 3].sum())


class Crops(unittest.TestCase):
    """What rendered and cut crops promise."""

    def test_the_face_shows_in_the_patch(self):
        faces = small_faces(generate_set(1))
        ground = np.full((64, 64, 3), 90, np.uint8)
        for code in ("1m", "7p", "9s", "E", "s2"):
            shown = []
            for face in (faces[code], np.zeros_like(faces[code])):
                rng = np.random.default_rng(4)
                how = tiles.make(rng, light_only=True)
                shown.append(tiles.lay(np.random.default_rng(9), how, ground, [(tiles.face_sprite(rng, how, face), False)]).astype(int))
            x0, y0, x1, y1 = tiles.HOME
            self.assertGreater(np.abs(shown[0] - shown[1])[y0:y1, x0:x1].mean(), 3, code)

    def test_samples_are_repeatable_and_well_formed(self):
        factory = CropFactory([small_faces(generate_set(2))], seed=5)
        first, second = ([factory.sample(np.random.default_rng(k)) for k in range(40)] for _ in range(2))
        for a, b in zip(first, second):
            self.assertEqual((a.image.shape, a.image.dtype), ((80, 64, 3), np.uint8))
            np.testing.assert_array_equal(a.image, b.image)
            self.assertTrue(0 <= a.label < 44 and -1 <= a.turn < 4)

    def test_a_cut_keeps_the_order_of_corners_and_stands_the_long_side_up(self):
        image = np.zeros((200, 300, 3), np.uint8)
        image[60:140, 100:130] = (255, 0, 0)  # The left half of an upright box is red.
        upright = cut(image, box_quad(100, 60, 60, 80), 1.0)
        self.assertGreater(upright[:, :28, 0].mean(), 240)
        self.assertLess(upright[:, 36:, 0].mean(), 15)
        # A lying box starts at its second corner: what was on the right comes to the top.
        lying = cut(image, box_quad(100, 60, 160, 80), 1.0)
        self.assertLess(lying[:40, :, 0].mean(), 15)
        self.assertGreater(lying[68:, :, 0].mean(), 240)

    def test_a_dark_set_comes_to_light_and_a_light_one_stays(self):
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

    def test_turned_twice_is_as_before(self):
        crop = np.random.default_rng(1).integers(0, 256, (80, 64, 3)).astype(np.uint8)
        np.testing.assert_array_equal(turned(turned(crop)), crop)
        self.assertEqual(tuple(turned(np.uint8([[[30, 30, 34]]]))[0, 0]), (221, 221, 225))

    def test_the_looks_at_one_tile_share_its_name(self):
        factory = CropFactory([small_faces(generate_set(2))], seed=5)
        for k in range(20):
            looks = factory.samples(np.random.default_rng(k), 3)
            self.assertEqual((len(looks), len({c.label for c in looks})), (3, 1))

    def test_jokers_are_drawn_and_differ(self):
        drawn = [joker(k) for k in range(30)]
        for face in drawn:
            self.assertGreater((face[..., 3] > 128).mean(), 0.01)
        self.assertGreater(len({face.tobytes() for face in drawn}), 25)

    def test_class_order_is_the_contract(self):
        self.assertEqual(len(CLASSES), 44)
        self.assertEqual((CLASSES[0], CLASSES[26], CLASSES[27], CLASSES[33], CLASSES[34], CLASSES[43]), ("1m", "9s", "E", "P", "f1", "none"))
        self.assertEqual((INDEX["0p"], INDEX["back"]), (INDEX["5p"], 42))


class Network(unittest.TestCase):
    """Shapes, size, folding, and the loss's treatment of turns."""

    def test_folded_it_answers_the_same_and_its_state_fits_back(self):
        torch.manual_seed(3)
        plain, crops = Classifier(), torch.rand(16, 3, 80, 64)
        plain(crops)  # In training, so that the normalisations have seen something.
        before = plain.eval()(crops)[0].detach()
        fold(plain)
        again = Classifier()
        again.load_state_dict(plain.state_dict())
        for model in (plain, again.eval()):
            self.assertLess(float((model(crops)[0] - before).abs().max()), 1e-4)

    def test_shapes_and_size(self):
        model = Classifier().eval()
        for n in (1, 3):
            shapes = [tuple(o.shape) for o in model(torch.rand(n, 3, 80, 64))]
            self.assertEqual(shapes, [(n, 44), (n, 4), (n, 1)])
        self.assertLess(sum(p.numel() for p in model.parameters()), 1_200_000)

    def test_symmetric_faces_accept_either_half_turn(self):
        classes, red = torch.zeros(1, 44), torch.zeros(1, 1)
        upside = torch.tensor([[0.0, 0.0, 9.0, 0.0]])
        loss = lambda code: float(loss_of((classes, upside, red), torch.tensor([INDEX[code]]), torch.tensor([0]), torch.tensor([False])))  # noqa: E731
        self.assertLess(loss("8p"), loss("7p") - 1)


if __name__ == "__main__":
    unittest.main()
