"""Hands, rule sets and evenings through the installed package."""

from __future__ import annotations

import copy
import dataclasses
import importlib.metadata
import io
import json
import pickle
import re
import threading
import typing
import unittest
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import tilesight
from tilesight import _part
from tilesight.mahjonggb import MahjongFanCalculator

HAND = "[EEE,2]123m456p789s5s5s"
DOCS = Path(__file__).resolve().parents[3] / "docs/python.md"
RIICHI = "234m456p789s55m34s+5s"
#: The package without its types, for what they refuse.
UNCHECKED: Any = tilesight
SIXTEEN = "123m456m789m123p456p5s+5s"


def plain(value: Any) -> Any:
    """An object as JSON has it."""
    return _part.plain(value)


def without_defaults(value: Any) -> Any:
    """JSON without the fields that say nothing."""
    if isinstance(value, dict):
        stripped = {name: without_defaults(one) for name, one in value.items()}
        return {name: one for name, one in stripped.items() if one not in (None, False, [], {})}
    return [without_defaults(one) for one in value] if isinstance(value, list) else value


class Scores(unittest.TestCase):
    def test_a_score_is_typed(self) -> None:
        score = tilesight.score(HAND, seat="E", prevalent="S", win="self_drawn")
        self.assertEqual(score.total, 12)
        self.assertTrue(score.legal)
        award = next(award for award in score.awards if award.code == "mixed_straight")
        self.assertEqual((award.points, award.count), (8, 1))
        tiles = ["".join(tile[0] for tile in one.tiles) for one in award.sets[0]]
        self.assertEqual(tiles, ["123", "456", "789"])
        self.assertEqual(sum(score.payments.values()), 0)
        self.assertEqual(json.loads(score.to_json()), score.to_dict())

    def test_every_field_of_the_contract_is_an_attribute(self) -> None:
        for ruleset, hand in [("mcr-wmo", HAND), ("riichi-tenhou", RIICHI), ("hk-old", HAND), ("tw-common", SIXTEEN)]:
            score = tilesight.score(hand, ruleset=ruleset, seat="E", win="self_drawn")
            for name, value in score.to_dict().items():
                built = without_defaults(plain(getattr(score, name)))
                self.assertEqual(built, without_defaults(value), f"{ruleset}: {name}")
        fields = [field.name for field in dataclasses.fields(tilesight.types.ScoreFields)]
        self.assertEqual([name for name in fields if not hasattr(score, name)], [])

    def test_games_count_in_their_own_units(self) -> None:
        riichi = tilesight.score(RIICHI, ruleset="riichi-tenhou", riichi="riichi", dora_indicators=["1m"])
        self.assertEqual((riichi.fu, riichi.faan, riichi.tai, riichi.limit), (30, None, None, None))
        self.assertEqual(riichi.han, sum(award.han or 0 for award in riichi.awards))
        self.assertEqual(sum(part.fu for part in riichi.fu_parts or ()), 30)
        faan = tilesight.score(HAND, ruleset="hk-old")
        self.assertEqual((faan.faan, faan.han, faan.fu_parts), (faan.total, None, None))
        self.assertEqual(
            tilesight.score(SIXTEEN, ruleset="tw-common").tai, tilesight.score(SIXTEEN, ruleset="tw-common").total
        )

    def test_a_score_is_a_value(self) -> None:
        score, same = tilesight.score(HAND, seat="E"), tilesight.score(HAND, seat="E")
        self.assertEqual(score, same)
        self.assertEqual(hash(score), hash(same))
        self.assertNotEqual(score, tilesight.score(HAND, seat="S"))
        self.assertNotEqual(score, score.total)
        for other in (
            copy.copy(score),
            copy.deepcopy(score),
            pickle.loads(pickle.dumps(score)),
            tilesight.Score.from_dict(score.to_dict()),
        ):
            self.assertEqual((other, other.awards, hash(other)), (score, score.awards, hash(score)))
            self.assertEqual(json.loads(other.to_json()), score.to_dict())
        self.assertEqual(repr(score), f"<Score {score.total} by mcr-wmo>")
        self.assertIs(score.awards, score.awards)
        score.payments["E"] = 0
        self.assertEqual(score, same)
        self.assertEqual(score.payments, same.payments)

    def test_parts_are_values(self) -> None:
        award = tilesight.score(HAND).awards[0]
        for other in (copy.deepcopy(award), pickle.loads(pickle.dumps(award)), type(award).from_dict(award.to_dict())):
            self.assertEqual((other, hash(other)), (award, hash(award)))
        with self.assertRaises(AttributeError):
            setattr(award, "points", 3)  # noqa: B010
        self.assertIn("Award(code=", repr(award))

    def test_objects_and_texts_say_the_same(self) -> None:
        parsed = tilesight.parse(HAND, seat="S", win="discard", from_="across")
        score = tilesight.score(HAND, seat="S", win="discard", from_="across")
        self.assertIsInstance(parsed.hand, tilesight.Hand)
        self.assertEqual([meld.kind for meld in parsed.hand.melds], ["pung"])
        for hand in (parsed.hand, parsed.hand.to_dict(), tilesight.Hand.from_dict(parsed.hand.to_dict())):
            self.assertEqual(tilesight.score(hand, **parsed.context), score)
            self.assertEqual(tilesight.score_many([hand], **parsed.context)[0].total, score.total)
            given = {"hand": hand, "context": parsed.context}
            self.assertEqual(tilesight.score_many([given])[0], score)
        self.assertIn("discard", parsed.possible.win)

    def test_from_is_spelt_with_an_underscore(self) -> None:
        score = tilesight.score(HAND, seat="S", win="discard", from_="left")
        self.assertLess(score.payments["E"], score.payments["N"])

    def test_names_come_in_all_languages(self) -> None:
        languages = typing.get_args(tilesight.Lang)
        names = {tilesight.score(HAND, lang=lang).awards[0].name for lang in languages}
        self.assertGreaterEqual(len(names), len(languages) - 1)
        with self.assertRaisesRegex(ValueError, "lang"):
            UNCHECKED.score(HAND, lang="tlh")

    def test_many_hands_score_as_each_alone(self) -> None:
        hands = [HAND, "11223344556677m", {"hand": HAND, "context": {"ruleset": "mmm"}}] * 200
        many = tilesight.score_many(hands, seat="S")
        self.assertEqual(len(many), 600)
        self.assertEqual(many[0].to_dict(), tilesight.score(HAND, seat="S").to_dict())
        self.assertEqual(many[2].ruleset, "mmm")
        lines = f"{HAND}\n\n11223344556677m\n".encode()
        for buffer in (lines, bytearray(lines), memoryview(lines)):
            self.assertEqual(tilesight.score_many(buffer, seat="S").totals, many.totals[:2])

    def test_a_wrong_hand_among_many_is_named(self) -> None:
        with self.assertRaises(tilesight.NotationError) as caught:
            tilesight.score_many([HAND, "11x"])
        self.assertEqual(caught.exception.errors[0].field, "hands[1].hand")
        for hand in ("12m45m78m12p45p78s11s", "1m" * 100_000):
            with self.assertRaises(tilesight.Problem) as caught:
                tilesight.score_many([HAND, HAND, hand])
            self.assertEqual(caught.exception.errors[0].field, "hands[2]")
        kept: Any = tilesight.score_many([HAND, "11x", HAND], keep_errors=True)
        self.assertIsInstance(kept[1], tilesight.NotationError)
        self.assertEqual(kept[0].total, kept[-1].total)
        self.assertEqual(kept.totals, [kept[0].total, None, kept[0].total])
        self.assertEqual(kept.problems, {1: kept[1]})
        self.assertEqual(kept[::2], [kept[0], kept[2]])
        self.assertEqual([type(one).__name__ for one in kept], ["Score", "NotationError", "Score"])
        self.assertEqual(repr(kept), "<Scores of 3 hands, 1 problems>")
        with self.assertRaises(IndexError):
            kept[3]

    def test_rule_sets_side_by_side(self) -> None:
        scores = tilesight.scores(HAND, ["mcr-wmo", "mmm", "hk-old"], seat="E")
        self.assertEqual([score.ruleset for score in scores], ["mcr-wmo", "mmm", "hk-old"])
        self.assertEqual(scores[0].score, tilesight.score(HAND, seat="E"))
        self.assertIn("mcr-wmo", [rules.id for rules in tilesight.rulesets()])
        seven = "1122334455667m+7m"
        refused = tilesight.scores(seven, ["mcr-wmo", "tw-common"])[1]
        self.assertIsNone(refused.score)
        self.assertIsInstance(refused.problem, tilesight.HandError)

    def test_a_club_has_rules_of_its_own(self) -> None:
        profile = 'id = "club"\nextends = "mcr-wmo"\n[title]\nen = "Club"\n'
        rules = tilesight.Rules(profile)
        self.assertEqual(rules.score(HAND, ruleset="club").total, tilesight.score(HAND).total)
        with self.assertRaises(tilesight.RequestError):
            tilesight.score(HAND, ruleset="club")
        with self.assertRaises(tilesight.RequestError):
            tilesight.Rules('id = "club"\nextends = "nothing"\n')
        again = pickle.loads(pickle.dumps(rules))
        self.assertEqual(again, rules)
        self.assertEqual(again.score(HAND, ruleset="club"), rules.score(HAND, ruleset="club"))
        self.assertIs(pickle.loads(pickle.dumps(tilesight.SHIPPED)), tilesight.SHIPPED)

    def test_the_version_is_that_of_the_package(self) -> None:
        self.assertEqual(tilesight.__version__, importlib.metadata.version("tilesight"))

    def test_a_notebook_shows_a_table(self) -> None:
        html = tilesight.score(HAND)._repr_html_()
        self.assertIn("Mixed Straight", html)
        self.assertIn("<table>", html)
        self.assertIn("<code>", html)


