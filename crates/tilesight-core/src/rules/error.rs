//! Errors of hands that can't be scored, each with the person who can fix it.

use crate::context::{CompletedSet, ContextField, Declaration, Feeder};
use crate::hand::{Hand, HandFault, HandSize};
use crate::tile::{PrintedTile, Tile};

/// Error when a hand can't be scored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RulesError {
    /// The tiles are not a winning hand; the person who read or typed the tiles can fix it.
    NotAWin,
    /// The rules are played with another number of tiles. The person who named the rules or read
    /// the tiles can fix it.
    WrongSize(HandFault),
    /// The hand has bonus tiles, but these rules are played without them: another game was meant,
    /// or a tile was misread. The person who named the rules or read the tiles can fix it.
    FlowersNotPlayed {
        /// Number of bonus tiles in the hand.
        count: u8,
    },
    /// The hand has a tile that is not in the wall of these rules: three players have no 2 to 8 of
    /// characters. The person who named the rules or read the tiles can fix it.
    TileNotPlayed {
        /// The first such tile.
        tile: Tile,
    },
    /// The hand has more red fives of a suit than the set of these rules. The person who named the
    /// rules or read the tiles can fix it.
    TooManyReds {
        /// The red five.
        tile: PrintedTile,
        /// Number in the hand.
        found: u8,
        /// Number in the set.
        max: u8,
    },
    /// The hand has a called chow, but these rules allow none; the same person can fix it.
    ChowNotCallable,
    /// The context can't be that of this hand; the person who gave it can fix it.
    Contradictions(Vec<Contradiction>),
}

impl RulesError {
    /// Returns the contradictions; empty for other errors.
    #[must_use]
    pub fn contradictions(&self) -> &[Contradiction] {
        match self {
            RulesError::NotAWin
            | RulesError::WrongSize(_)
            | RulesError::FlowersNotPlayed { .. }
            | RulesError::TileNotPlayed { .. }
            | RulesError::TooManyReds { .. }
            | RulesError::ChowNotCallable => &[],
            RulesError::Contradictions(all) => all,
        }
    }
}

/// Refuses a hand that has another number of tiles than the rules are played with.
///
/// # Errors
/// [`RulesError::WrongSize`].
#[inline]
pub(in crate::rules) fn require_size(hand: &Hand, size: HandSize) -> Result<(), RulesError> {
    if hand.size() == size { Ok(()) } else { Err(wrong_size(hand, size)) }
}

#[cold]
fn wrong_size(hand: &Hand, size: HandSize) -> RulesError {
    let melds = hand.melds().count();
    let found = hand.concealed().total();
    RulesError::WrongSize(match size.waiting().checked_sub(3 * melds) {
        Some(expected) => HandFault::TileCount { expected, found },
        None => HandFault::TooManyMelds { found: melds, max: size.sets() },
    })
}

/// A field of the win context that can't be true of the hand. The text does not name the field, so
/// that each caller can add its own name for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Contradiction {
    /// A replacement tile in a hand without a kong, which it must follow.
    ReplacementWithoutKong,
    /// A robbed tile that the hand holds too; the other three are in a pung of another player.
    RobbedTileInHand {
        /// The winning tile.
        tile: Tile,
    },
    /// A robbed kong after the last tile of the wall, when no kong can be declared.
    RobbedAfterLastTile,
    /// A last tile of its kind in a hand that holds another one concealed; the other three must lie
    /// open.
    LastOfKindInHand {
        /// The winning tile.
        tile: Tile,
    },
    /// A feeder for a hand without a set that makes its feeder pay.
    NoSetToFeed,
    /// A feeder that the melds rule out, because they show who fed them.
    FedByAnother {
        /// Feeder of the last of these sets according to the context.
        feeder: Feeder,
    },
    /// A replacement tile as the last tile of the wall; it comes from the other end.
    ReplacementAtEndOfWall,
    /// A declaration that does not fit the hand.
    Declared {
        /// The declaration.
        declared: Declaration,
        /// Requirement that is not met.
        needs: Requirement,
    },
    /// Riichi in a hand with a called meld.
    RiichiWithCalledMeld,
    /// Ippatsu without riichi.
    IppatsuWithoutRiichi,
    /// Ippatsu with a replacement tile: the kong, or the north that was set aside, ended the
    /// go-around.
    IppatsuAfterReplacement,
    /// More indicators under the face-up ones than there are of these.
    TooManyUraIndicators {
        /// Number of the face-up ones.
        face_up: u8,
        /// Number that is given.
        found: u8,
    },
    /// An indicator that is a fifth copy of a tile.
    TooManyCopies {
        /// The field with the indicator.
        field: ContextField,
        /// The tile.
        tile: Tile,
        /// Number of copies in the hand, set aside and among the indicators.
        found: u32,
    },
    /// Fewer dora indicators than lie face up beside the kongs of the hand.
    TooFewIndicators {
        /// Number that lies face up at least.
        needed: u8,
        /// Number that is given.
        found: u8,
    },
    /// The seat North, where three play.
    SeatNotTaken,
    /// The player opposite as discarder or feeder, where three play.
    NobodyOpposite {
        /// The field that names this player.
        field: ContextField,
    },
    /// An indicator that is not in the wall of these rules.
    IndicatorNotPlayed {
        /// The field with the indicator.
        field: ContextField,
        /// The indicator.
        tile: Tile,
    },
    /// More norths set aside than the hand leaves.
    TooManyNorths {
        /// Number of norths set aside and in the hand.
        found: u32,
    },
    /// A dealer who does not sit East, where the dealer always does.
    DealerNotEast,
    /// A set that the winning tile can't have completed.
    NotCompleted {
        /// The named set.
        set: CompletedSet,
        /// The winning tile.
        tile: Tile,
    },
}

