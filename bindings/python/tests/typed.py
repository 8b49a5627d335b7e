"""Use of the package that a type checker accepts."""

import io

import tilesight

score: tilesight.Score = tilesight.score("[EEE,2]123m456p789s5s5s", seat="S", win="discard")
total: int = score.total
names: list[str] = [award.name for award in score.awards]
paid: dict[str, int] = score.payments
totals: list[int] = [one.total for one in tilesight.score_many(["11m"], seat="E")]
evening = tilesight.Evening.begin(["Ada", "Bo", "Cy", "Di"])
reader = tilesight.Reader()
reading: tilesight.Reading = reader.read("photo.jpg", rulesets=["mcr-wmo"])
in_memory: tilesight.Reading = reader.read(io.BytesIO(b""))
read: tilesight.Score | None = reading.score
