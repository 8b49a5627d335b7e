"""The generated Python client against the real service: reads a photo, corrects it, asks for the
rules, and plays a deal."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from tilesight_client import Client
from tilesight_client.api.games import change_game, create_game, export_game
from tilesight_client.api.hands import answer_reading, read_hand, score_hand
from tilesight_client.api.rules import list_rulesets
from tilesight_client.models import (
    Answer,
    AnsweredReading,
    AnswersRequest,
    CompactAnswer,
    Context,
    Detail,
    DoubtfulReading,
    Game,
    GameActionAdd,
    GameActionAddKind,
    Hand,
    NewChange,
    NewGame,
    PhotoForm,
    PlayDraw,
    PlayDrawKind,
    Problem,
    Riichi,
    Score,
    SideBySideRequest,
)
from tilesight_client.types import File

PHOTO = Path(__file__).resolve().parents[2] / "datasets" / "samples" / "demo.jpg"


def check(client: Any) -> str:
    """Every address that an app needs, typed."""
    with PHOTO.open("rb") as photo:
        form = PhotoForm(
            photo=[File(payload=photo, file_name="photo.jpg", mime_type="image/jpeg")], rulesets="mcr-wmo,mcr-mil"
        )
        read = read_hand.sync(client=client, body=form)
    assert isinstance(read, Answer), read
    assert len(read.scores) == 2 and isinstance(read.reading.hand, Hand), read

    with PHOTO.open("rb") as photo:
        form = PhotoForm(
            photo=[File(payload=photo, file_name="photo.jpg", mime_type="image/jpeg")], detail=Detail.COMPACT
        )
        compact = read_hand.sync(client=client, body=form)
    assert isinstance(compact, CompactAnswer) and compact.hand.notation == read.reading.hand.notation, compact

    typed = score_hand.sync(client=client, body=SideBySideRequest(hand=read.reading.hand))
    assert isinstance(typed, Score) and typed.total > 0, typed
    context = Context(ruleset="riichi-tenhou", riichi=Riichi.DOUBLE, dora_indicators=["4m"])
    riichi = score_hand.sync(client=client, body=SideBySideRequest(hand="123m406p789s55m34s5s", context=context))
    assert isinstance(riichi, Score) and sum(part.fu for part in riichi.fu_parts) == riichi.fu, riichi
    refused = score_hand.sync(client=client, body=SideBySideRequest(hand="11m"))
    assert isinstance(refused, Problem) and refused.status == 422, refused

    before = DoubtfulReading.from_dict(read.reading.to_dict())
    corrected = answer_reading.sync(
        client=client, body=AnswersRequest(reading=before, hand="123456789m11pFFF", rulesets=["mcr-wmo"])
    )
    assert isinstance(corrected, AnsweredReading) and corrected.changes.tiles, corrected

    rules = list_rulesets.sync(client=client, accept_language="de")
    assert "check-club" in [one.id for one in rules.rulesets], "a club's own rule set, which the client does not know"
    assert rules.rulesets[0].lines[0].name == "Vier große Winde", rules.rulesets[0].lines[0]
    begun = create_game.sync_detailed(client=client, body=NewGame(players=["Anna", "Bo", "Clara", "Dorte"]))
    assert isinstance(begun.parsed, Game), begun
    draw = GameActionAdd(kind=GameActionAddKind.ADD, play=PlayDraw(kind=PlayDrawKind.DRAW))
    played = change_game.sync(
        begun.parsed.id, client=client, body=NewChange(action=draw), if_match=begun.headers["etag"]
    )
    assert isinstance(played, Game) and len(played.rows) == 1, played
    table = export_game.sync(begun.parsed.id, client=client)
    assert isinstance(table, str) and table.count("\n") == 6, table
    return f"a photo read as {read.reading.hand.notation}, {typed.total} points"


print(check(Client(base_url=sys.argv[1])))
