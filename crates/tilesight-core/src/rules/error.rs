//! Why a hand can't be scored, by who can fix it.

use std::fmt;

use crate::context::{CompletedSet, ContextField, Declaration, Feeder};
use crate::tile::Tile;

/// Why a hand can't be scored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RulesError {
    /// The tiles are not a winning hand; anyone who read or typed the tiles can fix it.
    #[error("the tiles do not form a winning hand")]
    NotAWin,
    /// The hand has bonus tiles, and these rules are played without: another game was meant, or a
    /// tile was misread. Anyone who named the rules or read the tiles can fix it.
    #[error("these rules are played without flowers and seasons, and the hand has {count}")]
    FlowersNotPlayed {
        /// How many the hand has.
        count: u8,
    },
    /// The context can't be that of this hand; anyone who gave it can fix it.
    #[error("{}", list(.0))]
    Contradictions(Vec<Contradiction>),
}

impl RulesError {
    /// The contradictions; empty if the tiles are not a winning hand.
    #[must_use]
    pub fn contradictions(&self) -> &[Contradiction] {
        match self {
            RulesError::NotAWin | RulesError::FlowersNotPlayed { .. } => &[],
            RulesError::Contradictions(all) => all,
        }
    }
}

fn list(contradictions: &[Contradiction]) -> String {
    let lines = contradictions.iter().map(|one| format!("{}: {one}", one.field()));
    lines.collect::<Vec<_>>().join("; ")
}

/// One field of the win context that can't be true of the hand. Its text leaves the naming of the
/// field to the one who tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Contradiction {
    /// A replacement tile follows a kong, and the hand has no kong.
    #[error("a replacement tile follows a kong, and the hand has none")]
    ReplacementWithoutKong,
    /// The robbed tile is the fourth of a pung of another player.
    #[error("{tile} was added to a pung of another player, but the hand holds {tile} too")]
    RobbedTileInHand {
        /// The winning tile.
        tile: Tile,
    },
    /// No kong can be declared once the wall is empty.
    #[error("no kong can be robbed after the last tile of the wall")]
    RobbedAfterLastTile,
    /// A tile is the last of its kind only when the other three lie open.
    #[error("{tile} is also among the concealed tiles, where nobody sees it")]
    LastOfKindInHand {
        /// The winning tile.
        tile: Tile,
    },
    /// Only certain hands make the feeder of one set pay.
    #[error("no set of this hand makes its feeder pay")]
    NoSetToFeed,
    /// Sets that lie on the table show who fed them.
    #[error("the sets that make their feeder pay can't have been completed by `{feeder}`")]
    FedByAnother {
        /// The feeder that the context gives for the last of them.
        feeder: Feeder,
    },
    /// A replacement tile is taken from the other end of the wall.
    #[error("a replacement tile is never the last tile of the wall")]
    ReplacementAtEndOfWall,
    /// Something was declared that this hand can't have had.
    #[error("{declared} needs {needs}")]
    Declared {
        /// What was declared.
        declared: Declaration,
        /// What is missing.
        needs: Requirement,
    },
    /// The winning tile can't have completed this set.
    #[error("in no reading of the hand does {tile} complete {set}")]
    NotCompleted {
        /// The set that was named.
        set: CompletedSet,
        /// The winning tile.
        tile: Tile,
    },
}

/// What something that was declared needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Requirement {
    /// The winner sits East.
    SeatEast,
    /// The winner does not sit East.
    OtherSeat,
    /// The winning tile was drawn.
    SelfDraw,
    /// The winning tile was discarded.
    Discard,
    /// The winning tile replaced a kong's fourth.
    KongReplacement,
    /// The hand has two kongs.
    TwoKongs,
    /// The hand has no melds.
    NoMelds,
    /// At most two sets lie open, the one won with among them.
    FewOpenSets,
    /// The hand has a flower or a season.
    BonusTile,
}

impl Requirement {
    /// Whether it is about the win context alone, whatever the hand.
    const fn is_of_win_context(self) -> bool {
        matches!(
            self,
            Requirement::SeatEast
                | Requirement::OtherSeat
                | Requirement::SelfDraw
                | Requirement::Discard
                | Requirement::KongReplacement
        )
    }
}

impl fmt::Display for Requirement {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Requirement::SeatEast => "the seat East",
            Requirement::OtherSeat => "another seat than East",
            Requirement::SelfDraw => "a self-drawn tile",
            Requirement::Discard => "a discard",
            Requirement::KongReplacement => "a kong's replacement tile",
            Requirement::TwoKongs => "two kongs",
            Requirement::NoMelds => "a hand without melds",
            Requirement::FewOpenSets => "at most two open sets, the one won with among them",
            Requirement::BonusTile => "a flower or a season",
        })
    }
}

impl Contradiction {
    /// Whether it holds for every hand: the win context contradicts each other.
    #[must_use]
    pub const fn is_of_every_hand(self) -> bool {
        match self {
            Contradiction::RobbedAfterLastTile | Contradiction::ReplacementAtEndOfWall => true,
            Contradiction::Declared { needs, .. } => needs.is_of_win_context(),
            _ => false,
        }
    }

    /// The field of the context to change.
    #[must_use]
    pub const fn field(self) -> ContextField {
        match self {
            Contradiction::ReplacementWithoutKong | Contradiction::RobbedTileInHand { .. } => {
                ContextField::Win
            }
            Contradiction::RobbedAfterLastTile | Contradiction::ReplacementAtEndOfWall => {
                ContextField::LastWallTile
            }
            Contradiction::Declared { .. } => ContextField::Declared,
            Contradiction::NotCompleted { .. } => ContextField::Completes,
            Contradiction::LastOfKindInHand { .. } => ContextField::LastOfKind,
            Contradiction::NoSetToFeed | Contradiction::FedByAnother { .. } => ContextField::Feeder,
        }
    }
}