class Documentation(unittest.TestCase):
    def test_its_examples_run(self) -> None:
        blocks = re.findall(r"(<!-- not run[^>]*-->\n)?```python\n(.*?)```", DOCS.read_text(), re.DOTALL)
        self.assertGreater(len(blocks), 4)
        for skipped, block in blocks:
            with self.subTest(block), redirect_stdout(io.StringIO()):
                exec(compile("" if skipped else block, DOCS.name, "exec"), {})

    def test_it_names_every_field_of_the_context(self) -> None:
        text = DOCS.read_text()
        names = tilesight.Context.__annotations__
        self.assertEqual([name for name in names if f"`{name}`" not in text], [])


class CallStyleOfPyMahjongGB(unittest.TestCase):
    MELDS = (("PENG", "F1", 2), ("GANG", "J1", 0), ("CHI", "B5", 1))
    TILES = ("T7", "T8", "T9", "T5")

    def fans(
        self,
        melds: Any = MELDS,
        tiles: Any = TILES,
        won: str = "T5",
        flowers: int = 1,
        seat: int = 0,
        prevalent: int = 1,
        **flags: Any,
    ) -> tuple[tuple[Any, ...], ...]:
        drawn, last = flags.get("drawn", True), flags.get("last", False)
        verbose = flags.get("verbose", False)
        return MahjongFanCalculator(melds, tiles, won, flowers, drawn, last, False, False, seat, prevalent, verbose)

    def test_the_fans_are_those_of_the_score(self) -> None:
        awards = tilesight.score("[EEE,2][CCCC][456p,1]789s55s|SE1000|1").awards
        expected = [(award.points * award.count, award.name) for award in awards]
        self.assertEqual([(line[0] * line[1], line[3]) for line in self.fans(verbose=True)], expected)
        lines = self.fans()
        self.assertEqual(sum(points for points, _ in lines), sum(points for points, _ in expected))
        self.assertIn((1, "独听・单钓"), lines)
        self.assertEqual(self.fans(list(self.MELDS), list(self.TILES)), lines)
        self.assertEqual(
            self.fans((), ("W1",) * 3 + ("W2",) * 3 + ("W3",) * 3 + ("F1", "F1", "F1", "J1"), "J1", 0)[0][0], 64
        )

    def test_a_value_that_is_not_a_hand_is_a_type_error(self) -> None:
        for wrong in [
            {"melds": (("CHI", "B9", 1),)},
            {"melds": (("CHI", "F2", 1),)},
            {"melds": (("SET", "B5", 1),)},
            {"melds": (("PENG", "B5", 4),)},
            {"melds": (("PENG", "B5"),)},
            {"melds": 3},
            {"tiles": ("T7", "T8", "T9", "X5")},
            {"tiles": ("T0", "T8", "T9", "T5")},
            {"tiles": ("F5", "T8", "T9", "T5")},
            {"tiles": ("T7", "T8", "T5")},
            {"tiles": ("T7", "T8", "B9", "T5")},
            {"tiles": ("T7",) * 1000},
            {"tiles": range(10**9)},
            {"tiles": (7, 8, 9, 5)},
            {"won": ""},
            {"flowers": 9},
            {"seat": 4},
            {"last": True},
        ]:
            with self.subTest(wrong), self.assertRaises(TypeError):
                self.fans(**wrong)


