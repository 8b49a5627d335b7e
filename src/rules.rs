//! Rule sets: a legal hand and the circumstances of its win in, an itemised score out.
//!
//! [`score`] explains: every fan with the sets that form it, what was excluded and by what, the
//! reading of the hand that was chosen and its close rivals, who pays whom. A rule set may also
//! offer a quick way to the total alone ([`Ruleset::points`]); both always agree. No images, no
//! IO; contradictions between hand and circumstances are refused, all at once, never corrected.

pub mod mcr;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::context::{Context, ContextField};
use crate::hand::Hand;
use crate::settle::Payments;
use crate::tile::Tile;

pub use mcr::Fan;

/// A rule set that hands can be scored by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[non_exhaustive]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema))]
pub enum RulesetId {
    /// Mahjong Competition Rules as the World Mahjong Organization published them in 2006.
    #[default]
    #[serde(rename = "mcr-wmo")]
    McrWmo,
    /// Mahjong Competition Rules as most Chinese programs read those of 1998.
    #[serde(rename = "mcr-mil")]
    McrMil,
}

/// How a rule set has tiles laid on the table, as far as rule sets differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema))]
pub struct Conventions {
    /// How many tiles of a claimed kong lie sideways.
    pub turned_in_claimed_kong: Turned,
}

/// How many tiles lie sideways.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema))]
pub enum Turned {
    /// The claimed one.
    #[default]
    One,
    /// The claimed one and its neighbour (Mahjong Masters Million).
    Two,
}

impl RulesetId {
    /// Every rule set.
    pub const ALL: [RulesetId; 2] = [RulesetId::McrWmo, RulesetId::McrMil];

    /// The name in the contract.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            RulesetId::McrWmo => "mcr-wmo",
            RulesetId::McrMil => "mcr-mil",
        }
    }

    /// How tiles are laid on the table.
    #[must_use]
    pub const fn conventions(self) -> Conventions {
        match self {
            RulesetId::McrWmo | RulesetId::McrMil => {
                Conventions { turned_in_claimed_kong: Turned::One }
            }
        }
    }

    /// The rules behind the name.
    #[must_use]
    pub fn rules(self) -> &'static dyn Ruleset {
        match self {
            RulesetId::McrWmo => &mcr::WMO,
            RulesetId::McrMil => &mcr::MIL,
        }
    }
}

impl fmt::Display for RulesetId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that names no rule set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a rule set: expected mcr-wmo or mcr-mil")]
pub struct ParseRulesetError(pub String);

impl FromStr for RulesetId {
    type Err = ParseRulesetError;

    fn from_str(text: &str) -> Result<RulesetId, ParseRulesetError> {
        let found = RulesetId::ALL.into_iter().find(|ruleset| ruleset.name() == text);
        found.ok_or_else(|| ParseRulesetError(text.to_owned()))
    }
}

/// What every rule set can do.
pub trait Ruleset: Sync {
    /// The name of the rules; `None` for own options that are those of no named rules.
    fn id(&self) -> Option<RulesetId>;

    /// The total of a winning hand, flowers included.
    ///
    /// # Errors
    /// [`RulesError`]: the tiles are no winning hand, or the circumstances contradict them.
    fn points(&self, hand: &Hand, context: &Context) -> Result<u32, RulesError>;

    /// The itemised score of a winning hand.
    ///
    /// # Errors
    /// As [`points`](Ruleset::points).
    fn score(&self, hand: &Hand, context: &Context) -> Result<Score, RulesError>;
}

/// Scores a winning hand.
///
/// # Errors
/// [`RulesError`]: the tiles are no winning hand, or the circumstances contradict them.
pub fn score(ruleset: RulesetId, hand: &Hand, context: &Context) -> Result<Score, RulesError> {
    ruleset.rules().score(hand, context)
}

/// An itemised score.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Score {
    /// The rules that were applied; `None` for own options, see [`Ruleset::id`].
    pub ruleset: Option<RulesetId>,
    /// All points, flowers included: the sum of points times count over the awards.
    pub total: u32,
    /// What the hand must reach without flowers to be a legal win.
    pub minimum: u32,
    /// What is settled. In MCR the same as `total`; other rules cap it.
    pub value: u32,
    /// Whether the minimum is reached.
    pub legal: bool,
    /// The fans that count, by falling points, then by number.
    pub awards: Vec<Award>,
    /// The fans that the hand also shows but that do not count.
    pub excluded: Vec<Exclusion>,
    /// The chosen reading: melds in their order, then concealed sets, the pair last.
    pub sets: Vec<ScoredSet>,
    /// Other readings of the same tiles, by falling total; each worth no more than the chosen one.
    pub runners_up: Vec<RunnerUp>,
    /// Who pays whom.
    pub payments: Payments,
}

