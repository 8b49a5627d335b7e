//! When photos show the same hand, and how what they show is put together.
//!
//! Input: none. Output: [`TogetherParams`]. Lengths are in sizes of a tile's outline (the root of
//! its area, 1.16 widths). Invariant: shares and probabilities are between 0 and 1.

use serde::{Deserialize, Serialize};

/// When photos show the same hand, and how what they show is put together.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TogetherParams {
    /// From this probability of its name on a tile is clear: it may be what two photos are compared
    /// by. Not tuned.
    pub clear: f32,
    /// Pairs of clear tiles with the same face that the search starts from, the rarest faces first.
    /// A hand has 14 tiles, so that nearly all of its pairs are tried. Not tuned: it bounds the
    /// time in a crowded photo.
    pub most_starts: usize,
    /// How far off a corner usually is, which weighs corners against the usual perspective. Not
    /// tuned.
    pub corner_noise: f32,
    /// The usual change of size over one tile from one photo to the other, with which the
    /// perspective of few tiles is held: twice that of one photo in
    /// [`PlaneParams`](super::PlaneParams).
    pub recession: f32,
    /// A tile lies where another photo shows one when their middles are less than this apart. From
    /// 0.6 on, the middle of its neighbour would be as near.
    pub same_place: f32,
    /// And its corners take part in the fit when they are less than this off: the outline of a
    /// tile half under a finger is that of the other half.
    pub same_corners: f32,
    /// A tile that is mapped onto this share of another one is that tile; the same as in
    /// [`DetectParams`](super::DetectParams).
    pub same_tile: f32,
    /// And one that lies on more than this share without being it is not added: it is a part of a
    /// tile, or a false alarm beside it.
    pub in_the_way: f32,
    /// What two looks at one place say at the most against being the same tile: a look in this many
    /// is wrong for a reason that its probabilities do not know, such as a finger.
    pub blunder: f32,
    /// The same for a look that shows a white dragon or a back: glare and what lies on a tile look
    /// like that, and would count as much as a clear name in another photo. Not tuned: one blank
    /// look in five.
    pub blank_blunder: f32,
    /// The evidence that two photos show the same tiles, in nats. Three clear tiles with the same
    /// faces make 9 to 10; the samples from two sides with covered tiles make 14 and more.
    pub least_evidence: f32,
    /// The same for tiles that do not lie on the table's plane. Four tiles are a part of a row that
    /// stands; three are a set that was pushed aside.
    pub least_evidence_beside: f32,
    /// The share of clear pairs that have the same face, at the least, of the hand's and of all.
    /// When a tile is drawn and put in the middle of a row, half of the row has moved on by one.
    pub least_agreement: f32,
    /// The share of the hand's clear tiles within the other photo that are found there, at the
    /// least. Three covered tiles in each of two photos of 14 leave 0.7; of a row that was pushed
    /// aside none is found.
    pub least_found: f32,
    /// How far tiles that do not lie on the table, such as a standing row, may seem to be from
    /// where the table's plane has them. The middle of a tile that stands is 0.6 high; seen from 30
    /// degrees above the table it is 1 off, from both sides 2.
    pub parallax: f32,
    /// The planes of tiles that are looked for: the table, and two standing rows.
    pub most_planes: usize,
    /// How much looks at one tile say together: as much as their number to this power would if they
    /// were independent. Looks of one classifier at one tile err together, so it is less than 1. Of
    /// 66 pairs of photos of the samples, from two sides with soft highlights on one to three tiles
    /// of each photo, 57 are read exactly but for the names of flowers with 0.3 as with 0.5, which
    /// asks less, and 54 with 1, which is too sure of a tile that one photo misnames; from one of
    /// the photos alone 8 are. None is silently wrong.
    pub independence: f32,
    /// The most looks that count so: with more, all together still say what this number would.
    pub most_independent: f32,
    /// The score of a tile that one photo alone shows, at the least. False alarms on the sample
    /// scenes lie below 0.45, faces of the hand above 0.6.
    pub least_score: f32,
    /// And the probability of its name. Not tuned: more likely than not.
    pub least_name: f32,
}

impl TogetherParams {
    /// The values in use.
    pub const DEFAULT: TogetherParams = TogetherParams {
        clear: 0.9,
        most_starts: 160,
        corner_noise: 0.04,
        recession: 0.1,
        same_place: 0.45,
        same_corners: 0.25,
        same_tile: 0.55,
        in_the_way: 0.25,
        blunder: 0.02,
        blank_blunder: 0.2,
        least_evidence: 9.0,
        least_evidence_beside: 12.5,
        least_agreement: 0.75,
        least_found: 0.6,
        parallax: 2.0,
        most_planes: 3,
        independence: 0.5,
        most_independent: 8.0,
        least_score: 0.6,
        least_name: 0.5,
    };
}
