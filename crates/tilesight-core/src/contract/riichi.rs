//! The parts of the fu in a `score` of riichi, and the table of values.
//!
//! Input: parts of a score, and the options of a rule set. Output: their JSON. Invariant: the parts
//! of a hand add up to its fu, and every payment of the table is one that a hand can have.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize};

use super::scored_set::SetDto;
use crate::explain::Lang;
use crate::rules::riichi::{FuPart, Limit, ValueRow};

/// A part of the fu.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = FuPart)]
pub struct FuPartDto {
    /// Code of the part, the same in all languages, such as `base`, `concealed_pung`, `edge_wait`
    /// or `rounding`.
    pub code: Cow<'static, str>,
    /// Name of the part in the requested language.
    pub name: Cow<'static, str>,
    /// Fu of the part.
    pub fu: u32,
    /// Sets that give it; empty if the whole hand or the win context does.
    pub sets: Vec<SetDto>,
}

impl FuPartDto {
    /// Builds the JSON of a part in a language.
    pub(super) fn new(part: &FuPart, lang: Lang) -> FuPartDto {
        FuPartDto {
            code: part.kind.code().into(),
            name: part.kind.name(lang).into(),
            fu: part.fu,
            sets: part.sets.iter().map(SetDto::from).collect(),
        }
    }
}

/// Reads a field that may be `null`; an absent one has its default.
///
/// # Errors
/// The errors of the value.
#[allow(clippy::option_option, reason = "`null` says more than an absent field")]
pub fn nullable<'de, D, T>(deserializer: D) -> Result<Option<Option<T>>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    Option::deserialize(deserializer).map(Some)
}

/// Payments for hands of some han and fu.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = ValueRow)]
pub struct ValueRowDto {
    /// Least han of the row.
    pub han: u32,
    /// Fu of the row; `null` if they make no difference.
    pub fu: Option<u32>,
    /// Limit of the row; `null` below a mangan.
    pub limit: Option<Limit>,
    /// Payment of a discarder to a player other than East; `null` if no hand is claimed with these
    /// han and fu.
    pub discard: Option<u32>,
    /// Payment of a discarder to East.
    pub discard_to_east: Option<u32>,
    /// Payment of East for another player's self-draw; `null` if no hand is drawn with these han
    /// and fu.
    pub self_draw_east: Option<u32>,
    /// Payment of each of the others for it.
    pub self_draw_others: Option<u32>,
    /// Payment of each player for East's self-draw.
    pub self_draw_to_east: Option<u32>,
}

impl From<&ValueRow> for ValueRowDto {
    fn from(row: &ValueRow) -> ValueRowDto {
        let &ValueRow { han, fu, limit, discard, self_draw, self_draw_to_east } = row;
        ValueRowDto {
            han,
            fu,
            limit,
            discard: discard.map(|one| one.others),
            discard_to_east: discard.map(|one| one.east),
            self_draw_east: self_draw.map(|one| one.east),
            self_draw_others: self_draw.map(|one| one.others),
            self_draw_to_east,
        }
    }
}
