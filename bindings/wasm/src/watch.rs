//! Reading the frames of a camera with networks that the host runs.
//!
//! Input: the pixels of one frame after the other, and how the hand is to be scored. Output: for
//! each the answer to a photo, and what the frames before add to it. Invariant: what was seen of a
//! camera is kept until the host says that it ended, or the module does; then the next frame is the
//! first one again.

use std::cell::RefCell;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tilesight::contract::AnswerDto;
use tilesight::pipeline::{FrameReading, Frames, Photo, ReadError, TableReading};
use tilesight_core::contract::{ContextDto, Problem, Scoring, check_rulesets, read_json};
use tilesight_core::explain::Lang;
use tilesight_core::rules::RulesetId;

use crate::engine::{Answer, Engine, json};
use crate::photo::{head_and_bytes, reader};

thread_local! {
    /// What was seen so far, by the host's numbers of its cameras.
    static CAMERAS: RefCell<BTreeMap<u32, Frames>> = const { RefCell::new(BTreeMap::new()) };
}

/// A frame, and how the hand is to be scored.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FrameRequest {
    camera: u32,
    /// Width and height of the pixels, each with its opacity.
    pixels: (u32, u32),
    #[serde(default)]
    context: ContextDto,
    rulesets: Option<Vec<RulesetId>>,
}

/// A camera that has ended.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct EndRequest {
    camera: u32,
}

/// The answer to a frame.
#[derive(Debug, Serialize)]
struct FrameAnswer {
    answer: AnswerDto,
    /// The frames that the reading is of, numbered from 0 on, in the order of its photos.
    frames: Vec<u64>,
    /// The frame in whose pixels the reading is.
    base: u64,
    same: usize,
    steady: bool,
}

/// Reads the next frame of a camera. `request` has its number and how the hand is to be scored in
/// its first line, and the pixels behind it.
///
/// # Errors
/// As over HTTP: what is wrong with the pixels, the win context or the request.
pub fn frame(engine: &Engine, request: &[u8], lang: Lang) -> Answer {
    let (head, pixels) = head_and_bytes(request);
    let FrameRequest { camera, pixels: size, context, rulesets } = read_json(head, "")?;
    check_rulesets(rulesets.as_deref())?;
    let scoring = Scoring { context, rulesets };
    let rulesets = scoring.find(&engine.0)?;
    let reader = reader()?;
    let photo = Photo::from_rgba(size, pixels, reader.limits()).map_err(ReadError::from);
    let read = |photo| {
        CAMERAS.with_borrow_mut(|cameras| {
            let frames = cameras.entry(camera).or_default();
            reader.read_frame(frames, photo, &scoring.context.setup, &rulesets.one)
        })
    };
    let seen = photo.and_then(read).map_err(|error| Problem::from(&error))?;
    let FrameReading { reading, frames, base, same, is_steady: steady } = seen;
    let timings = reading.timings.clone();
    let table = TableReading::settle(rulesets.one, reading, Vec::new(), Vec::new());
    let manifest = reader.model().manifest();
    let answer = AnswerDto::of_table(&table, rulesets.all.as_deref(), manifest, &timings, lang);
    json(&FrameAnswer { answer, frames, base, same, steady })
}

/// Forgets what was seen of the camera that `request` names.
///
/// # Errors
/// `request` names none.
pub fn end(request: &[u8]) -> Answer {
    let EndRequest { camera } = read_json(request, "")?;
    CAMERAS.with_borrow_mut(|cameras| cameras.remove(&camera));
    Ok(Vec::new())
}
