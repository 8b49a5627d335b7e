//! Parsers of actions and events from JSON objects whose `kind` determines their other fields.
//!
//! Input: an object, with `kind` anywhere in it. Output: an [`ActionDto`] or a [`PlayDto`]. The
//! enums that serde derives for a tag buffer the fields until the tag is known, so an error in a
//! field has the path of the whole object; here each field is read in its place. Invariants: an
//! error has the path of its field; a kind has its own fields and no others.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeSeed, Error, IntoDeserializer, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::{ActionDto, OtherPlayerDto, PlayDto, WinDto};
use crate::contract::{ContextDto, HandInput, object, objects};
use crate::evening::play::{MIN_PLAYERS, Reason};
use crate::evening::{
    Draw, EntryId, ExhaustiveDraw, HandPoints, Manual, OfPlayer, PLAYERS, Player, PlayerPoints,
    RiichiStick,
};
use crate::rules::law::AbortKind;

/// The fields of all kinds of an object.
pub(crate) trait FieldsByKind: for<'de> Deserialize<'de> {
    /// Returns the names of the fields that the kind has.
    fn names(&self) -> &'static [&'static str];
}

/// Kinds of actions.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ActionKind {
    Add,
    Correct,
    Remove,
    Rename,
    Finish,
    Undo,
}

/// Fields of all kinds of actions.
#[derive(Deserialize)]
struct ActionFields {
    kind: ActionKind,
    #[serde(default, deserialize_with = "deserialize_present_object")]
    play: Option<PlayDto>,
    #[serde(default)]
    before: Option<EntryId>,
    #[serde(default, deserialize_with = "deserialize_present")]
    entry: Option<EntryId>,
    #[serde(default, deserialize_with = "deserialize_present")]
    title: Option<String>,
    #[serde(default, deserialize_with = "deserialize_present_names")]
    players: Option<Vec<String>>,
    #[serde(default, deserialize_with = "deserialize_present")]
    change: Option<u32>,
}

/// Kinds of events in a deal.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum PlayKind {
    Win,
    Points,
    Draw,
    ExhaustiveDraw,
    Riichi,
    DeadHand,
    Chombo,
    Manual,
}

/// Fields of all kinds of events in a deal.
#[derive(Deserialize)]
struct PlayFields {
    kind: PlayKind,
    #[serde(default, deserialize_with = "deserialize_present")]
    winner: Option<Player>,
    #[serde(default)]
    discarder: Option<Player>,
    #[serde(default)]
    same_discard: bool,
    #[serde(default)]
    east: Option<Player>,
    #[serde(default)]
    liable: Option<Player>,
    #[serde(default, deserialize_with = "deserialize_present")]
    hand: Option<HandInput>,
    #[serde(default)]
    winning_tile_supposed: bool,
    #[serde(default)]
    context: ContextDto,
    #[serde(default, deserialize_with = "objects")]
    others: Vec<OtherPlayerDto>,
    #[serde(default, deserialize_with = "deserialize_present")]
    points: Option<u32>,
    #[serde(default, deserialize_with = "deserialize_present")]
    reason: Option<Reason>,
    #[serde(default, deserialize_with = "deserialize_present")]
    player: Option<Player>,
    #[serde(default, deserialize_with = "deserialize_present")]
    payments: Option<PlayerPoints>,
    #[serde(default)]
    tenpai: Vec<Player>,
    #[serde(default)]
    nagashi: Vec<Player>,
    #[serde(default)]
    abort: Option<AbortKind>,
    #[serde(default)]
    ends_deal: bool,
    #[serde(default)]
    note: Option<String>,
}

impl FieldsByKind for ActionFields {
    fn names(&self) -> &'static [&'static str] {
        match self.kind {
            ActionKind::Add => &["kind", "play", "before"],
            ActionKind::Correct => &["kind", "entry", "play"],
            ActionKind::Remove => &["kind", "entry"],
            ActionKind::Rename => &["kind", "title", "players"],
            ActionKind::Finish => &["kind"],
            ActionKind::Undo => &["kind", "change"],
        }
    }
}

