//! Actions as clients send and see them: the JSON of the service, of its events and of the command.
//!
//! Input: the JSON of an action. Output: an [`Action`] of the journal, and the same JSON again for
//! the history. Invariants: field names keep their meaning; a hand may come as an object and is
//! always shown as notation.

mod by_kind;

use serde::{Deserialize, Serialize};

use super::{
    Action, EntryId, Game, GameError, HandPoints, HandText, Manual, Other, PLAYERS, Play, Player,
    Win,
};
use crate::contract::{ContextDto, HandInput, Problem, find_named, object, read_json};
use crate::notation::Notation;
use crate::rules::{Book, RulesetId};

/// A game that is about to begin.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = NewGame)]
pub struct NewGameDto {
    /// The players in the order of their first seats: East, South, West, North.
    #[schema(value_type = Vec<String>, min_items = 4, max_items = 4)]
    pub players: [String; PLAYERS],
    /// What to call it.
    #[schema(max_length = 200)]
    pub title: Option<String>,
    /// What to play by; `mcr-wmo` when absent.
    pub ruleset: Option<RulesetId>,
}

impl NewGameDto {
    /// Reads a request from JSON.
    ///
    /// # Errors
    /// A [`Problem`] with the first field that has the wrong shape.
    pub fn from_json(json: &[u8]) -> Result<NewGameDto, Problem> {
        read_json(json, "")
    }

    /// The game before its first deal.
    ///
    /// # Errors
    /// A [`Problem`]: the rule set is unknown, or the names can't be those of a game.
    pub fn begin(self, book: &Book) -> Result<Game, Problem> {
        let ruleset = find_named(book, self.ruleset, "ruleset")?;
        let title = self.title.unwrap_or_default();
        Game::new(title, self.players, ruleset).map_err(|error| Problem::from(&error))
    }
}

/// A change of a game.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = NewChange)]
pub struct ChangeDto {
    /// What to do.
    #[serde(deserialize_with = "object")]
    pub action: ActionDto,
    /// Who does it, as they call themselves.
    #[schema(max_length = 40)]
    pub by: Option<String>,
}

impl ChangeDto {
    /// Reads a request from JSON.
    ///
    /// # Errors
    /// A [`Problem`] with the first field that has the wrong shape.
    pub fn from_json(json: &[u8]) -> Result<ChangeDto, Problem> {
        read_json(json, "")
    }
}

/// What people do to a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = GameAction)]
pub enum ActionDto {
    /// What happened in the next deal; or in one that was forgotten, before an entry.
    Add {
        /// What happened.
        play: PlayDto,
        /// The entry that it comes before; at the end where it is absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        before: Option<EntryId>,
    },
    /// An entry is corrected.
    Correct {
        /// The entry.
        entry: EntryId,
        /// What really happened.
        play: PlayDto,
    },
    /// An entry is removed.
    Remove {
        /// The entry.
        entry: EntryId,
    },
    /// Other names.
    Rename {
        /// What the game is called.
        title: String,
        /// What the players are called, in their order.
        #[schema(value_type = Vec<String>, min_items = 4, max_items = 4)]
        players: [String; PLAYERS],
    },
    /// The game ends, though deals are left.
    Finish,
    /// A change is taken back.
    Undo {
        /// Its number.
        change: u32,
    },
}

/// What happened in a deal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = Play)]
pub enum PlayDto {
    /// Somebody won with a hand that is scored.
    Win(WinDto),
    /// Somebody won with a hand of which only the points were written down; the rules settle it.
    Points(HandPoints),
    /// The wall was empty and nobody had won.
    Draw,
    /// Points that people agreed on, such as those of a false mahjong.
    Manual(Manual),
}

/// A won hand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Win)]
pub struct WinDto {
    /// Who won.
    pub winner: Player,
    /// Who discarded the winning tile, or added it to a kong that was robbed; `null` on a
    /// self-draw.
    #[serde(default)]
    pub discarder: Option<Player>,
    /// The hand: notation, or an object. It is kept as notation.
    pub hand: HandInput,
    /// Whether its winning tile was only supposed: nobody saw or stated which tile won.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub winning_tile_supposed: bool,
    /// The win context beside seat, round, rule set and discarder, which the game knows.
    #[serde(default)]
    pub context: ContextDto,
    /// The hands of those who did not win, where the rules score every player.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<OtherPlayerDto>,
}

