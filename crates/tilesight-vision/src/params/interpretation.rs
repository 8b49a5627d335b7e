//! Plausibility of each way to lay tiles: the weights of the interpretations of groups and of the
//! plans made of them.
//!
//! Each number is a factor. The weight of a plan is the product of the factors of all its claims,
//! so that only ratios count. Invariant: `make fit-layout FIT=interpretation` fits all but the two
//! counts.

use serde::{Deserialize, Serialize};

/// Factors of the interpretations.
///
/// All but `sets_in_line` and those marked as not tuned come from three rounds of `make fit-layout`
/// on 750 drawn tables (2026-11-23): the mean logarithm of the truth's probability rose from -1.20
/// to -1.11 on tables that the fit had not seen. `sets_in_line` is below that fit's 0.54. With
/// 0.54, one more of 60 rendered tables was read exactly, but 13 more of 100 exact hands in
/// held-out photos were asked about sets that lie concealed in a row.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct InterpretationParams {
    /// A single tile apart is concealed and did not win.
    pub single_concealed: f32,
    /// Three tiles apart that are a set are concealed.
    pub set_concealed: f32,
    /// Four equal tiles apart are concealed and not a kong.
    pub kong_concealed: f32,
    /// Four tiles apart of which some lie face down are not a kong.
    pub hidden_concealed: f32,
    /// Minimum share of its weight as a concealed row that a row keeps if a tile surely lies on
    /// another. Not tuned.
    pub min_flat: f32,
    /// A tile of a concealed row lies across it.
    pub turned_concealed: f32,
    /// The tile at the right end of a row lies across it and won.
    pub won_right: f32,
    /// The tile at the left end of a row lies across it and won.
    pub won_left: f32,
    /// A tile that lies across won although the row is three or four tiles that form a set: then
    /// the tile across was claimed.
    pub won_in_set: f32,
    /// A set touches the row of concealed tiles.
    pub touching: f32,
    /// A row apart of several sets with no tile across consists of exposed sets.
    pub sets_in_line: f32,
    /// Three tiles with one across are not a set: one of their faces is misread.
    pub misread_set: f32,
    /// Three tiles apart with no tile across are exposed.
    pub exposed_set: f32,
    /// Four equal tiles apart with no tile across are an exposed kong.
    pub exposed_kong: f32,
    /// Four equal tiles apart with no tile across are a concealed kong.
    pub open_kong: f32,
    /// By conventions that turn two tiles of a claimed kong, a kong with one turned tile was
    /// claimed nevertheless; else it is a pung with an added tile. Not tuned.
    pub kong_claimed: f32,
    /// Four equal tiles within a row are a kong that was not set apart.
    pub kong_within: f32,
    /// A second tile lies apart like the one that won.
    pub second_winner: f32,
    /// No tile is set apart as the winning tile.
    pub unmarked_winner: f32,
    /// A hand with more melds than sets, which no rules allow, and least weight of a row beside
    /// melds. Not tuned: it only keeps the product above zero.
    pub impossible: f32,
    /// Factor for each tile too many or too few.
    pub miscount: f32,
    /// Minimum of all these factors together. It only keeps the product above zero.
    pub min_miscount: f32,
    /// A set with no tile across lies beside one with a tile across.
    pub unturned: f32,
    /// Of the sets with no tile across, some are exposed and others concealed.
    pub mixed: f32,
    /// Maximum number of plans kept while groups are combined. Not tuned: it bounds the time.
    pub max_plans: usize,
    /// Maximum number of plans kept at the end. Not tuned: it bounds the time.
    pub plans: usize,
}

impl InterpretationParams {
    /// The values in use.
    pub const DEFAULT: InterpretationParams = InterpretationParams {
        single_concealed: 0.033,
        set_concealed: 0.22,
        kong_concealed: 0.125,
        hidden_concealed: 0.042,
        min_flat: 0.02,
        turned_concealed: 0.021,
        won_right: 0.6,
        won_left: 0.17,
        won_in_set: 0.021,
        touching: 0.125,
        sets_in_line: 0.05,
        misread_set: 0.042,
        exposed_set: 0.96,
        exposed_kong: 0.8,
        open_kong: 0.45,
        kong_claimed: 0.6,
        kong_within: 0.125,
        second_winner: 0.038,
        unmarked_winner: 0.21,
        impossible: 1e-6,
        miscount: 0.0084,
        min_miscount: 1e-30,
        unturned: 0.084,
        mixed: 0.19,
        max_plans: 96,
        plans: 24,
    };
}
