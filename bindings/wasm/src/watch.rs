//! Reading of the frames of a camera with networks that the host runs.
//!
//! Input: the pixels of consecutive frames, and the parameters of scoring. Output: for each frame
//! the answer to a photo, and the evidence that earlier frames add to it. Invariant: the state of a
//! camera is kept until the host or the module ends it; the next frame is then a first frame again.

use std::cell::RefCell;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tilesight_core::contract::{ContextDto, Problem, Scoring, check_rulesets, read_json};
use tilesight_core::explain::Lang;
use tilesight_core::rules::RulesetId;
use tilesight_vision::contract::AnswerDto;
use tilesight_vision::{FrameReading, Frames, Photo, ReadError, TableReading};

use tilesight_engine::{Answer, Engine, head_and_bytes, to_json};

use crate::networks::reader;

thread_local! {
    /// Frames seen so far, by the host's number of the camera.
    static CAMERAS: RefCell<BTreeMap<u32, Frames>> = const { RefCell::new(BTreeMap::new()) };
}

/// A frame, and the parameters of scoring.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FrameRequest {
    camera: u32,
    /// Width and height of the RGBA pixels.
    pixels: (u32, u32),
    #[serde(default)]
    context: ContextDto,
    rulesets: Option<Vec<RulesetId>>,
}

/// A request to end a camera.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct EndRequest {
    camera: u32,
}

/// Answer to a frame.
#[derive(Debug, Serialize)]
struct FrameAnswer {
    answer: AnswerDto,
    /// Numbers of the frames that the reading combines, counted from 0, in the order of its photos.
    frames: Vec<u64>,
    /// Number of the frame in whose pixels the reading is given.
    base: u64,
    same: usize,
    steady: bool,
}

/// Reads the next frame of a camera. `request` has the camera's number and the parameters of
/// scoring in its first line, followed by the pixels.
///
/// # Errors
/// Like the HTTP service: faults of the pixels, the win context or the request.
pub fn frame(engine: &Engine, request: &[u8], lang: Lang) -> Answer {
    let (head, pixels) = head_and_bytes(request);
    let FrameRequest { camera, pixels: size, context, rulesets } = read_json(head, "")?;
    check_rulesets(rulesets.as_deref())?;
    let scoring = Scoring { context, rulesets };
    let rulesets = scoring.find(engine.book())?;
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
    let answer = AnswerDto::from_table(&table, rulesets.all.as_deref(), manifest, &timings, lang);
    to_json(&FrameAnswer { answer, frames, base, same, steady })
}

/// Removes the state of the camera that `request` names.
///
/// # Errors
/// A [`Problem`] if `request` does not name a camera.
pub fn end(request: &[u8]) -> Answer {
    let EndRequest { camera } = read_json(request, "")?;
    CAMERAS.with_borrow_mut(|cameras| cameras.remove(&camera));
    Ok(Vec::new())
}
