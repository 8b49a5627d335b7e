//! Parameters for recognising photos of the same hand, and for putting them together.
//!
//! Lengths are in sizes of a tile's outline (the root of its area, 1.16 widths). Invariant: shares
//! and probabilities are between 0 and 1.

use serde::{Deserialize, Serialize};

/// Parameters for recognising photos of the same hand, and for putting them together.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TogetherParams {
    /// Minimum probability of its name for a tile to be clear. Two photos are compared by their
    /// clear tiles. Not tuned.
    pub clear: f32,
    /// Maximum number of pairs of clear tiles with the same face that the search starts from, the
    /// rarest faces first. A hand has 14 tiles, so that nearly all of its pairs are tried. Not
    /// tuned: it bounds the time in a crowded photo.
    pub max_starts: usize,
    /// Maximum number of steps of the search for all photos of a hand together, each the comparison
    /// of a tile with one of another photo, some nanoseconds: photos that it does not reach are
    /// left out, and reported. Two photos of 300 equal tiles would take 600 million. Not tuned: it
    /// bounds the work.
    pub steps: usize,
    /// Usual error of a corner, which weighs corners against the usual perspective. Not tuned.
    pub corner_noise: f32,
    /// A tile lies where another photo shows one if their middles are less than this apart. From
    /// 0.6 on, the middle of its neighbour would be as near.
    pub same_place: f32,
    /// The corners of such a tile take part in the fit if they are less than this off: the outline
    /// of a tile half under a finger is that of the other half.
    pub same_corners: f32,
    /// A tile that covers more than this share of another one without being it is not added: it is
    /// a part of a tile, or a false alarm beside it.
    pub in_the_way: f32,
    /// Lower bound for the probability of a look, which limits how strongly two looks at one place
    /// can speak against being the same tile: this share of looks is wrong for a reason that their
    /// probabilities do not reflect, such as a finger.
    pub blunder: f32,
    /// Lower bound like [`TogetherParams::blunder`] for a look that shows a white dragon or a back.
    /// Glare and objects on a tile look like those, and would count as much as a clear name in
    /// another photo. Not tuned: one blank look in five.
    pub blank_blunder: f32,
    /// Minimum evidence that two photos show the same tiles, in nats. Three clear tiles with the
    /// same faces make 9 to 10; the samples from two sides with covered tiles make 14 and more.
    pub min_evidence: f32,
    /// Minimum evidence for tiles that do not lie on the table's plane. Four tiles are a part of a
    /// row that stands; three are a set that was pushed aside.
    pub min_evidence_beside: f32,
    /// Minimum share of clear pairs that have the same face, among the hand's pairs and among all.
    /// If a tile is drawn and put in the middle of a row, half of the row has moved on by one.
    pub min_agreement: f32,
    /// Minimum share of the hand's clear tiles within the other photo that are found there. Three
    /// covered tiles in each of two photos of 14 leave 0.7; if a row was pushed aside, no tile of
    /// it is found.
    pub min_found: f32,
    /// Maximum apparent offset of tiles that do not lie on the table, such as a standing row, from
    /// their place on the table's plane. The middle of a tile that stands is 0.6 high; seen from 30
    /// degrees above the table it is 1 off, from both sides 2.
    pub parallax: f32,
    /// Maximum number of planes of tiles to look for: the table, and two standing rows.
    pub max_planes: usize,
    /// Exponent that discounts looks at one tile: together they count as much as this power of
    /// their number would if they were independent. Looks of one classifier at one tile err
    /// together, so it is less than 1. The measurement uses 66 pairs of photos of the samples, from
    /// two sides with soft highlights on one to three tiles of each photo. With 0.5, 57 pairs are
    /// read exactly except for the names of flowers; with 0.3 as many, but 0.5 asks less; with 1
    /// there are 54, because it trusts too much in a tile that one photo misnames. From one of the
    /// photos alone 8 are read exactly. No reading is silently wrong.
    pub independence: f32,
    /// Maximum number of looks that count in full: more looks together count as much as this
    /// number.
    pub max_independent: f32,
    /// Minimum score of a tile that only one photo shows. False alarms on the sample scenes lie
    /// below 0.45, faces of the hand above 0.6.
    pub min_score: f32,
}

impl TogetherParams {
    /// The values in use.
    pub const DEFAULT: TogetherParams = TogetherParams {
        clear: 0.9,
        max_starts: 160,
        steps: 500_000_000,
        corner_noise: 0.04,
        same_place: 0.45,
        same_corners: 0.25,
        in_the_way: 0.25,
        blunder: 0.02,
        blank_blunder: 0.2,
        min_evidence: 9.0,
        min_evidence_beside: 12.5,
        min_agreement: 0.75,
        min_found: 0.6,
        parallax: 2.0,
        max_planes: 3,
        independence: 0.5,
        max_independent: 8.0,
        min_score: 0.6,
    };
}