class Problems(unittest.TestCase):
    def test_each_kind_of_fault_has_a_class(self) -> None:
        for hand, context, expected, field in [
            ("11x", {}, tilesight.NotationError, "hand"),
            ("11111m22m33m44m5m", {}, tilesight.HandError, "hand.concealed"),
            ("12m45m78m12p45p78s11s", {}, tilesight.HandError, None),
            (HAND, {"win": "self_drawn", "from_": "left"}, tilesight.ContextError, "context.from"),
            (HAND, {"seet": "E"}, tilesight.RequestError, "context.seet"),
            (HAND, {"seat": 3}, tilesight.RequestError, "context.seat"),
            (HAND, {"ruleset": "none"}, tilesight.RequestError, "context.ruleset"),
            ({"concealed": {}}, {}, tilesight.RequestError, "hand.concealed"),
            (3, {}, tilesight.RequestError, "hand"),
        ]:
            with self.subTest(hand=hand, context=context), self.assertRaises(expected) as caught:
                UNCHECKED.score(hand, **context)
            problem = caught.exception
            self.assertTrue(problem.type.startswith("urn:tilesight:problem:"))
            self.assertGreaterEqual(problem.status, 400)
            if field is not None:
                self.assertEqual(problem.errors[0].field, field)

    def test_a_problem_can_be_copied_and_pickled(self) -> None:
        try:
            tilesight.score("11x")
        except tilesight.Problem as problem:
            for other in (copy.copy(problem), pickle.loads(pickle.dumps(problem))):
                self.assertEqual(other.to_dict(), problem.to_dict())
                self.assertEqual((other, hash(other)), (problem, hash(problem)))
                self.assertIs(type(other), type(problem))
                self.assertEqual((other.errors[0].field, other.errors[0].character), ("hand", 3))

    def test_hostile_arguments_are_refused(self) -> None:
        deep = []
        for _ in range(100_000):
            deep = [deep]
        for hand in [
            "\x00" * 10,
            "1m" * 1_000_000,
            "\udc80",
            "🀇" * 14,
            b"\xff\xfe",
            [HAND],
            {},
            None,
            deep,
            float("nan"),
        ]:
            with self.assertRaises((tilesight.Problem, ValueError, TypeError, RecursionError)):
                tilesight.score(hand)
        for hands in [b"\xff", [None], [{"hand": {"melds": [[[]]]}}], 3, [["\udc80"]]]:
            with self.assertRaises((tilesight.Problem, ValueError, TypeError)):
                tilesight.score_many(hands)
        self.assertEqual(len(tilesight.score_many([])), 0)

    def test_threads_may_share_everything(self) -> None:
        expected = tilesight.score(HAND).to_dict()
        shared, wrong = tilesight.score(HAND), []

        def work() -> None:
            for _ in range(200):
                if tilesight.score(HAND).to_dict() != expected or shared.to_dict() != expected:
                    wrong.append(1)

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])