impl FieldsByKind for PlayFields {
    fn names(&self) -> &'static [&'static str] {
        match self.kind {
            PlayKind::Win => &[
                "kind",
                "winner",
                "discarder",
                "same_discard",
                "east",
                "liable",
                "hand",
                "winning_tile_supposed",
                "context",
                "others",
            ],
            PlayKind::Points => {
                &["kind", "winner", "discarder", "same_discard", "liable", "points"]
            }
            PlayKind::Draw => &["kind", "abort"],
            PlayKind::ExhaustiveDraw => &["kind", "tenpai", "nagashi"],
            PlayKind::Riichi | PlayKind::DeadHand | PlayKind::Chombo => &["kind", "player"],
            PlayKind::Manual => &["kind", "reason", "player", "payments", "ends_deal", "note"],
        }
    }
}

impl<'de> Deserialize<'de> for ActionDto {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ActionDto, D::Error> {
        let ActionFields { kind, play, before, entry, title, players, change } =
            read_by_kind(deserializer)?;
        Ok(match kind {
            ActionKind::Add => ActionDto::Add { play: require("play", play)?, before },
            ActionKind::Correct => {
                ActionDto::Correct { entry: require("entry", entry)?, play: require("play", play)? }
            }
            ActionKind::Remove => ActionDto::Remove { entry: require("entry", entry)? },
            ActionKind::Rename => ActionDto::Rename {
                title: require("title", title)?,
                players: require("players", players)?,
            },
            ActionKind::Finish => ActionDto::Finish,
            ActionKind::Undo => ActionDto::Undo { change: require("change", change)? },
        })
    }
}

impl<'de> Deserialize<'de> for PlayDto {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<PlayDto, D::Error> {
        let fields: PlayFields = read_by_kind(deserializer)?;
        Ok(match fields.kind {
            PlayKind::Win => PlayDto::Win(fields.win()?),
            PlayKind::Points => PlayDto::Points(HandPoints {
                winner: require("winner", fields.winner)?,
                discarder: fields.discarder,
                same_discard: fields.same_discard,
                liable: fields.liable,
                points: require("points", fields.points)?,
            }),
            PlayKind::Draw => PlayDto::Draw(Draw { abort: fields.abort }),
            PlayKind::ExhaustiveDraw => {
                let PlayFields { tenpai, nagashi, .. } = fields;
                PlayDto::ExhaustiveDraw(ExhaustiveDraw { tenpai, nagashi })
            }
            PlayKind::Riichi => {
                PlayDto::Riichi(RiichiStick { player: require("player", fields.player)? })
            }
            PlayKind::DeadHand => PlayDto::DeadHand(fields.read_player()?),
            PlayKind::Chombo => PlayDto::Chombo(fields.read_player()?),
            PlayKind::Manual => PlayDto::Manual(Manual {
                reason: require("reason", fields.reason)?,
                player: require("player", fields.player)?,
                payments: require("payments", fields.payments)?,
                ends_deal: fields.ends_deal,
                note: fields.note,
            }),
        })
    }
}

impl PlayFields {
    fn read_player<E: Error>(self) -> Result<OfPlayer, E> {
        Ok(OfPlayer { player: require("player", self.player)? })
    }

    fn win<E: Error>(self) -> Result<WinDto, E> {
        Ok(WinDto {
            winner: require("winner", self.winner)?,
            discarder: self.discarder,
            same_discard: self.same_discard,
            east: self.east,
            liable: self.liable,
            hand: require("hand", self.hand)?,
            winning_tile_supposed: self.winning_tile_supposed,
            context: self.context,
            others: self.others,
        })
    }
}

/// Returns a field that the kind requires.
pub(crate) fn require<T, E: Error>(name: &'static str, value: Option<T>) -> Result<T, E> {
    value.ok_or_else(|| E::missing_field(name))
}

/// Reads a field that is present: `null` is refused, although the field may be left out.
pub(crate) fn deserialize_present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// Reads the names of three or four players.
pub(super) fn names<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let names = Vec::<String>::deserialize(deserializer)?;
    if (MIN_PLAYERS..=PLAYERS).contains(&names.len()) {
        Ok(names)
    } else {
        Err(D::Error::invalid_length(names.len(), &"the names of the players"))
    }
}

