//! The circumstances of a win: seats, the source of the winning tile, the last tiles.
//!
//! [`ContextSetup`] is what somebody said, every field optional, with the field names that all
//! doors share. [`ContextSetup::resolve`] turns it into a [`Context`] and lists the fields it had
//! to assume. Invariant: a `Context` has one source of the winning tile, and only a claimed tile
//! has a player it came from. Contradictions with the *hand* (a kong replacement without a kong)
//! are for the rule set to refuse.

mod completed;
mod declared;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::meld::Relation;
use crate::tile::Wind;

pub use completed::{CompletedSet, CompletedSetError};
pub use declared::{Declared, DeclaredError, DeclaredSet};

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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema))]
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

/// Who fed the set that decides who pays: in MMM the third pung of dragons or the fourth of winds.
///
/// From whom each set was claimed can be seen; in which order they came cannot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema))]
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
    /// All four.
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

/// The circumstances of a win.
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
    /// the hand's own exposed sets lie open too: three of them tell it without this flag.
    pub last_of_kind: bool,
    /// What was declared at the table.
    pub declared: DeclaredSet,
    /// Which set the winning tile completed, where somebody said it.
    pub completes: Option<CompletedSet>,
    /// Who fed the set that decides who pays, where somebody said it.
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
}

/// A field of the context, named as in the contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema))]
pub enum ContextField {
    /// The winner's seat.
    Seat,
    /// The wind of the round.
    Prevalent,
    /// Where the winning tile came from.
    Win,
    /// Who discarded the winning tile.
    From,
    /// Whether the wall was empty.
    LastWallTile,
    /// Whether the other three copies lay open.
    LastOfKind,
    /// What was declared at the table.
    Declared,
    /// Which set the winning tile completed.
    Completes,
    /// Who fed the set that decides who pays.
    Feeder,
}

impl ContextField {
    /// The name of the field in the contract.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            ContextField::Seat => "seat",
            ContextField::Prevalent => "prevalent",
            ContextField::Win => "win",
            ContextField::From => "from",
            ContextField::LastWallTile => "last_wall_tile",
            ContextField::LastOfKind => "last_of_kind",
            ContextField::Declared => "declared",
            ContextField::Completes => "completes",
            ContextField::Feeder => "feeder",
        }
    }
}

impl fmt::Display for ContextField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The circumstances as somebody gave them: whatever is absent will be assumed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ContextSetup {
    /// The winner's seat; East when absent.
    pub seat: Option<Wind>,
    /// The wind of the round; East when absent.
    pub prevalent: Option<Wind>,
    /// Where the winning tile came from; a discard when absent.
    pub win: Option<WinKind>,
    /// Who discarded it; the left player when absent and needed.
    pub from: Option<Relation>,
    /// The wall was empty; no when absent.
    pub last_wall_tile: Option<bool>,
    /// The other three copies lay open; no when absent.
    pub last_of_kind: Option<bool>,
    /// What was declared at the table; nothing when absent.
    pub declared: Option<DeclaredSet>,
    /// Which set the winning tile completed; the one that is worth most when absent.
    pub completes: Option<CompletedSet>,
    /// Who fed the set that decides who pays; stays open when absent, because only a rule set can
    /// tell whether a hand has such a set.
    pub feeder: Option<Feeder>,
    /// Whether the hand is the one that won; yes when absent. A photo may also show the hand of
    /// somebody who has not: then nothing else but the winds is of interest.
    pub won: Option<bool>,
}

/// A context that contradicts itself; who gave it can fix it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ContextError {
    /// Nobody discarded a self-drawn tile.
    #[error("the winning tile was self-drawn: nobody discarded it")]
    SelfDrawnFromSomebody,
    /// A hand that has not won has no winning tile.
    #[error("the hand has not won: nothing won it")]
    WonByNothing,
}

impl ContextError {
    /// The field to change.
    #[must_use]
    pub const fn field(self) -> ContextField {
        match self {
            ContextError::SelfDrawnFromSomebody => ContextField::From,
            ContextError::WonByNothing => ContextField::Win,
        }
    }
}

