//! The frames of a camera that is pointed at a hand, read as one hand while they arrive.
//!
//! Input: one frame after the other. Output: a [`FrameReading`] for each frame: the hand that this
//! frame and the kept ones show [together](super::together), so that one frame settles what glare
//! hides in another. [`Frames`] keeps the detections of the few frames that show some tile best,
//! Invariants: the newest frame is always kept. Frames that show another hand are dropped: at once
//! if the newest frame shows the hand that was read, otherwise once several frames in a row show
//! other tiles. A single frame is read like a photo.

use tilesight_core::contract::{SetChoice, SetName};
use tilesight_core::hand::HandSetup;
use tilesight_core::rules::RulesError;

use super::clock::Clock;
use super::interpretation::InterpretedPhoto;
use super::observation::Observation;
use super::trace::Trace;
use super::{Reading, Status, together};
use crate::decide::doubts::HandScorer;
use crate::layout::Role;
use crate::options::ReadOptions;
use crate::params::{FrameParams, Params, TogetherParams};

/// Detections in the frames of a camera so far.
#[derive(Debug, Default)]
pub struct Frames {
    kept: Vec<Frame>,
    /// Number of frames so far.
    count: u64,
    /// Frame in whose pixels the hand was read, if that reading left no question: the frame stays
    /// the base. In another frame a shadow may count as one more tile, and the hand would flicker
    /// between the two.
    base: Option<u64>,
    /// Number of frames in a row that show other tiles than the frames before.
    others: usize,
    last: Option<ReadingSummary>,
    /// Number of frames in a row with the last outcome.
    same: usize,
    /// Own set that the newest frame was named with.
    set: Option<SetName>,
}

#[derive(Debug)]
struct Frame {
    number: u64,
    observation: Observation,
}

/// Aspects of a reading whose change a person would notice.
#[derive(Debug, PartialEq)]
struct ReadingSummary {
    hand: HandSetup,
    total: Option<u32>,
    status: Status,
}

/// The reading of a frame together with the frames that were kept before it.
#[derive(Debug)]
pub struct FrameReading {
    /// Hand that the frames show together, in the pixels of the frame that shows most of it.
    /// [`Reading::photos`] are these frames.
    pub reading: Reading,
    /// Numbers of the frames that were read together, counted from 0 in order of arrival. The last
    /// one is the newest.
    pub frames: Vec<u64>,
    /// Number of the frame in whose pixels the reading is: the one to display.
    pub base: u64,
    /// Number of frames in a row with this hand and score; 0 while the newest frame does not show
    /// the hand.
    pub same: usize,
    /// Whether the reading leaves no question and enough frames in a row agree on it.
    pub is_steady: bool,
}

/// Returns the parameters for frames: any number of frames counts as only a few independent photos.
fn frame_params(params: &Params) -> Params {
    let max_independent = params.frames.max_independent;
    Params { together: TogetherParams { max_independent, ..params.together }, ..*params }
}

impl Frames {
    /// Returns the choice of an own set for the next frame. With `auto` it is the set of the frame
    /// before: of two sets that look alike, now one and now the other would explain a frame better,
    /// and the names would flicker.
    pub(crate) fn set_choice(&self, asked: &SetChoice) -> SetChoice {
        match (&self.set, asked) {
            (Some(before), SetChoice::Auto) => SetChoice::Named(before.clone()),
            _ => asked.clone(),
        }
    }

    /// Reads the newest frame, whose pixel stages have run, together with the kept ones.
    ///
    /// # Errors
    /// [`RulesError`] if the win context contradicts the hand; the frames so far are kept.
    pub(crate) fn read(
        &mut self,
        observation: Observation,
        scorer: &HandScorer,
        options: ReadOptions,
        mut clock: Clock,
    ) -> Result<FrameReading, RulesError> {
        let params = frame_params(scorer.params());
        let newest = self.count;
        let (kept, numbers) = self.push(observation);
        let base = numbers.iter().position(|&number| Some(number) == self.base);
        let frame_scorer = scorer.clone().with_params(params);
        let seen =
            clock.time("together", || together::join_onto(base, kept, &options, &frame_scorer));
        let photo = InterpretedPhoto::new(scorer, &options, seen);
        let reading = Reading::compose(Trace::with_scorer(scorer, options, photo, clock))
            .inspect_err(|_| drop(self.kept.pop()))?;
        let base_place = reading.photos.iter().position(|photo| photo.is_base);
        let base = base_place.and_then(|place| numbers.get(place)).copied().unwrap_or(newest);
        self.base = (reading.status == Status::Ok).then_some(base);
        let shows_hand = self.learn(&reading, &params);
        let same = if shows_hand { self.same } else { 0 };
        let is_steady = reading.status == Status::Ok && same >= params.frames.steady;
        Ok(FrameReading { reading, frames: numbers, base, same, is_steady })
    }

