//! The most probable hands among the tiles of one photo.
//!
//! Input: an [`Observation`], a scorer for the win context, and the location given for the hand.
//! Output: an [`Interpretation`], which tells how much of a hand the photo shows and which a
//! [`Trace`](super::trace::Trace) scores. Invariant: this is the only place that composes layout
//! and decision of a hand that is scored.

use std::time::Duration;

use tilesight_core::hand::HandSetup;
use tilesight_core::meld::{KongKind, Meld};
use tilesight_core::tile::Tile;

use super::clock::Clock;
use super::observation::Observation;
use crate::decide::doubts::{HandScorer, count_hidden_kongs};
use crate::decide::joint::{self, Candidate, Decision};
use crate::geometry::Quad;
use crate::layout::{self, Layout};
use crate::options::ReadOptions;
use crate::sets::unfamiliar::is_unfamiliar;
use crate::wins::wins_as;

/// Results of the stages between the pixels and the score.
#[derive(Debug, Clone)]
pub(crate) struct Interpretation {
    /// The hand's tiles and their possible parts.
    pub(super) layout: Layout,
    /// Hands that were weighed.
    pub(super) decision: Decision,
    /// Duration of each stage.
    pub(super) timings: Vec<(&'static str, Duration)>,
}

/// Results of the pixel stages for one photo, and what they are taken for.
#[derive(Debug, Clone)]
pub(crate) struct InterpretedPhoto {
    pub(crate) observation: Observation,
    pub(crate) interpretation: Interpretation,
}

/// Results of the pixel stages for one of several photos.
#[derive(Debug, Clone)]
pub struct SeenPhoto {
    /// Tiles of the photo.
    pub(crate) observation: Observation,
    /// Duration of each stage that looked at pixels.
    pub timings: Vec<(&'static str, Duration)>,
    /// The most probable hands, by the options and the win context that the photo was seen with.
    pub(crate) interpretation: Interpretation,
}

/// The tiles that a hand explains; those of a whole hand count more than any others.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub(crate) struct ExplainedTiles {
    /// Whether no tile of the hand is missing: it wins, or waits for its last tile if its player
    /// did not win.
    pub(crate) is_whole_hand: bool,
    /// Number of the hand's tiles that are expected to be named right.
    named: f32,
}

impl Interpretation {
    /// Finds the most probable hands among the tiles that were observed. An improbable one of
    /// things that look like no face does not count.
    pub(crate) fn new(
        scorer: &HandScorer,
        options: &ReadOptions,
        observation: &Observation,
    ) -> Interpretation {
        let tiles = observation.tiles();
        let options = observation.options_in_tiles(options.clone());
        let params = scorer.params();
        let won = scorer.expects_a_win();
        let mut clock = Clock::start();
        let layout = clock.time("layout", || layout::lay_out_with(tiles, &options, won, params));
        let decision = clock.time("joint", || joint::decide_with(tiles, &layout, &params.joint));
        if observation.uses_own_set() || !is_unfamiliar(tiles, &decision) {
            return Interpretation { layout, decision, timings: clock.into_timings() };
        }
        let layout = layout.without_hand();
        let decision = joint::decide_with(tiles, &layout, &params.joint);
        Interpretation { layout, decision, timings: clock.into_timings() }
    }
}

impl InterpretedPhoto {
    /// Finds the most probable hands among the tiles that were observed.
    pub(crate) fn new(
        scorer: &HandScorer,
        options: &ReadOptions,
        observation: Observation,
    ) -> InterpretedPhoto {
        let interpretation = Interpretation::new(scorer, options, &observation);
        InterpretedPhoto { observation, interpretation }
    }

    /// Returns the outlines of the most probable hand's tiles, as the photo shows them.
    pub(crate) fn outlines_of_hand(&self) -> Vec<Quad> {
        let tiles = self.observation.shown_tiles();
        let best = self.interpretation.decision.best.iter();
        best.flat_map(|best| &best.faces).map(|&(i, _)| tiles[i].quad).collect()
    }