/// A requirement of a declaration.
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
    /// The winner has not declared riichi.
    NoRiichi,
    /// The winner has not set a north aside.
    NoNorths,
    /// At most two sets are open, including the one that the winning tile completed.
    FewOpenSets,
    /// The hand has a flower or a season.
    BonusTile,
    /// The winner is the dealer.
    Dealer,
    /// The winner is not the dealer.
    NotDealer,
    /// The hand has no claimed set.
    NoClaimedSet,
    /// The winning tile was not the last of the wall.
    NotLastTile,
    /// The winning tile replaced no kong's fourth.
    NoKongReplacement,
    /// No other first hand is declared.
    OneFirstHand,
    /// No ready hand was declared before.
    NoReady,
    /// No other ready hand is declared.
    OneReady,
    /// The hand has all eight flowers and seasons.
    EightBonusTiles,
    /// The hand has seven flowers and seasons.
    SevenBonusTiles,
    /// The hand has no winning tile.
    NoWinningTile,
    /// A declaration without any other.
    NothingElse,
    /// The rules play it.
    Played,
}

impl Requirement {
    /// Returns whether the requirement is about the win context alone, whatever the hand.
    const fn is_of_win_context(self) -> bool {
        matches!(
            self,
            Requirement::SeatEast
                | Requirement::OtherSeat
                | Requirement::SelfDraw
                | Requirement::Discard
                | Requirement::KongReplacement
                | Requirement::NoRiichi
                | Requirement::NoNorths
                | Requirement::Dealer
                | Requirement::NotDealer
                | Requirement::NotLastTile
                | Requirement::NoKongReplacement
                | Requirement::OneFirstHand
                | Requirement::NoReady
                | Requirement::OneReady
                | Requirement::NothingElse
                | Requirement::Played
        )
    }
}

impl Contradiction {
    /// Returns whether the contradiction holds for every hand, because it is within the win
    /// context.
    #[must_use]
    pub const fn is_of_every_hand(self) -> bool {
        match self {
            Contradiction::RobbedAfterLastTile
            | Contradiction::ReplacementAtEndOfWall
            | Contradiction::IppatsuWithoutRiichi
            | Contradiction::IppatsuAfterReplacement
            | Contradiction::TooManyUraIndicators { .. }
            | Contradiction::SeatNotTaken
            | Contradiction::DealerNotEast
            | Contradiction::NobodyOpposite { .. }
            | Contradiction::IndicatorNotPlayed { .. } => true,
            Contradiction::Declared { needs, .. } => needs.is_of_win_context(),
            _ => false,
        }
    }

    /// Returns the field of the context to change.
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
            Contradiction::RiichiWithCalledMeld => ContextField::Riichi,
            Contradiction::IppatsuWithoutRiichi | Contradiction::IppatsuAfterReplacement => {
                ContextField::Ippatsu
            }
            Contradiction::TooManyUraIndicators { .. } => ContextField::UraIndicators,
            Contradiction::TooFewIndicators { .. } => ContextField::DoraIndicators,
            Contradiction::SeatNotTaken => ContextField::Seat,
            Contradiction::DealerNotEast => ContextField::Dealer,
            Contradiction::NobodyOpposite { field }
            | Contradiction::TooManyCopies { field, .. }
            | Contradiction::IndicatorNotPlayed { field, .. } => field,
            Contradiction::TooManyNorths { .. } => ContextField::Norths,
            Contradiction::NotCompleted { .. } => ContextField::Completes,
            Contradiction::LastOfKindInHand { .. } => ContextField::LastOfKind,
            Contradiction::NoSetToFeed | Contradiction::FedByAnother { .. } => ContextField::Feeder,
        }
    }
}
