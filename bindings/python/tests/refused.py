"""Use of the package that type checkers refuse: mypy complains of a comment that has nothing to
ignore."""

import tilesight

tilesight.score("11m", seet="E")  # type: ignore[call-arg]
tilesight.score("11m", seat="Q")  # type: ignore[arg-type]
tilesight.score("11m", honba="3")  # type: ignore[arg-type]
tilesight.score("11m", declared=["haven"])  # type: ignore[list-item]
tilesight.score("11m", lang="tlh")  # type: ignore[arg-type]
tilesight.score_many(["11m"], win="drawn")  # type: ignore[call-overload]
print(tilesight.score_many(["11m"], keep_errors=True)[0].total)  # type: ignore[union-attr]
print(tilesight.score("11m").totals)  # type: ignore[attr-defined]
tilesight.scores("11m", ["mmm"], riichi="yes")  # type: ignore[arg-type]
tilesight.Evening.begin(["Ada"], rulset="mmm")  # type: ignore[call-arg]
tilesight.Reader().read("photo.jpg", ruleset=3)  # type: ignore[arg-type]
tilesight.Reader().read(3)  # type: ignore[arg-type]
context: tilesight.Context = {"seat": "E", "prevailing": "S"}  # type: ignore[typeddict-unknown-key]
