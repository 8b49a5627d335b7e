//! The fields of a `score` that only riichi has: han, fu and limit.
//!
//! They stand beside the other fields of the score. Invariant: a score of another game has none of
//! them.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize};

use super::score::SetDto;
use crate::explain::Lang;
use crate::rules::Score;
use crate::rules::riichi::{Figures, FuPart, Limit};

/// Han, fu and limit of a hand of riichi.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = RiichiFigures)]
pub struct FiguresDto {
    /// Han of all lines; of a yakuman 13 for each that is paid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub han: Option<u32>,
    /// Fu, rounded up to tens (seven pairs: 25); `null` for a yakuman, and for a hand without a
    /// yaku.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "nullable")]
    #[schema(value_type = Option<u32>)]
    pub fu: Option<Option<u32>>,
    /// Limit that the hand reaches; `null` below a mangan.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "nullable")]
    #[schema(value_type = Option<Limit>)]
    pub limit: Option<Option<Limit>>,
    /// Number of yakuman that are paid. A counted one is not among them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub yakuman: Option<u32>,
    /// Whether 13 han and more are paid as a yakuman.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counted_yakuman: Option<bool>,
    /// Base points, from which every payment follows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<u32>,
    /// Parts of the fu, which add up to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fu_parts: Option<Vec<FuPartDto>>,
    /// Points of the riichi sticks on the table, which the winner takes. They were paid before, so
    /// neither `total` nor `payments` includes them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sticks: Option<u32>,
}

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

impl FiguresDto {
    /// Builds the fields of a score in a language.
    pub(super) fn new(score: &Score, lang: Lang) -> FiguresDto {
        let Some(figures) = &score.riichi else { return FiguresDto::default() };
        let Figures { han, fu, limit, yakuman, counted_yakuman, base, sticks, .. } = *figures;
        let parts = figures.fu_parts.iter().map(|part| FuPartDto::new(part, lang));
        FiguresDto {
            han: Some(han),
            fu: Some(fu),
            limit: Some(limit),
            yakuman: Some(yakuman),
            counted_yakuman: Some(counted_yakuman),
            base: Some(base),
            fu_parts: Some(parts.collect()),
            sticks: Some(sticks),
        }
    }
}

impl FuPartDto {
    fn new(part: &FuPart, lang: Lang) -> FuPartDto {
        FuPartDto {
            code: part.kind.code().into(),
            name: part.kind.name(lang).into(),
            fu: part.fu,
            sets: part.sets.iter().map(SetDto::from).collect(),
        }
    }
}

/// Reads a field that may be `null`; an absent one has its default.
#[allow(clippy::option_option, reason = "`null` says more than an absent field")]
fn nullable<'de, D, T>(deserializer: D) -> Result<Option<Option<T>>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    Option::deserialize(deserializer).map(Some)
}
