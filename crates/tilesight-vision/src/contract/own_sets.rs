//! The list of own sets that photos can be read with, as JSON.

use serde::{Deserialize, Serialize};

use crate::sets::Shelf;

/// Own sets that a request may choose, as JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = OwnSets)]
pub struct OwnSetsDto {
    /// The sets in the order of their names; empty if there are none.
    pub sets: Vec<OwnSetDto>,
}

/// An own set as JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = OwnSet)]
pub struct OwnSetDto {
    /// Name of the set, as `set` of a request takes it.
    pub name: String,
    /// Identity of the set: a hash of all that is in it.
    pub id: String,
    /// Whether the set was uploaded with the key that asks, and is for that key alone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub uploaded: bool,
}

impl From<&Shelf> for OwnSetsDto {
    fn from(shelf: &Shelf) -> OwnSetsDto {
        let sets = shelf.sets().map(|(id, set)| OwnSetDto {
            name: set.name().to_string(),
            id: id.to_string(),
            uploaded: false,
        });
        OwnSetsDto { sets: sets.collect() }
    }
}