impl Score {
    /// The points that count towards the minimum: all but the flowers.
    #[must_use]
    pub fn without_flowers(&self) -> u32 {
        let counted = self.awards.iter().filter(|award| award.fan != Fan::FlowerTiles);
        counted.map(Award::total).sum()
    }

    /// How many points are missing for a legal win; 0 for a legal one.
    #[must_use]
    pub fn missing(&self) -> u32 {
        self.minimum.saturating_sub(self.without_flowers())
    }
}

/// A fan that counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Award {
    /// The fan.
    pub fan: Fan,
    /// The points of one.
    pub points: u32,
    /// How often it counts.
    pub count: u32,
    /// The sets that form it, one list for each time it counts; empty where the whole hand or the
    /// circumstances do.
    pub sets: Vec<Vec<ScoredSet>>,
}

impl Award {
    /// Points of one times count.
    #[must_use]
    pub const fn total(&self) -> u32 {
        self.points * self.count
    }
}

/// A fan that the hand shows but that does not count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exclusion {
    /// The fan that does not count.
    pub fan: Fan,
    /// The fan that counts and keeps it out.
    pub by: Fan,
    /// How often it would have counted.
    pub count: u32,
    /// The principle that keeps it out.
    pub reason: ExclusionReason,
}

/// Why a fan does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ExclusionReason {
    /// Non-repeat: the other fan can't be had without this one.
    Implied,
    /// Non-identical: a set of it was used for the same fan already.
    SameFanTwice,
    /// Account once: its sets are already bound together by other fans.
    AccountOnce,
}

/// A set of the chosen reading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScoredSet {
    /// What kind of set it is.
    pub kind: SetKind,
    /// Its tiles in order.
    pub tiles: Vec<Tile>,
    /// Whether it counts as concealed: neither melded nor, for a pung, completed by a discard.
    pub concealed: bool,
    /// Whether the winning tile completed it in this reading.
    pub winning: bool,
}

/// The kinds of sets that readings are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum SetKind {
    /// Three consecutive tiles of a suit.
    Chow,
    /// Three of a kind.
    Pung,
    /// Four of a kind.
    Kong,
    /// Two of a kind.
    Pair,
    /// 1-4-7, 2-5-8 and 3-6-9 in three suits: nine tiles.
    Knitted,
    /// Tiles that belong to a special hand one by one.
    Singles,
}

/// Another reading of the same tiles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunnerUp {
    /// What the hand would score read like this.
    pub total: u32,
    /// Its sets, as in [`Score::sets`].
    pub sets: Vec<ScoredSet>,
    /// Its fans, as in [`Score::awards`].
    pub awards: Vec<Award>,
}

/// Why a hand can't be scored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RulesError {
    /// The tiles form no winning hand; whoever read or typed the tiles can fix it.
    #[error("the tiles form no winning hand")]
    NotAWin,
    /// The circumstances can't be those of this hand; whoever gave them can fix it.
    #[error("{}", list(.0))]
    Contradictions(Vec<Contradiction>),
}

impl RulesError {
    /// The contradictions; none when the tiles form no winning hand.
    #[must_use]
    pub fn contradictions(&self) -> &[Contradiction] {
        match self {
            RulesError::NotAWin => &[],
            RulesError::Contradictions(all) => all,
        }
    }
}

fn list(contradictions: &[Contradiction]) -> String {
    let lines = contradictions.iter().map(|one| format!("{}: {one}", one.field()));
    lines.collect::<Vec<_>>().join("; ")
}

/// One circumstance that can't be true of the hand. Its text leaves the naming of the field to whoever
/// tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Contradiction {
    /// A replacement tile follows a kong, and there is none.
    #[error("a replacement tile follows a kong, and the hand has none")]
    ReplacementWithoutKong,
    /// The robbed tile is the fourth of a pung of somebody else.
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
}

impl Contradiction {
    /// Whether it holds for every hand: the circumstances contradict each other.
    #[must_use]
    pub const fn is_of_every_hand(self) -> bool {
        matches!(self, Contradiction::RobbedAfterLastTile)
    }

    /// The field of the context to change.
    #[must_use]
    pub const fn field(self) -> ContextField {
        match self {
            Contradiction::ReplacementWithoutKong | Contradiction::RobbedTileInHand { .. } => {
                ContextField::Win
            }
            Contradiction::RobbedAfterLastTile => ContextField::LastWallTile,
            Contradiction::LastOfKindInHand { .. } => ContextField::LastOfKind,
        }
    }
}