/// The hand of a player who did not win.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = GameOther)]
pub struct OtherPlayerDto {
    /// Whose it is.
    pub player: Player,
    /// The hand, which may be incomplete: notation, or an object. It is kept as notation.
    pub hand: HandInput,
}

impl TryFrom<ActionDto> for Action {
    type Error = GameError;

    /// The action for the journal, its hands in notation.
    fn try_from(action: ActionDto) -> Result<Action, GameError> {
        Ok(match action {
            ActionDto::Add { play, before } => Action::Add { play: play.try_into()?, before },
            ActionDto::Correct { entry, play } => Action::Correct { entry, play: play.try_into()? },
            ActionDto::Remove { entry } => Action::Remove { entry },
            ActionDto::Rename { title, players } => Action::Rename { title, players },
            ActionDto::Finish => Action::Finish,
            ActionDto::Undo { change } => Action::Undo { change },
        })
    }
}

impl TryFrom<PlayDto> for Play {
    type Error = GameError;

    fn try_from(play: PlayDto) -> Result<Play, GameError> {
        Ok(match play {
            PlayDto::Win(win) => Play::Win(win.try_into()?),
            PlayDto::Points(hand) => Play::Points(hand),
            PlayDto::Draw => Play::Draw,
            PlayDto::Manual(manual) => Play::Manual(manual),
        })
    }
}

impl TryFrom<WinDto> for Win {
    type Error = GameError;

    fn try_from(win: WinDto) -> Result<Win, GameError> {
        let WinDto { winner, discarder, hand, winning_tile_supposed, context, others } = win;
        let (ruleset, context) = (context.ruleset, context.setup);
        let win = Win {
            winner,
            discarder,
            hand: HandText::default(),
            winning_tile_supposed,
            ruleset,
            context,
            others: Vec::new(),
        };
        win.check_discarder()?;
        let hand = hand.try_into()?;
        let others = others.into_iter().map(Other::try_from).collect::<Result<_, _>>()?;
        Ok(Win { hand, others, ..win })
    }
}

impl TryFrom<OtherPlayerDto> for Other {
    type Error = GameError;

    fn try_from(other: OtherPlayerDto) -> Result<Other, GameError> {
        Ok(Other { player: other.player, hand: other.hand.try_into()? })
    }
}

impl TryFrom<HandInput> for HandText {
    type Error = GameError;

    /// The hand in notation. A text is kept as it was written.
    fn try_from(hand: HandInput) -> Result<HandText, GameError> {
        if let HandInput::Notation(text) = &hand {
            return HandText::new(text);
        }
        let setup = hand.setup().map_err(|problem| GameError::Unreadable(Box::new(problem)))?;
        Notation::of(setup).try_into()
    }
}

impl From<&Action> for ActionDto {
    fn from(action: &Action) -> ActionDto {
        match action {
            Action::Add { play, before } => ActionDto::Add { play: play.into(), before: *before },
            Action::Correct { entry, play } => {
                ActionDto::Correct { entry: *entry, play: play.into() }
            }
            Action::Remove { entry } => ActionDto::Remove { entry: *entry },
            Action::Rename { title, players } => {
                ActionDto::Rename { title: title.clone(), players: players.clone() }
            }
            Action::Finish => ActionDto::Finish,
            Action::Undo { change } => ActionDto::Undo { change: *change },
        }
    }
}

impl From<&Play> for PlayDto {
    fn from(play: &Play) -> PlayDto {
        match play {
            Play::Win(win) => PlayDto::Win(win.into()),
            Play::Points(hand) => PlayDto::Points(hand.clone()),
            Play::Draw => PlayDto::Draw,
            Play::Manual(manual) => PlayDto::Manual(manual.clone()),
        }
    }
}

impl From<&Win> for WinDto {
    fn from(win: &Win) -> WinDto {
        WinDto {
            winner: win.winner,
            discarder: win.discarder,
            hand: HandInput::from(&win.hand),
            winning_tile_supposed: win.winning_tile_supposed,
            context: ContextDto { ruleset: win.ruleset, setup: win.context },
            others: win.others.iter().map(OtherPlayerDto::from).collect(),
        }
    }
}

impl From<&Other> for OtherPlayerDto {
    fn from(other: &Other) -> OtherPlayerDto {
        OtherPlayerDto { player: other.player, hand: HandInput::from(&other.hand) }
    }
}

impl From<&HandText> for HandInput {
    fn from(hand: &HandText) -> HandInput {
        HandInput::Notation(hand.as_str().to_owned())
    }
}
