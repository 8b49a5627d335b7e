//! Actions as clients send and see them: the JSON of the service, of its events and of the command
//! line.
//!
//! Input: the JSON of an action. Output: an [`Action`] of the journal, and the same JSON again for
//! the history. Invariants: field names keep their meaning; a hand may be given as an object and is
//! always shown as notation.

pub(crate) mod by_kind;

use serde::{Deserialize, Serialize};

use super::{
    Action, Draw, EntryId, ExhaustiveDraw, Game, GameError, HandPoints, HandText, Manual, OfPlayer,
    Other, Play, Player, RiichiStick, Win,
};
use crate::contract::{ContextDto, HandInput, Problem, find_named, object, read_json};
use crate::notation::Notation;
use crate::rules::{Book, RulesetId};

/// A new game.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = NewGame)]
pub struct NewGameDto {
    /// Players in the order of their first seats: East, South, West, and North where four play.
    #[serde(deserialize_with = "by_kind::names")]
    #[schema(min_items = 3, max_items = 4)]
    pub players: Vec<String>,
    /// Title of the game.
    #[schema(max_length = 200)]
    pub title: Option<String>,
    /// Rule set to play by; `mcr-wmo` when absent.
    pub ruleset: Option<RulesetId>,
}

impl NewGameDto {
    /// Reads a request from JSON.
    ///
    /// # Errors
    /// [`Problem`] with the first field that has the wrong shape.
    pub fn from_json(json: &[u8]) -> Result<NewGameDto, Problem> {
        read_json(json, "")
    }

    /// Creates the game before its first deal.
    ///
    /// # Errors
    /// [`Problem`] if the rule set is unknown, or the names can't be those of a game.
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
    /// Action to apply.
    #[serde(deserialize_with = "object")]
    pub action: ActionDto,
    /// Author of the change, as they call themselves.
    #[schema(max_length = 40)]
    pub by: Option<String>,
}

impl ChangeDto {
    /// Reads a request from JSON.
    ///
    /// # Errors
    /// [`Problem`] with the first field that has the wrong shape.
    pub fn from_json(json: &[u8]) -> Result<ChangeDto, Problem> {
        read_json(json, "")
    }
}

/// An action on a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = GameAction)]
pub enum ActionDto {
    /// Adds what happened in the next deal, or, with `before`, in a deal that was left out earlier.
    Add {
        /// Event of the deal.
        play: PlayDto,
        /// Entry before which the new one belongs; at the end when absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        before: Option<EntryId>,
    },
    /// Corrects an entry.
    Correct {
        /// Entry to correct.
        entry: EntryId,
        /// Event as it really happened.
        play: PlayDto,
    },
    /// Removes an entry.
    Remove {
        /// Entry to remove.
        entry: EntryId,
    },
    /// Changes the names.
    Rename {
        /// Title of the game.
        title: String,
        /// Names of the players, in their order.
        #[schema(min_items = 3, max_items = 4)]
        players: Vec<String>,
    },
    /// Finishes the game although deals are left.
    Finish,
    /// Takes a change back.
    Undo {
        /// Number of the change.
        change: u32,
    },
}

/// The event of a deal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = Play)]
pub enum PlayDto {
    /// A win with a hand that is scored.
    Win(WinDto),
    /// A win with a hand of which only the points were recorded; the rules settle it.
    Points(HandPoints),
    /// The wall was empty and no player had won. In riichi no player pays: the deal was aborted.
    Draw(Draw),
    /// The wall was empty, and the ready players are known. In riichi the others pay them.
    ExhaustiveDraw(ExhaustiveDraw),
    /// A player declared riichi and laid a stick on the table.
    Riichi(RiichiStick),
    /// A player's hand can't win any more in the deal, in riichi: it has too few or too many tiles,
    /// or a wrong call was made with it.
    DeadHand(OfPlayer),
    /// A false win in riichi, or a riichi without a ready hand: the rules say what the player pays,
    /// and the deal is dealt again.
    Chombo(OfPlayer),
    /// Points that the players agreed on, such as those for a false mahjong.
    Manual(Manual),
}

