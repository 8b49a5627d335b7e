//! The tiles of a photo on whose names its hand depends.
//!
//! Input: the tiles with the names that the classifier alone gives them. Output: which of them may
//! change the hand or what is asked about it. The large classifier looks again at these, and at no
//! others: a discard far from a sure hand has any name. Invariant: without a whole hand every tile
//! is in play.

use tilesight_core::tile::Face;

use super::interpretation::{Interpretation, InterpretedPhoto};
use super::observation::Observation;
use crate::decide::doubts::HandScorer;
use crate::decide::joint::{self, Decision};
use crate::layout::{self, Layout};
use crate::options::ReadOptions;
use crate::params::{ClassifyParams, JointParams};
use crate::pixels::faces::Sort;
use crate::pixels::seen_tile::SeenTile;

const PARAMS: ClassifyParams = ClassifyParams::DEFAULT;

/// Returns for each tile whether the hand depends on its name. The points of the options are in the
/// pixels of the tiles.
pub(crate) fn tiles_in_play(
    scorer: &HandScorer,
    options: &ReadOptions,
    tiles: &[SeenTile],
) -> Vec<bool> {
    let params = scorer.params();
    let layout = layout::lay_out_with(tiles, options, scorer.expects_a_win(), params);
    // No name is sure yet.
    let unsure = JointParams { confident: 1.0, ..params.joint };
    let decision = joint::decide_with(tiles, &layout, &unsure);
    // Without a clock: people who wait would see the stages begin anew.
    let interpretation = Interpretation { layout, decision, timings: Vec::new() };
    let observation = Observation::from_tiles((0, 0), tiles.to_vec());
    let photo = InterpretedPhoto { observation, interpretation };
    if !photo.explained(scorer).is_whole_hand {
        return vec![true; tiles.len()];
    }
    let play = Play::new(tiles, &photo.interpretation, params.flowers.straight_reach);
    (0..tiles.len()).map(|i| play.has(i)).collect()
}

/// A whole hand and what else the photo shows.
struct Play<'a> {
    tiles: &'a [SeenTile],
    layout: &'a Layout,
    decision: &'a Decision,
    /// For every tile, the name that the hand gives it.
    named: Vec<Option<Face>>,
    /// Maximum distance of a flower that may be the hand's, in widths.
    reach: f32,
}

impl<'a> Play<'a> {
    fn new(tiles: &'a [SeenTile], interpretation: &'a Interpretation, reach: f32) -> Play<'a> {
        let Interpretation { layout, decision, .. } = interpretation;
        let mut named = vec![None; tiles.len()];
        let faces = decision.best.iter().flat_map(|best| &best.faces);
        for &(i, face) in faces {
            named[i] = Some(face);
        }
        Play { tiles, layout, decision, named, reach }
    }

    /// Returns whether the hand depends on the name of a tile. All hands give the same name to a
    /// thing that lies alone and completes them, whatever it is.
    fn has(&self, i: usize) -> bool {
        match self.named[i] {
            Some(Face::Bonus(_)) => true,
            Some(face) => self.layout.is_alone(i) || !self.is_decided(i, face),
            None => self.may_join(i),
        }
    }

    /// Returns whether nearly all hands that were weighed give a tile the same name.
    fn is_decided(&self, i: usize, face: Face) -> bool {
        let hands = self.decision.best.iter().chain(&self.decision.rivals);
        let alike = hands.filter(|hand| hand.faces.contains(&(i, face)));
        alike.map(|hand| hand.p).sum::<f32>() >= PARAMS.certain * self.layout.chosen_p
    }

    /// Returns whether a tile that is left out may be the hand's, or a flower.
    fn may_join(&self, i: usize) -> bool {
        let Layout { doubtful_flowers, doubtful_tiles, indicators, hands, .. } = self.layout;
        let tile = &self.tiles[i];
        tile.faces.sort().0 == Sort::Bonus
            || [doubtful_flowers, doubtful_tiles, indicators].iter().any(|some| some.contains(&i))
            || hands.iter().any(|hand| hand.contains(&i))
            || self.decision.rivals.iter().any(|rival| rival.faces.iter().any(|(j, _)| *j == i))
            || self.is_near(tile)
    }

    /// Returns whether a tile lies as near to the hand as one of its flowers may.
    fn is_near(&self, tile: &SeenTile) -> bool {
        let hand = self.tiles.iter().zip(&self.named).filter(|(_, named)| named.is_some());
        hand.map(|(own, _)| own.quad.gap(&tile.quad, self.reach)).any(|gap| gap <= self.reach)
    }
}