fn deserialize_present_names<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Vec<String>>, D::Error> {
    names(deserializer).map(Some)
}

fn deserialize_present_object<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    object(deserializer).map(Some)
}

/// Reads the fields of an object and refuses fields that its kind does not have.
pub(crate) fn read_by_kind<'de, D: Deserializer<'de>, F: FieldsByKind>(
    deserializer: D,
) -> Result<F, D::Error> {
    deserializer.deserialize_map(FieldsVisitor(PhantomData))
}

struct FieldsVisitor<F>(PhantomData<F>);

impl<'de, F: FieldsByKind> Visitor<'de> for FieldsVisitor<F> {
    type Value = F;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<F, A::Error> {
        let mut names = Vec::new();
        let map = NamedFields { map, names: &mut names };
        let fields = F::deserialize(MapAccessDeserializer::new(map))?;
        let known = fields.names();
        match names.iter().find(|name| !known.contains(&name.as_str())) {
            Some(name) => Err(A::Error::unknown_field(name, known)),
            None => Ok(fields),
        }
    }
}

/// The fields of an object, whose names are recorded while they are read.
struct NamedFields<'a, A> {
    map: A,
    names: &'a mut Vec<String>,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for NamedFields<'_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        let Some(name) = self.map.next_key::<String>()? else { return Ok(None) };
        let key = seed.deserialize(name.as_str().into_deserializer())?;
        self.names.push(name);
        Ok(Some(key))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.map.next_value_seed(seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evening::ChangeDto;

    fn read(action: &str) -> Result<ActionDto, String> {
        let json = format!(r#"{{ "action": {action}, "by": "Anna" }}"#);
        let read = ChangeDto::from_json(json.as_bytes()).map(|change| change.action);
        read.map_err(|problem| {
            let [error] = problem.errors.as_slice() else { panic!("{action}: {problem:?}") };
            format!("{}: {}", error.field, error.detail)
        })
    }

    /// Returns the action that adds an event.
    fn add(play: &str) -> String {
        format!(r#"{{ "kind": "add", "play": {play} }}"#)
    }

    #[test]
    fn a_written_play_is_read_again_wherever_its_kind_stands() {
        let win = r#""winner":1,"discarder":0,"hand":"123456789m11pFFF","context":{},"others":[{"player":2,"hand":"11m"}]"#;
        for play in [
            format!(r#"{{"kind":"win",{win}}}"#),
            format!(r#"{{{win},"winning_tile_supposed":true,"kind":"win"}}"#),
            format!(r#"{{{win},"kind":"win","same_discard":true,"east":3}}"#),
            r#"{"winner":3,"kind":"points","points":24}"#.to_owned(),
            r#"{"winner":3,"kind":"points","discarder":0,"same_discard":true,"points":24}"#.to_owned(),
            r#"{"kind":"points","winner":3,"discarder":null,"points":24}"#.to_owned(),
            r#"{"kind":"draw"}"#.to_owned(),
            r#"{"tenpai":[0,3],"kind":"exhaustive_draw"}"#.to_owned(),
            r#"{"kind":"riichi","player":2}"#.to_owned(),
            r#"{"player":2,"kind":"dead_hand"}"#.to_owned(),
            r#"{"kind":"chombo","player":0}"#.to_owned(),
            r#"{"abort":"nine_terminals","kind":"draw"}"#.to_owned(),
            r#"{"nagashi":[1],"kind":"exhaustive_draw","tenpai":[]}"#.to_owned(),
            r#"{"reason":"hand","player":1,"payments":[-3,3,0],"kind":"manual"}"#.to_owned(),
            r#"{"reason":"adjustment","player":1,"payments":[3,-1,-1,-1],"note":"late","kind":"manual"}"#
                .to_owned(),
        ] {
            let action = read(&add(&play)).expect(&play);
            let written = serde_json::to_string(&action).expect("no map keys");
            assert_eq!(read(&written), Ok(action), "{play}");
        }
        for (json, action) in [
            (r#"{"entry":2,"kind":"remove"}"#, ActionDto::Remove { entry: EntryId(2) }),
            (r#"{"kind":"finish"}"#, ActionDto::Finish),
            (r#"{"change":7,"kind":"undo"}"#, ActionDto::Undo { change: 7 }),
            (
                r#"{"before":1,"play":{"kind":"draw"},"kind":"add"}"#,
                ActionDto::Add { play: PlayDto::Draw(Draw::default()), before: Some(EntryId(1)) },
            ),
            (
                r#"{"kind":"correct","entry":1,"play":{"kind":"draw"}}"#,
                ActionDto::Correct { play: PlayDto::Draw(Draw::default()), entry: EntryId(1) },
            ),
        ] {
            assert_eq!(read(json), Ok(action), "{json}");
        }
    }

    #[test]
    fn an_error_names_the_field_itself() {
        let won = |fields: &str| add(&format!(r#"{{ "kind": "win", {fields} }}"#));
        let hand = r#""hand": "123456789m11pFFF""#;
        for (action, field) in [
            (r#"{ "kind": "finish", "x": 1 }"#.to_owned(), "action.x"),
            (r#"{ "x": 1, "kind": "undo", "change": 1 }"#.to_owned(), "action.x"),
            (r#"{ "kind": "undo", "change": 1, "entry": 1 }"#.to_owned(), "action.entry"),
            (r#"{ "kind": "undo" }"#.to_owned(), "action.change"),
            (r#"{ "kind": "undo", "change": "1" }"#.to_owned(), "action.change"),
            (r#"{ "kind": "undo", "change": -1 }"#.to_owned(), "action.change"),
            (r#"{ "kind": "undo", "change": 1, "change": 2 }"#.to_owned(), "action.change"),
            (r#"{ "kind": "udno" }"#.to_owned(), "action.kind"),
            (r#"{ "change": 1 }"#.to_owned(), "action.kind"),
            (r#"{ "kind": "rename", "title": "", "players": ["a"] }"#.to_owned(), "action.players"),
            ("7".to_owned(), "action"),
            (r#"["finish"]"#.to_owned(), "action"),
            (add(r#"{ "kind": "draw", "x": 1 }"#), "action.play.x"),
            (add(r#"{ "kind": "draw", "play": 1 }"#), "action.play.play"),
            (add(r#"{ "kind": "points", "winner": 1 }"#), "action.play.points"),
            (
                add(r#"{ "kind": "points", "winner": 1, "points": 8, "hand": "" }"#),
                "action.play.hand",
            ),
            (add(r#"["draw"]"#), "action.play"),
            (add("null"), "action.play"),
            (won(&format!(r#""winner": 4, {hand}"#)), "action.play.winner"),
            (won(&format!(r#""winner": null, {hand}"#)), "action.play.winner"),
            (won(hand), "action.play.winner"),
            (won(&format!(r#""winner": 1, "discarder": "S", {hand}"#)), "action.play.discarder"),
            (won(r#""winner": 1, "hand": { "concealed": 1 }"#), "action.play.hand.concealed"),
            (
                won(&format!(r#""winner": 1, {hand}, "context": {{ "sheat": "S" }}"#)),
                "action.play.context.sheat",
            ),
            (
                won(&format!(r#""winner": 1, {hand}, "others": [{{ "player": 2 }}]"#)),
                "action.play.others[0].hand",
            ),
            (
                won(&format!(r#""winner": 1, {hand}, "others": [[2, "11m"]]"#)),
                "action.play.others[0]",
            ),
        ] {
            let error = read(&action).expect_err(&action);
            assert!(error.starts_with(&format!("{field}: ")), "{action}: {error}");
            for parser in ["tagged", "enum ", "variant", "invalid type", "invalid value", "u32"] {
                assert!(!error.contains(parser), "{action}: {error}");
            }
        }
        let draw = read(&add(r#"{ "kind": "draw", "x": 1 }"#));
        assert_eq!(
            draw,
            Err("action.play.x: unknown field `x`, expected one of `kind`, `abort`".to_owned())
        );
    }
}