impl ContextSetup {
    /// Fills in what is absent and lists the fields that were assumed, in the order of the
    /// contract. The two last-tile flags are plainly off when absent, nothing is declared, and the
    /// winner chooses the set: none of these is listed.
    ///
    /// # Errors
    /// [`ContextError`] when the fields contradict each other.
    pub fn resolve(&self) -> Result<(Context, Vec<ContextField>), ContextError> {
        if self.has_not_won() && (self.win.is_some() || self.from.is_some()) {
            return Err(ContextError::WonByNothing);
        }
        let win = self.win.unwrap_or(WinKind::Discard);
        let from = self.from.unwrap_or(Relation::Left);
        let win = match (win, self.from) {
            (WinKind::Discard, _) => WinSource::Discard { from },
            (WinKind::RobbedKong, _) => WinSource::RobbedKong { from },
            (_, Some(_)) => return Err(ContextError::SelfDrawnFromSomebody),
            (WinKind::SelfDrawn, None) => WinSource::SelfDrawn,
            (WinKind::KongReplacement, None) => WinSource::KongReplacement,
        };
        let context = Context {
            seat: self.seat.unwrap_or_default(),
            prevalent: self.prevalent.unwrap_or_default(),
            win,
            last_wall_tile: self.last_wall_tile.unwrap_or(false),
            last_of_kind: self.last_of_kind.unwrap_or(false),
            declared: self.declared.unwrap_or_default(),
            completes: self.completes,
            feeder: self.feeder,
        };
        Ok((context, self.assumed(win)))
    }

    /// Whether somebody said that the hand is none that won.
    #[must_use]
    pub fn has_not_won(&self) -> bool {
        self.won == Some(false)
    }

    fn assumed(&self, win: WinSource) -> Vec<ContextField> {
        let needs_payer = !win.is_self_drawn() && !self.has_not_won();
        [
            (self.seat.is_none(), ContextField::Seat),
            (self.prevalent.is_none(), ContextField::Prevalent),
            (self.win.is_none() && !self.has_not_won(), ContextField::Win),
            (self.from.is_none() && needs_payer, ContextField::From),
        ]
        .into_iter()
        .filter_map(|(absent, field)| absent.then_some(field))
        .collect()
    }
}

impl From<Context> for ContextSetup {
    fn from(context: Context) -> ContextSetup {
        ContextSetup {
            seat: Some(context.seat),
            prevalent: Some(context.prevalent),
            win: Some(context.win.kind()),
            from: context.win.from(),
            last_wall_tile: Some(context.last_wall_tile),
            last_of_kind: Some(context.last_of_kind),
            declared: Some(context.declared),
            completes: context.completes,
            feeder: context.feeder,
            won: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_absent_is_assumed_and_named() {
        let (context, assumed) = ContextSetup::default().resolve().expect("nothing contradicts");
        assert_eq!(context.win, WinSource::Discard { from: Relation::Left });
        let names: Vec<_> = assumed.into_iter().map(ContextField::name).collect();
        assert_eq!(names, ["seat", "prevalent", "win", "from"]);
    }

    #[test]
    fn a_self_draw_needs_no_payer() {
        let setup = ContextSetup { win: Some(WinKind::KongReplacement), ..Default::default() };
        let (context, assumed) = setup.resolve().expect("nothing contradicts");
        assert_eq!(context.win, WinSource::KongReplacement);
        assert_eq!(assumed, [ContextField::Seat, ContextField::Prevalent]);
    }

    #[test]
    fn a_self_drawn_tile_from_somebody_is_refused() {
        let setup = ContextSetup {
            win: Some(WinKind::SelfDrawn),
            from: Some(Relation::Right),
            ..Default::default()
        };
        let error = setup.resolve().expect_err("a contradiction");
        assert_eq!(error.field(), ContextField::From);
    }

    #[test]
    fn feeders_are_named_as_in_the_contract() {
        for feeder in Feeder::ALL {
            let json = serde_json::to_value(feeder).ok();
            assert_eq!(json, Some(feeder.name().into()));
            assert_eq!(feeder.relation().map_or(Feeder::Nobody, Feeder::from), feeder);
        }
    }

    #[test]
    fn a_context_resolves_to_itself() {
        let context = Context {
            seat: Wind::West,
            prevalent: Wind::South,
            win: WinSource::RobbedKong { from: Relation::Across },
            last_wall_tile: true,
            declared: DeclaredSet::NONE.with(Declared::OriginalCall),
            completes: "456m".parse().ok(),
            feeder: Some(Feeder::Nobody),
            ..Context::PLAIN
        };
        assert_eq!(ContextSetup::from(context).resolve(), Ok((context, vec![])));
    }
}
