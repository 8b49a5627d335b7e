//! The event of a deal, as people enter it: a won hand or only its points, a draw, or manual
//! payments.
//!
//! Players are named by number, never by seat: the sheet computes the seats. Invariant: hands are
//! stored in notation, so that a game is small and readable for people.

use std::fmt;
use std::ops::Deref;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::text::{MAX_TEXT, check_length, check_text};
use super::{GameError, PLAYERS, Player, Points};
use crate::context::ContextSetup;
use crate::notation::Notation;
use crate::rules::RulesetId;
use crate::rules::law::AbortKind;

/// Minimum number of players at a table.
pub(super) const MIN_PLAYERS: usize = 3;
/// Maximum number of characters of a hand in notation, as its schema promises.
const MAX_HAND_TEXT: usize = 400;
/// Maximum number of points per player in a manual entry. The totals of the longest game can't
/// overflow with such entries.
const MAX_POINTS: u32 = 1_000_000;
/// Maximum number of points of a hand without tiles. A player gets at most six times this number,
/// so the totals can't overflow either.
const MAX_HAND_POINTS: u32 = MAX_POINTS / 10;

/// The event of a deal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Play {
    /// A win with a hand that is scored.
    Win(Win),
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

/// A draw; in riichi an aborted deal.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Draw {
    /// Reason why the deal was aborted, in riichi alone; any of those of the rules when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub abort: Option<AbortKind>,
}

/// An event of a deal that is about one player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OfPlayer {
    /// The player.
    pub player: Player,
}

/// An exhaustive draw.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ExhaustiveDraw {
    /// Players who were ready: one tile from winning.
    #[serde(default)]
    #[schema(max_items = 4)]
    pub tenpai: Vec<Player>,
    /// Players whose discards were all terminals and honors, and were not called (nagashi mangan),
    /// in riichi: each is paid a mangan, and nobody pays for not being ready.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(max_items = 4, required = false)]
    pub nagashi: Vec<Player>,
}

/// A declaration of riichi.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RiichiStick {
    /// Player who declared riichi.
    pub player: Player,
}

/// A won hand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Win {
    /// Winner of the deal.
    pub winner: Player,
    /// Player who discarded the winning tile, or added it to a kong that was robbed; `None` on a
    /// self-draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub discarder: Option<Player>,
    /// Whether the hand won on the discard of the entry before, beside its winner.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub same_discard: bool,
    /// Player who sits East, where the opened wall gives the winds; the dealer when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub east: Option<Player>,
    /// Player who let the set be called that makes them liable for the hand; the `feeder` of the
    /// win context says the same from the winner's seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub liable: Option<Player>,
    /// The hand.
    pub hand: HandText,
    /// Whether the winning tile is only assumed: nobody saw or stated which tile won.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub winning_tile_supposed: bool,
    /// Rule set, if it was stated with the hand: it must be the game's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ruleset: Option<RulesetId>,
    /// Win context except seat, round and discarder, which the game determines.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub context: ContextSetup,
    /// Hands of the players who did not win, where the rules score every player.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<Other>,
}

/// A won hand without its tiles. The rules determine who pays, as far as that does not depend on
/// the tiles.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HandPoints {
    /// Winner of the deal.
    pub winner: Player,
    /// Player who discarded the winning tile; `null` on a self-draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub discarder: Option<Player>,
    /// Whether the hand won on the discard of the entry before, beside its winner.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub same_discard: bool,
    /// Player who let the set be called that makes them liable for the hand: for a yakuman in
    /// riichi, where an option says so in Hong Kong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub liable: Option<Player>,
    /// Points of the hand; its tai in the game of sixteen tiles.
    #[schema(maximum = 100_000)]
    pub points: u32,
}

/// The hand of a player who did not win.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Other {
    /// Player who holds the hand.
    pub player: Player,
    /// The hand, which may be incomplete.
    pub hand: HandText,
}

/// A hand in notation, as it was entered. Scoring checks whether it is a hand.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct HandText(String);

/// Manual payments.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Manual {
    /// Reason for the payments.
    pub reason: Reason,
    /// Player concerned: the winner of a hand, or the player who called a false mahjong.
    pub player: Player,
    /// Points that each player gains or loses, in the order of the players; they sum to zero.
    #[schema(value_type = Vec<i32>, min_items = 3, max_items = 4)]
    pub payments: PlayerPoints,
    /// Whether the payments end the deal. A `hand` always ends it; after a false mahjong the other
    /// players may play on.
    #[serde(default)]
    pub ends_deal: bool,
    /// Free-text note.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// Points of three or four players, as they were entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayerPoints {
    points: Points,
    count: usize,
}

impl PlayerPoints {
    /// Returns the points of a table of three or four; `None` for any other number.
    #[must_use]
    pub fn new(points: &[i32]) -> Option<PlayerPoints> {
        let count = points.len();
        let mut all = Points::default();
        all.get_mut(..count)?.copy_from_slice(points);
        (count >= MIN_PLAYERS).then_some(PlayerPoints { points: all, count })
    }

    /// Returns the points with 0 for a fourth player who is not there.
    #[must_use]
    pub const fn all(&self) -> Points {
        self.points
    }
}

impl From<Points> for PlayerPoints {
    fn from(points: Points) -> PlayerPoints {
        PlayerPoints { points, count: PLAYERS }
    }
}

impl Deref for PlayerPoints {
    type Target = [i32];

    fn deref(&self) -> &[i32] {
        &self.points[..self.count]
    }
}

