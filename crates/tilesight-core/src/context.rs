//! The win context: facts that the tiles do not show, such as seats and the source of the winning
//! tile.
//!
//! [`ContextSetup`] contains the given values, with every field optional; its fields are declared
//! once, in the table of `context/fields.rs`. [`ContextSetup::resolve`] turns it into a [`Context`]
//! and lists the fields that got a default. Invariant: a `Context` has one source of the winning
//! tile, and only a claimed tile has a player it came from. Contradictions with the *hand* (a kong
//! replacement without a kong) are rejected by the rule set.

mod completed;
mod declared;
mod fields;
mod riichi;
mod setup;
mod value;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::meld::{Relation, Seats};
use crate::tile::Wind;

pub use completed::{CompletedSet, CompletedSetError};
pub use declared::{Declaration, DeclaredError, DeclaredSet};
pub use fields::{ContextField, ContextSetup, FieldDescriber, FieldEntry, FieldVisitor};
pub use riichi::{Count, CountError, Indicators, IndicatorsError, MAX_COUNT, RiichiCall};
pub use setup::ContextError;
pub use value::{ContextValue, Spelling};

/// Source of the winning tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WinSource {
    /// The tile was drawn from the wall.
    SelfDrawn,
    /// The tile was drawn as the replacement after a kong.
    KongReplacement,
    /// The tile was discarded by a player other than the winner.
    Discard {
        /// Player who discarded the tile.
        from: Relation,
    },
    /// The tile was added to a pung by a player other than the winner.
    RobbedKong {
        /// Player who added the tile.
        from: Relation,
    },
}

impl WinSource {
    /// Returns whether the winner drew the tile.
    #[must_use]
    pub const fn is_self_drawn(self) -> bool {
        matches!(self, WinSource::SelfDrawn | WinSource::KongReplacement)
    }

    /// Returns the player that a claimed tile came from.
    #[must_use]
    pub const fn from(self) -> Option<Relation> {
        match self {
            WinSource::Discard { from } | WinSource::RobbedKong { from } => Some(from),
            WinSource::SelfDrawn | WinSource::KongReplacement => None,
        }
    }

    /// Returns the source without the player.
    #[must_use]
    pub const fn kind(self) -> WinKind {
        match self {
            WinSource::SelfDrawn => WinKind::SelfDrawn,
            WinSource::KongReplacement => WinKind::KongReplacement,
            WinSource::Discard { .. } => WinKind::Discard,
            WinSource::RobbedKong { .. } => WinKind::RobbedKong,
        }
    }
}

/// Source of the winning tile, without the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WinKind {
    /// The tile was drawn from the wall.
    SelfDrawn,
    /// The tile was discarded by a player other than the winner.
    Discard,
    /// The tile was drawn as the replacement after a kong.
    KongReplacement,
    /// The tile was added to a pung by a player other than the winner.
    RobbedKong,
}

impl WinKind {
    /// All values.
    pub const ALL: [WinKind; 4] =
        [WinKind::SelfDrawn, WinKind::Discard, WinKind::KongReplacement, WinKind::RobbedKong];
}

/// Player who fed the set that decides who pays: in MMM the third pung of dragons or the fourth of
/// winds.
///
/// The tiles show from whom each set was claimed, but not in which order.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    utoipa::ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Feeder {
    /// The player who plays just before the winner.
    Left,
    /// The player opposite.
    Across,
    /// The player who plays just after the winner.
    Right,
    /// The winner drew the tiles of the last of these sets.
    Nobody,
}

impl Feeder {
    /// All values.
    pub const ALL: [Feeder; 4] = [Feeder::Left, Feeder::Across, Feeder::Right, Feeder::Nobody];

    /// Returns the player, if it was one.
    #[must_use]
    pub const fn relation(self) -> Option<Relation> {
        match self {
            Feeder::Left => Some(Relation::Left),
            Feeder::Across => Some(Relation::Across),
            Feeder::Right => Some(Relation::Right),
            Feeder::Nobody => None,
        }
    }

    /// Returns the name in the contract.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Feeder::Left => "left",
            Feeder::Across => "across",
            Feeder::Right => "right",
            Feeder::Nobody => "nobody",
        }
    }
}

impl fmt::Display for Feeder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl From<Relation> for Feeder {
    fn from(relation: Relation) -> Feeder {
        match relation {
            Relation::Left => Feeder::Left,
            Relation::Across => Feeder::Across,
            Relation::Right => Feeder::Right,
        }
    }
}

/// A complete win context.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Context {
    /// Seat of the winner.
    pub seat: Wind,
    /// The prevalent wind.
    pub prevalent: Wind,
    /// Source of the winning tile.
    pub win: WinSource,
    /// Whether the winning tile was the last of the wall, or the discard that followed it.
    pub last_wall_tile: bool,
    /// Whether the three other copies of the winning tile lay open on the table (fan 58 of MCR).
    /// Copies in the hand's own exposed sets lie open too: three of them are enough without this
    /// flag.
    pub last_of_kind: bool,
    /// Declarations at the table.
    pub declared: DeclaredSet,
    /// Set that the winning tile completed, if given.
    pub completes: Option<CompletedSet>,
    /// Player who fed the set that decides who pays, if given.
    pub feeder: Option<Feeder>,
    /// Whether the winner declared riichi.
    pub riichi: RiichiCall,
    /// Whether the hand won within one go-around after riichi, before any call or kong.
    pub ippatsu: bool,
    /// Face-up dora indicators; none if they are not known.
    pub dora_indicators: Indicators,
    /// Indicators under these, which count only with riichi.
    pub ura_indicators: Indicators,
    /// Number of counters on the table.
    pub honba: Count,
    /// Number of riichi sticks on the table, the winner's own among them.
    pub riichi_sticks: Count,
    /// Number of norths that the winner of three players set aside as dora.
    pub norths: Count,
    /// Seat of the dealer, in games in which it can be another than East's.
    pub dealer: Wind,
    /// Number of deals that the dealer has stayed on.
    pub dealer_streak: Count,
}

impl Context {
    /// Context of a win in which East draws the winning tile in the first round and nothing else
    /// happens.
    pub const PLAIN: Context = Context {
        seat: Wind::East,
        prevalent: Wind::East,
        win: WinSource::SelfDrawn,
        last_wall_tile: false,
        last_of_kind: false,
        declared: DeclaredSet::NONE,
        completes: None,
        feeder: None,
        riichi: RiichiCall::No,
        ippatsu: false,
        dora_indicators: Indicators::NONE,
        ura_indicators: Indicators::NONE,
        honba: Count::ZERO,
        riichi_sticks: Count::ZERO,
        norths: Count::ZERO,
        dealer: Wind::East,
        dealer_streak: Count::ZERO,
    };

    /// Returns the context of a win of which only the seats are known: from a player's discard, or
    /// self-drawn.
    #[must_use]
    pub(crate) fn plain_win(seats: Seats, seat: Wind, discarder: Option<Wind>) -> Context {
        let mut relations = Relation::ALL.into_iter();
        let from = discarder.and_then(|discarder| {
            relations.find(|&relation| seats.neighbor(seat, relation) == Some(discarder))
        });
        let win = from.map_or(WinSource::SelfDrawn, |from| WinSource::Discard { from });
        Context { seat, win, ..Context::PLAIN }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn feeders_are_named_as_in_the_contract() {
        for feeder in Feeder::ALL {
            let json = serde_json::to_value(feeder).ok();
            assert_eq!(json, Some(feeder.name().into()));
            assert_eq!(feeder.relation().map_or(Feeder::Nobody, Feeder::from), feeder);
        }
    }
}
