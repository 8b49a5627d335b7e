//! The figures of a hand beside its lines: han, fu with their parts, and the limit.

use crate::lang::Lang;
use crate::rules::scored_set::ScoredSet;
use crate::tile::PrintedTile;

/// The figures of a hand beside its lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figures {
    /// Sum of the han of all lines; of a yakuman 13 for each that is paid.
    pub han: u32,
    /// Fu, rounded up; `None` for a yakuman.
    pub fu: Option<u32>,
    /// Limit on the base points, if the hand reaches one.
    pub limit: Option<Limit>,
    /// Number of yakuman that are paid, without a counted one.
    pub yakuman: u32,
    /// Whether 13 han and more made a yakuman.
    pub counted_yakuman: bool,
    /// Base points, from which all payments follow.
    pub base: u32,
    /// Parts that add up to the fu.
    pub fu_parts: Vec<FuPart>,
    /// Points of the riichi sticks on the table, which the winner takes. The payments do not
    /// include them.
    pub sticks: u32,
    /// Red fives that count although none was named: the hand has all four fives of the suit.
    pub assumed_reds: Vec<PrintedTile>,
}

/// A part of the fu.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FuPart {
    /// Source of the fu.
    pub kind: FuKind,
    /// Fu of the part.
    pub fu: u32,
    /// Sets that give it; empty if the whole hand or the win context does.
    pub sets: Vec<ScoredSet>,
}

/// A source of fu.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FuKind {
    /// The base of every hand.
    Base,
    /// Seven pairs, which have nothing else.
    SevenPairs,
    /// A closed hand won on a discard.
    ClosedOnDiscard,
    /// The winning tile was drawn.
    SelfDraw,
    /// A called pung, or one that a discard completed.
    OpenPung,
    /// A concealed pung.
    ConcealedPung,
    /// A called kong.
    OpenKong,
    /// A concealed kong.
    ConcealedKong,
    /// A pair of dragons.
    DragonPair,
    /// A pair of the seat wind or of the prevalent wind.
    WindPair,
    /// A pair of the wind that is both.
    DoubleWindPair,
    /// The winning tile completed the pair.
    PairWait,
    /// The winning tile completed the middle of a chow.
    ClosedWait,
    /// The winning tile was the 3 of 123 or the 7 of 789.
    EdgeWait,
    /// An open hand on a discard that has nothing else.
    OpenPinfuShape,
    /// Fu that are missing to a whole ten.
    Rounding,
}

impl FuKind {
    /// Returns the code in JSON.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            FuKind::Base => "base",
            FuKind::SevenPairs => "seven_pairs",
            FuKind::ClosedOnDiscard => "closed_on_discard",
            FuKind::SelfDraw => "self_draw",
            FuKind::OpenPung => "open_pung",
            FuKind::ConcealedPung => "concealed_pung",
            FuKind::OpenKong => "open_kong",
            FuKind::ConcealedKong => "concealed_kong",
            FuKind::DragonPair => "dragon_pair",
            FuKind::WindPair => "wind_pair",
            FuKind::DoubleWindPair => "double_wind_pair",
            FuKind::PairWait => "pair_wait",
            FuKind::ClosedWait => "closed_wait",
            FuKind::EdgeWait => "edge_wait",
            FuKind::OpenPinfuShape => "open_pinfu_shape",
            FuKind::Rounding => "rounding",
        }
    }

    /// Returns the name in a language.
    #[must_use]
    pub const fn name(self, lang: Lang) -> &'static str {
        use crate::texts::riichi::fu;
        match self {
            FuKind::Base => fu::base(lang),
            FuKind::SevenPairs => fu::seven_pairs(lang),
            FuKind::ClosedOnDiscard => fu::closed_on_discard(lang),
            FuKind::SelfDraw => fu::self_draw(lang),
            FuKind::OpenPung => fu::open_pung(lang),
            FuKind::ConcealedPung => fu::concealed_pung(lang),
            FuKind::OpenKong => fu::open_kong(lang),
            FuKind::ConcealedKong => fu::concealed_kong(lang),
            FuKind::DragonPair => fu::dragon_pair(lang),
            FuKind::WindPair => fu::wind_pair(lang),
            FuKind::DoubleWindPair => fu::double_wind_pair(lang),
            FuKind::PairWait => fu::pair_wait(lang),
            FuKind::ClosedWait => fu::closed_wait(lang),
            FuKind::EdgeWait => fu::edge_wait(lang),
            FuKind::OpenPinfuShape => fu::open_pinfu_shape(lang),
            FuKind::Rounding => fu::rounding(lang),
        }
    }
}

/// A limit on the base points, by han.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    serde::Serialize,
    serde::Deserialize,
    utoipa::ToSchema,
)]
#[serde(rename_all = "snake_case")]
#[schema(as = RiichiLimit)]
pub enum Limit {
    /// 5 han, or base points of 2000.
    Mangan,
    /// 6 and 7 han: one and a half times as much.
    Haneman,
    /// 8 to 10 han: twice as much.
    Baiman,
    /// 11 and 12 han: three times as much.
    Sanbaiman,
    /// A yakuman, by tiles or by counting: four times as much.
    Yakuman,
}
