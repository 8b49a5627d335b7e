//! Frames of painted tiles: what is kept of each frame, and the combined result.

use std::sync::Arc;

use tilesight_core::context::ContextSetup;
use tilesight_core::rules::{Book, Profile};

use super::*;
use crate::geometry::Quad;
use crate::networks::fake::{PaintedModel, PaintedTile, paint};
use crate::{Photo, Reader};

/// A concealed hand whose winning tile lies apart.
const HAND: &str = "2m 3m 4m 5m 6m 7m 2p 3p 4p 6s 7s 5s 5s - 8s";
const ANOTHER: &str = "1p 1p 1p 3p 4p 5p 7p 8p 9p E E E 9s - 9s";

/// A face that glare is mistaken for: a white dragon.
const GLARE: &str = "P";

/// A camera: a reader, and the frames that it has seen.
struct Camera {
    reader: Reader,
    frames: Frames,
    ruleset: Arc<Profile>,
}

impl Camera {
    fn new() -> Camera {
        let reader = Reader::with_model(PaintedModel::default());
        Camera { reader, frames: Frames::default(), ruleset: Arc::clone(Book::shipped().usual()) }
    }

    /// Reads a frame in which the hand lies `moved` pixels further to the right.
    fn sees(&mut self, hand: &str, moved: f32) -> FrameReading {
        let codes = hand.split_whitespace().enumerate().filter(|&(_, code)| code != "-");
        let tiles = codes.map(|(at, code)| PaintedTile {
            quad: Quad::rectangle(20.0 + moved + 36.0 * at as f32, 300.0, 36.0, 48.0),
            face: code.parse().expect("a face"),
        });
        let tiles: Vec<PaintedTile> = tiles.collect();
        let frame = Photo::from_rgb(paint(640, 480, &tiles)).expect("a small photo");
        let context = ContextSetup::default();
        let read = self.reader.read_frame(&mut self.frames, frame, &context, &self.ruleset);
        read.expect("a reading")
    }
}

/// Returns the hand with other faces at some places.
fn but(hand: &str, others: &[(usize, &str)]) -> String {
    let mut codes: Vec<&str> = hand.split_whitespace().collect();
    others.iter().for_each(|&(at, code)| codes[at] = code);
    codes.join(" ")
}

/// Returns the names of the hand's tiles, in reading order.
fn faces(reading: &Reading) -> Vec<String> {
    let of_hand = reading.tiles.iter().filter(|tile| tile.role != Role::Ignored);
    of_hand.filter_map(|tile| tile.face.map(|face| face.to_string())).collect()
}

fn codes(hand: &str) -> Vec<&str> {
    hand.split_whitespace().filter(|&code| code != "-").collect()
}

#[test]
fn a_single_frame_is_read_like_a_photo_and_is_not_steady() {
    let read = Camera::new().sees(HAND, 0.0);
    assert_eq!(faces(&read.reading), codes(HAND));
    assert_eq!((read.reading.status, read.reading.photos.len()), (Status::Ok, 0));
    assert_eq!((read.frames.as_slice(), read.base, read.same), (&[0][..], 0, 1));
    assert!(!read.is_steady);
}

#[test]
fn a_hand_is_steady_after_three_frames() {
    let mut camera = Camera::new();
    let read: Vec<FrameReading> = (0..4).map(|at| camera.sees(HAND, 3.0 * at as f32)).collect();
    let steady: Vec<bool> = read.iter().map(|read| read.is_steady).collect();
    assert_eq!(steady, [false, false, true, true]);
    assert_eq!(read[3].frames, [0, 1, 2, 3]);
    assert!(read[3].reading.score.is_some());
}

#[test]
fn glare_that_moves_is_settled_by_other_frames() {
    let mut camera = Camera::new();
    let covered = |at: usize| but(HAND, &[(at, GLARE), (at + 1, GLARE)]);
    for at in 0..4 {
        camera.sees(&covered(2 * at), 2.0 * at as f32);
    }
    let read = camera.sees(&covered(8), 8.0);
    assert_eq!(faces(&read.reading), codes(HAND));
    assert_eq!(read.reading.status, Status::Ok, "{:?}", read.reading.doubts);
}

#[test]
fn a_frame_without_tiles_keeps_the_hand_but_is_not_steady() {
    let mut camera = Camera::new();
    (0..3).for_each(|_| drop(camera.sees(HAND, 0.0)));
    let empty = camera.sees("", 0.0);
    assert_eq!(faces(&empty.reading), codes(HAND));
    assert_eq!((empty.same, empty.is_steady), (0, false));
    let back = camera.sees(HAND, 0.0);
    assert_eq!((back.same, back.is_steady), (4, true));
    assert_eq!(back.frames, [0, 1, 2, 3, 4]);
    let later = camera.sees(HAND, 0.0);
    assert!(!later.frames.contains(&3), "the empty frame was given up: {:?}", later.frames);
}

#[test]
fn a_tile_that_is_replaced_counts_at_once() {
    let mut camera = Camera::new();
    (0..5).for_each(|_| drop(camera.sees(HAND, 0.0)));
    let changed = but(HAND, &[(2, "1m"), (0, "3m"), (1, "2m")]);
    camera.sees(&changed, 0.0);
    let read = camera.sees(&changed, 0.0);
    assert_eq!(read.frames.len(), 2, "what contradicts the newest frame is given up");
    assert_eq!(faces(&read.reading), codes(&changed));
}

#[test]
fn another_hand_takes_over() {
    let mut camera = Camera::new();
    (0..5).for_each(|_| drop(camera.sees(HAND, 0.0)));
    let read: Vec<FrameReading> = (0..5).map(|_| camera.sees(ANOTHER, 0.0)).collect();
    assert_eq!(faces(&read[2].reading), codes(ANOTHER), "after two frames in a row");
    assert!(!read[2].is_steady && read[4].is_steady);
}

#[test]
fn no_hand_at_all_is_no_error() {
    let mut camera = Camera::new();
    let last = (0..8).map(|_| camera.sees("", 0.0)).last().expect("eight frames");
    assert_eq!((last.reading.status, last.same), (Status::NoHand, 0));
}

#[test]
fn few_frames_are_kept_and_the_newest_is_one_of_them() {
    let mut camera = Camera::new();
    let max_frames = FrameParams::DEFAULT.kept + 1;
    for at in 0..12 {
        let read = camera.sees(HAND, at as f32);
        assert_eq!(read.frames.last(), Some(&at));
        assert!(read.frames.len() <= max_frames, "{:?}", read.frames);
    }
}
