//! The win context: what the tiles do not show, such as seats and where the winning tile came from.
//!
//! [`ContextSetup`] is what was given, every field optional; its fields are declared once, in the
//! table of `context/fields.rs`. [`ContextSetup::resolve`] turns it into a [`Context`] and lists
//! the fields that got a default. Invariant: a `Context` has one source of the winning tile, and
//! only a claimed tile has a player it came from. Contradictions with the *hand* (a kong
//! replacement without a kong) are refused by the rule set.

mod completed;
mod declared;
mod fields;
mod setup;
mod value;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::meld::Relation;
use crate::tile::Wind;

pub use completed::{CompletedSet, CompletedSetError};
pub use declared::{Declaration, DeclaredError, DeclaredSet};
pub use fields::{ContextField, ContextSetup, FieldDescriber, FieldEntry, FieldVisitor};
pub use setup::ContextError;
pub use value::{ContextValue, Spelling};

/// Where the winning tile came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WinSource {
    /// Drawn from the wall.
    SelfDrawn,
    /// Drawn as the replacement after a kong.
    KongReplacement,
    /// Another player's discard.
    Discard {
        /// Whose.
        from: Relation,
    },
    /// The tile another player added to a pung.
    RobbedKong {
        /// Whose.
        from: Relation,
    },
}

impl WinSource {
    /// Whether the winner drew the tile.
    #[must_use]
    pub const fn is_self_drawn(self) -> bool {
        matches!(self, WinSource::SelfDrawn | WinSource::KongReplacement)
    }

    /// Who pays for a claimed tile.
    #[must_use]
    pub const fn from(self) -> Option<Relation> {
        match self {
            WinSource::Discard { from } | WinSource::RobbedKong { from } => Some(from),
            WinSource::SelfDrawn | WinSource::KongReplacement => None,
        }
    }

    /// The same without the player.
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

/// Where the winning tile came from, without the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WinKind {
    /// Drawn from the wall.
    SelfDrawn,
    /// Another player's discard.
    Discard,
    /// Drawn as the replacement after a kong.
    KongReplacement,
    /// The tile another player added to a pung.
    RobbedKong,
}

impl WinKind {
    /// All values.
    pub const ALL: [WinKind; 4] =
        [WinKind::SelfDrawn, WinKind::Discard, WinKind::KongReplacement, WinKind::RobbedKong];
}

/// Who fed the set that decides who pays: in MMM the third pung of dragons or the fourth of winds.
///
/// From whom each set was claimed can be seen; in which order they came cannot.
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

    /// The player, if it was one.
    #[must_use]
    pub const fn relation(self) -> Option<Relation> {
        match self {
            Feeder::Left => Some(Relation::Left),
            Feeder::Across => Some(Relation::Across),
            Feeder::Right => Some(Relation::Right),
            Feeder::Nobody => None,
        }
    }

    /// The name in the contract.
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
    /// The winner's seat.
    pub seat: Wind,
    /// The wind of the round.
    pub prevalent: Wind,
    /// Where the winning tile came from.
    pub win: WinSource,
    /// The winning tile was the last of the wall, or the discard that followed it.
    pub last_wall_tile: bool,
    /// The three other copies of the winning tile lay open on the table (fan 58 of MCR). Those in
    /// the hand's own exposed sets lie open too: three of them are enough without this flag.
    pub last_of_kind: bool,
    /// What was declared at the table.
    pub declared: DeclaredSet,
    /// Which set the winning tile completed, where it was given.
    pub completes: Option<CompletedSet>,
    /// Who fed the set that decides who pays, where it was given.
    pub feeder: Option<Feeder>,
}

impl Context {
    /// East draws the winning tile in the first round, and nothing else happens.
    pub const PLAIN: Context = Context {
        seat: Wind::East,
        prevalent: Wind::East,
        win: WinSource::SelfDrawn,
        last_wall_tile: false,
        last_of_kind: false,
        declared: DeclaredSet::NONE,
        completes: None,
        feeder: None,
    };

    /// A win of which only the seats are known: from another player's discard, or self-drawn.
    #[must_use]
    pub fn plain_win(seat: Wind, discarder: Option<Wind>) -> Context {
        let sits = |&relation: &Relation| Some(seat.seat_of(relation)) == discarder;
        let win = match Relation::ALL.into_iter().find(sits) {
            Some(from) => WinSource::Discard { from },
            None => WinSource::SelfDrawn,
        };
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