    /// Returns the tiles that the most probable hand explains.
    pub(crate) fn explained(&self, scorer: &HandScorer) -> ExplainedTiles {
        let Interpretation { layout, decision, .. } = &self.interpretation;
        let Some(best) = &decision.best else {
            return ExplainedTiles { is_whole_hand: false, named: 0.0 };
        };
        let hand = with_hidden_kongs(best);
        let is_whole_hand = if scorer.expects_a_win() {
            wins_as(&hand, layout.size, &layout.ruleset)
        } else {
            count(&hand) >= layout.size.waiting()
        };
        let tiles = self.observation.tiles();
        let named =
            best.faces.iter().map(|&(i, face)| tiles[i].faces.probability(Some(face))).sum();
        ExplainedTiles { is_whole_hand, named }
    }
}

/// Returns the hand, in which each kong that shows only backs is of some kind that it does not have
/// yet: its kind is asked about, and no tile of it is missing.
fn with_hidden_kongs(best: &Candidate) -> HandSetup {
    let seen = best.setup.all();
    let unseen = Tile::ALL.into_iter().filter(|&tile| seen.count(tile) == 0);
    let kongs = unseen.map(|tile| Meld::Kong { tile, kind: KongKind::Concealed });
    let mut hand = best.setup.clone();
    hand.melds.extend(kongs.take(count_hidden_kongs(best)));
    hand
}

/// Returns the number of tiles of a hand, a kong counted as three.
fn count(hand: &HandSetup) -> usize {
    hand.concealed.len() + hand.winning.iter().len() + 3 * hand.melds.len()
}

#[cfg(test)]
mod tests {
    use tilesight_core::context::ContextSetup;
    use tilesight_core::rules::Book;

    use super::*;
    use crate::pixels::faces::Faces;
    use crate::pixels::seen_tile::SeenTile;

    /// Returns the tiles of a row of fourteen things, each with a probability of its name and as
    /// much likeness to it, read as a hand.
    fn interpret(p: f32, likeness: f32) -> Interpretation {
        let names = ["1m", "2m", "3m", "4p", "5p", "6p", "7s", "8s", "9s", "E", "E", "E", "C", "C"];
        let others = ["2p", "4s", "6m", "8p", "S", "N"].map(|code| (code, (1.0 - p) / 6.0));
        let mut tiles = Vec::new();
        for (n, name) in names.into_iter().enumerate() {
            let weights = others.into_iter().chain([(name, p)]);
            tiles.push(SeenTile {
                quad: Quad::rectangle(30.0 * n as f32, 0.0, 30.0, 40.0),
                score: 0.9,
                inside: 1.0,
                faces: Faces::from_weights(weights.map(|(code, p)| (code.parse().ok(), p))),
                turns: [1.0, 0.0, 0.0, 0.0],
                red: 0.0,
                likeness: Some(likeness),
            });
        }
        let book = Book::shipped();
        let context = ContextSetup::default();
        let scorer = HandScorer::new(&context, book.usual()).expect("a context");
        let observation = Observation::from_tiles((420, 40), tiles);
        Interpretation::new(&scorer, &book.usual().into(), &observation)
    }

    #[test]
    fn an_improbable_hand_of_unfamiliar_tiles_is_none() {
        let unfamiliar = interpret(0.5, 0.3);
        assert!(unfamiliar.decision.best.is_none());
        assert_eq!(unfamiliar.layout.ignored.len(), 14);
        assert!(unfamiliar.layout.groups.is_empty() && unfamiliar.layout.hands.is_empty());
    }

    #[test]
    fn a_hand_stays_if_its_tiles_are_familiar_or_it_is_probable() {
        let improbable = interpret(0.5, 0.7).decision.best.expect("a hand of familiar tiles");
        assert_eq!(improbable.faces.len(), 14);
        assert!(improbable.p < 0.01, "the other test would prove nothing: {}", improbable.p);
        let probable = interpret(0.99, 0.3).decision.best.expect("a probable hand");
        assert_eq!(probable.faces.len(), 14);
    }
}