impl Serialize for PlayerPoints {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for PlayerPoints {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<PlayerPoints, D::Error> {
        let points = Vec::deserialize(deserializer)?;
        PlayerPoints::new(&points).ok_or_else(|| D::Error::invalid_length(points.len(), &"4"))
    }
}

/// Reason for entering points by hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ManualReason)]
pub enum Reason {
    /// A won hand whose tiles nobody recorded.
    Hand,
    /// Mahjong called without a valid hand.
    FalseMahjong,
    /// Any other penalty, or points that the players agreed on.
    Adjustment,
}

impl Play {
    /// Returns whether the event ends the deal.
    #[must_use]
    pub const fn ends_deal(&self) -> bool {
        match self {
            Play::Win(_)
            | Play::Points(_)
            | Play::Draw(_)
            | Play::ExhaustiveDraw(_)
            | Play::Chombo(_) => true,
            Play::Riichi(_) | Play::DeadHand(_) => false,
            Play::Manual(manual) => manual.ends_deal || matches!(manual.reason, Reason::Hand),
        }
    }

    /// Returns whether the hand won on the discard of the entry before.
    pub(super) const fn has_same_discard(&self) -> bool {
        match self {
            Play::Win(win) => win.same_discard,
            Play::Points(hand) => hand.same_discard,
            _ => false,
        }
    }

    /// Returns all players whom the event names.
    pub(super) fn list_players(&self) -> Vec<Player> {
        match self {
            Play::Win(win) => {
                let others = win.others.iter().map(|other| other.player);
                let stated = [win.discarder, win.east, win.liable].into_iter().flatten();
                std::iter::once(win.winner).chain(stated).chain(others).collect()
            }
            Play::Points(HandPoints { winner, discarder, liable, .. }) => {
                std::iter::once(*winner).chain(*discarder).chain(*liable).collect()
            }
            Play::Draw(_) => Vec::new(),
            Play::ExhaustiveDraw(draw) => [draw.tenpai.as_slice(), &draw.nagashi].concat(),
            Play::Riichi(RiichiStick { player })
            | Play::DeadHand(OfPlayer { player })
            | Play::Chombo(OfPlayer { player })
            | Play::Manual(Manual { player, .. }) => vec![*player],
        }
    }

    /// Returns the player who sits East, if it was stated.
    pub(super) const fn east(&self) -> Option<Player> {
        if let Play::Win(win) = self { win.east } else { None }
    }

    /// Returns the player who won the deal.
    pub(super) const fn winner(&self) -> Option<Player> {
        match self {
            Play::Win(win) => Some(win.winner),
            Play::Points(hand) => Some(hand.winner),
            Play::Manual(Manual { reason: Reason::Hand, player, .. }) => Some(*player),
            _ => None,
        }
    }

    /// Returns the player on whose discard the deal was won, if it was.
    pub(super) const fn discarder(&self) -> Option<Player> {
        match self {
            Play::Win(Win { discarder, .. }) | Play::Points(HandPoints { discarder, .. }) => {
                *discarder
            }
            _ => None,
        }
    }

    /// Returns the event, checked as far as possible without the game.
    pub(super) fn check(self) -> Result<Play, GameError> {
        match self {
            Play::Win(win) => win.check_players().map(|()| Play::Win(win)),
            Play::Points(hand) => hand.check().map(Play::Points),
            Play::Manual(manual) => manual.check().map(Play::Manual),
            Play::Draw(_)
            | Play::ExhaustiveDraw(_)
            | Play::Riichi(_)
            | Play::DeadHand(_)
            | Play::Chombo(_) => Ok(self),
        }
    }
}

impl Win {
    /// Refuses a win by the winner's own discard, and a winner who is liable for the own hand.
    pub(super) fn check_players(&self) -> Result<(), GameError> {
        check_payers(self.winner, self.discarder, self.liable)
    }
}

impl HandPoints {
    fn check(self) -> Result<HandPoints, GameError> {
        check_payers(self.winner, self.discarder, self.liable)?;
        if self.points > MAX_HAND_POINTS {
            return Err(GameError::TooManyPoints { field: "points", max: MAX_HAND_POINTS });
        }
        Ok(self)
    }
}

/// Refuses a winner who is liable for the own hand, or discarded its winning tile.
fn check_payers(
    winner: Player,
    discarder: Option<Player>,
    liable: Option<Player>,
) -> Result<(), GameError> {
    if liable == Some(winner) {
        return Err(GameError::OwnLiability);
    }
    if discarder == Some(winner) { Err(GameError::OwnDiscard) } else { Ok(()) }
}

impl Manual {
    fn check(self) -> Result<Manual, GameError> {
        let sum: i64 = self.payments.iter().map(|&points| i64::from(points)).sum();
        if sum != 0 {
            return Err(GameError::Unbalanced(sum));
        }
        if self.payments.iter().any(|points| points.unsigned_abs() > MAX_POINTS) {
            return Err(GameError::TooManyPoints { field: "payments", max: MAX_POINTS });
        }
        check_text("note", self.note.as_deref().unwrap_or_default(), MAX_TEXT)?;
        let ends_deal = self.ends_deal || self.reason == Reason::Hand;
        Ok(Manual { ends_deal, ..self })
    }
}

impl HandText {
    /// Creates a hand from its notation.
    ///
    /// # Errors
    /// [`GameError::TooLong`] for a text over the maximum length.
    pub fn new(text: &str) -> Result<HandText, GameError> {
        let text = text.trim();
        check_length("hand", text, MAX_HAND_TEXT)?;
        Ok(HandText(text.to_owned()))
    }

    /// Returns the notation.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<Notation> for HandText {
    type Error = GameError;

    fn try_from(hand: Notation) -> Result<HandText, GameError> {
        HandText::new(&hand.to_string())
    }
}

impl fmt::Display for HandText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn is_empty(context: &ContextSetup) -> bool {
    *context == ContextSetup::default()
}