class Evenings(unittest.TestCase):
    def test_an_evening_is_kept_and_opened_again(self) -> None:
        evening = tilesight.Evening.begin(["Ada", "Bo", "Cy", "Di"], ruleset="mcr-wmo")
        view = evening.change({"kind": "add", "play": {"kind": "draw"}})
        self.assertEqual([row.play["kind"] for row in view.rows], ["draw"])
        again = tilesight.Evening(evening.to_json())
        self.assertEqual(again.view(), evening.view())
        for other in (again, copy.copy(evening), copy.deepcopy(evening), pickle.loads(pickle.dumps(evening))):
            self.assertEqual(other, evening)
            other.change({"kind": "add", "play": {"kind": "draw"}})
            self.assertNotEqual(other, evening)
        self.assertEqual(repr(evening), "<Evening mcr-wmo: Ada, Bo, Cy, Di, 1 entries>")
        self.assertIn("Ada", evening.csv())
        before = evening.view()
        with self.assertRaises(tilesight.EntryError):
            evening.change({"kind": "rename", "title": "", "players": ["Ada"] * 4})
        self.assertEqual(evening.view(), before)
        with self.assertRaises(tilesight.Problem):
            tilesight.Evening('{"a": 1}')

    def test_an_evening_of_riichi_refuses_what_can_not_follow(self) -> None:
        evening: Any = tilesight.Evening.begin(["Ada", "Ben", "Cy", "Di"], ruleset="riichi-tenhou")
        stick = {"kind": "add", "play": {"kind": "riichi", "player": 1}}
        self.assertEqual(evening.change(stick).next.may_declare, (0, 2, 3))
        with self.assertRaisesRegex(tilesight.EntryError, "Ben laid a stick in this deal already"):
            evening.change(stick)
        points = {"kind": "points", "winner": 1, "discarder": 0, "points": 8001}
        with self.assertRaisesRegex(tilesight.EntryError, "8000, 12000"):
            evening.change({"kind": "add", "play": points})
        win = {"kind": "win", "winner": 1, "discarder": 0, "hand": "234m456p789s55m34s+5s"}
        row = evening.change({"kind": "add", "play": win}).rows[1]
        self.assertEqual((row.riichi_by_stick, row.score.han), (True, 2))


if __name__ == "__main__":
    unittest.main()
