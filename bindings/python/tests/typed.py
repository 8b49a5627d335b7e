"""Use of the package that type checkers accept."""

import io
from typing import Literal

import tilesight

score: tilesight.Score = tilesight.score("[EEE,2]123m456p789s5s5s", seat="S", win="discard", lang="de")
total: int = score.total
han: int | None = score.han
names: list[str] = [award.name for award in score.awards]
tiles: list[str] = [tile for one in score.sets for tile in one.tiles]
paid: dict[str, int] = score.payments
many: tilesight.Scores[tilesight.Score] = tilesight.score_many(["11m"], seat="E")
totals: list[int] = [one.total for one in many]
kept = tilesight.score_many([{"hand": "11m", "context": {"ruleset": "mmm"}}], keep_errors=True)
for one in kept:
    faults: str | int = one.detail if isinstance(one, tilesight.Problem) else one.total
several: list[tilesight.Score | tilesight.Problem] = kept[1:]
context: tilesight.Context = {"seat": "E", "win": "discard", "from_": "left", "declared": ["heaven"]}
parsed = tilesight.parse("11m", **context)
again: tilesight.Score = tilesight.score(parsed.hand, **parsed.context)
side: tilesight.Score | None = tilesight.scores("11m", ["mmm"], **context)[0].score
evening = tilesight.Evening.begin(["Ada", "Bo", "Cy", "Di"], ruleset="mcr-wmo", title="Tuesday")
game = evening.change({"kind": "add", "play": {"kind": "win", "winner": 1, "hand": "11m", "context": context}})
state: Literal["running", "complete", "finished"] = game.state
reader = tilesight.Reader()
reading: tilesight.Reading = reader.read("photo.jpg", rulesets=["mcr-wmo"], riichi="double", focus=(3, 4))
in_memory: tilesight.Reading = reader.read(io.BytesIO(b""))
read: tilesight.Score | None = reading.score
status: Literal["ok", "needs_review", "no_hand"] = reading.status
questions: list[str] = [doubt.question for doubt in reading.doubts]
answered: tilesight.Reading = reading.answer({"doubt": "d1", "answer": "1m"})
try:
    tilesight.score("11x")
except tilesight.NotationError as problem:
    place: int | None = problem.errors[0].character