    /// Adds a frame. Returns the contents of all kept frames together with their numbers.
    fn push(&mut self, observation: Observation) -> (Vec<Observation>, Vec<u64>) {
        let used = observation.set.as_ref().and_then(|set| set.used.as_ref());
        self.set = used.map(|used| used.name.clone());
        self.kept.push(Frame { number: self.count, observation });
        self.count += 1;
        self.kept.iter().map(|frame| (frame.observation.clone(), frame.number)).unzip()
    }

    /// Drops the frames that a reading of all frames made useless. Returns whether the newest frame
    /// shows the hand that was read.
    fn learn(&mut self, reading: &Reading, params: &Params) -> bool {
        if !newest_shows_hand(reading) {
            self.others += 1;
            if self.others >= params.frames.another_hand {
                let last = self.count - self.others as u64;
                self.kept.retain(|frame| frame.number >= last);
            }
            self.drop_surplus(reading, &params.frames);
            return false;
        }
        self.others = 0;
        self.notice(reading);
        let newest = self.kept.len() - 1;
        let clear = params.together.clear;
        let given_up: Vec<bool> = (0..newest)
            .map(|place| is_left_out(reading, place) || contradicts(reading, newest, place, clear))
            .collect();
        if given_up.contains(&true) {
            let mut given_up = given_up.into_iter().chain([false]);
            self.kept.retain(|_| !given_up.next().unwrap_or(false));
        } else {
            self.drop_surplus(reading, &params.frames);
        }
        true
    }

    /// Counts the readings in a row with the same outcome.
    fn notice(&mut self, reading: &Reading) {
        let outcome = ReadingSummary {
            hand: reading.hand.clone(),
            total: reading.score.as_ref().map(|score| score.total),
            status: reading.status,
        };
        self.same = if self.last.as_ref() == Some(&outcome) { self.same + 1 } else { 1 };
        self.last = Some(outcome);
    }

    /// Drops the frame from which the fewest tiles were named, the oldest of several such frames,
    /// if more frames are kept than the limit allows. The newest frame and the base are never
    /// dropped.
    fn drop_surplus(&mut self, reading: &Reading, params: &FrameParams) {
        if self.kept.len() <= params.kept.max(3) {
            return;
        }
        let old =
            (0..self.kept.len() - 1).filter(|&place| Some(self.kept[place].number) != self.base);
        if let Some(weakest) = old.min_by_key(|&place| count_named(reading, place)) {
            self.kept.remove(weakest);
        }
    }
}

/// Returns whether the newest of several frames, or the only one, shows the hand that was read.
fn newest_shows_hand(reading: &Reading) -> bool {
    reading.status != Status::NoHand
        && reading.photos.last().is_none_or(|newest| newest.left_out.is_none())
}

fn is_left_out(reading: &Reading, photo: usize) -> bool {
    reading.photos.get(photo).is_some_and(|photo| photo.left_out.is_some())
}

/// Returns whether two photos clearly show different faces of a tile.
fn contradicts(reading: &Reading, one: usize, other: usize, clear: f32) -> bool {
    let mut views = reading.tiles.iter().filter_map(|tile| tile.views.as_ref());
    views.any(|views| views.contradict(one, other, clear))
}

/// Counts the tiles of the hand that were named from a photo.
fn count_named(reading: &Reading, photo: usize) -> usize {
    let of_hand = reading.tiles.iter().filter(|tile| tile.role != Role::Ignored);
    of_hand.filter(|tile| tile.source_photo() == Some(photo)).count()
}

#[cfg(test)]
mod tests;
