//! A set of a decomposition as JSON.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::rules::{ScoredSet, SetKind};
use crate::tile::Tile;

/// A set of a decomposition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = ScoredSet)]
pub struct SetDto {
    /// `chow`, `pung`, `kong`, `pair`, `knitted` or `singles`.
    pub kind: Cow<'static, str>,
    /// Tiles of the set.
    pub tiles: Vec<Tile>,
    /// Whether the set counts as concealed.
    pub concealed: bool,
    /// Whether the winning tile completed the set.
    pub winning: bool,
}

impl From<&ScoredSet> for SetDto {
    fn from(set: &ScoredSet) -> SetDto {
        let kind = match set.kind {
            SetKind::Chow => "chow",
            SetKind::Pung => "pung",
            SetKind::Kong => "kong",
            SetKind::Pair => "pair",
            SetKind::Knitted => "knitted",
            SetKind::Singles => "singles",
        };
        SetDto {
            kind: kind.into(),
            tiles: set.tiles.clone(),
            concealed: set.concealed,
            winning: set.winning,
        }
    }
}