/// A won hand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Win)]
pub struct WinDto {
    /// Winner of the deal.
    pub winner: Player,
    /// Player who discarded the winning tile, or added it to a kong that was robbed; `null` on a
    /// self-draw.
    #[serde(default)]
    pub discarder: Option<Player>,
    /// Whether the hand won on the discard of the entry before, beside its winner, where the rules
    /// allow several winners.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub same_discard: bool,
    /// Player who sits East, where the opened wall gives the winds; the dealer when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub east: Option<Player>,
    /// Player who let the set be called that makes them liable for the hand, such as a third pung
    /// of dragons in riichi; the `feeder` of the context says the same from the winner's seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub liable: Option<Player>,
    /// Hand, as notation or as an object; stored as notation.
    pub hand: HandInput,
    /// Whether the winning tile is only assumed: nobody saw or stated which tile won.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub winning_tile_supposed: bool,
    /// Win context except seat, round, rule set and discarder, which the game determines.
    #[serde(default)]
    pub context: ContextDto,
    /// Hands of the players who did not win, where the rules score every player.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<OtherPlayerDto>,
}

/// The hand of a player who did not win.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = GameOther)]
pub struct OtherPlayerDto {
    /// Player who holds the hand.
    pub player: Player,
    /// Hand, which may be incomplete, as notation or as an object; stored as notation.
    pub hand: HandInput,
}

impl TryFrom<ActionDto> for Action {
    type Error = GameError;

    /// Returns the action for the journal, with its hands in notation.
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
            PlayDto::Draw(draw) => Play::Draw(draw),
            PlayDto::ExhaustiveDraw(draw) => Play::ExhaustiveDraw(draw),
            PlayDto::Riichi(riichi) => Play::Riichi(riichi),
            PlayDto::DeadHand(of) => Play::DeadHand(of),
            PlayDto::Chombo(of) => Play::Chombo(of),
            PlayDto::Manual(manual) => Play::Manual(manual),
        })
    }
}

impl TryFrom<WinDto> for Win {
    type Error = GameError;

    fn try_from(win: WinDto) -> Result<Win, GameError> {
        let WinDto {
            winner,
            discarder,
            same_discard,
            east,
            liable,
            hand,
            winning_tile_supposed,
            context,
            others,
        } = win;
        let win = Win {
            winner,
            discarder,
            same_discard,
            east,
            liable,
            hand: HandText::default(),
            winning_tile_supposed,
            ruleset: context.ruleset,
            context: context.setup,
            others: Vec::new(),
        };
        win.check_players()?;
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

    /// Returns the hand in notation. A text is kept as it was written.
    fn try_from(hand: HandInput) -> Result<HandText, GameError> {
        if let HandInput::Notation(text) = &hand {
            return HandText::new(text);
        }
        let setup = hand.setup().map_err(|problem| GameError::Unreadable(Box::new(problem)))?;
        Notation::from_hand(setup).try_into()
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
            Play::Draw(draw) => PlayDto::Draw(draw.clone()),
            Play::ExhaustiveDraw(draw) => PlayDto::ExhaustiveDraw(draw.clone()),
            Play::Riichi(riichi) => PlayDto::Riichi(riichi.clone()),
            Play::DeadHand(of) => PlayDto::DeadHand(of.clone()),
            Play::Chombo(of) => PlayDto::Chombo(of.clone()),
            Play::Manual(manual) => PlayDto::Manual(manual.clone()),
        }
    }
}

impl From<&Win> for WinDto {
    fn from(win: &Win) -> WinDto {
        WinDto {
            winner: win.winner,
            discarder: win.discarder,
            same_discard: win.same_discard,
            east: win.east,
            liable: win.liable,
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
