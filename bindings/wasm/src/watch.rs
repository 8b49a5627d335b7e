//! Reading of the frames of a camera with networks that the host runs.
//!
//! Input: the pixels of consecutive frames, the parameters of scoring, and with a first frame the
//! files of own sets. Output: for each frame the answer to a photo, and the evidence that earlier
//! frames add to it. Invariant: the state of a camera is kept until the host or the module ends it;
//! the next frame is then a first frame again.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use serde::{Deserialize, Serialize};
use tilesight_core::contract::{Problem, check_rulesets, read_json};
use tilesight_core::explain::Lang;
use tilesight_core::photo_json;
use tilesight_vision::contract::{AnswerDto, HandPlan, TablePlan, TableRequest};
use tilesight_vision::{FrameReading, Frames, Photo, ReadError, Reader, TableReading};
use utoipa::ToSchema;

use tilesight_engine::photo::with_sets;
use tilesight_engine::{Answer, Engine, head_and_bytes, to_json};

use crate::networks::reader;

thread_local! {
    /// Cameras that were not ended, by the host's number.
    static CAMERAS: RefCell<BTreeMap<u32, Camera>> = const { RefCell::new(BTreeMap::new()) };
}

/// State of a camera.
#[derive(Debug)]
struct Camera {
    /// Frames seen so far.
    frames: Frames,
    /// Reader with the own sets of this camera, which are checked once and not with each frame.
    reader: Reader,
}

photo_json! {
    /// A frame, and what is said about the hand.
    #[derive(Debug, Deserialize, ToSchema)]
    #[serde(deny_unknown_fields)]
    struct FrameRequest {
        camera: u32,
        /// Width and height of the RGBA pixels.
        pixels: (u32, u32),
        /// Files of own sets; they stay with the camera.
        sets: Option<Vec<String>>,
    }
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
    let mut request: FrameRequest = read_json(head, "")?;
    let fields = request.photo_fields();
    check_rulesets(fields.scoring.rulesets.as_deref())?;
    let table = TableRequest { fields, ..TableRequest::from_photo(()) };
    let plan = table.plan(engine.book())?;
    CAMERAS.with_borrow_mut(|cameras| {
        let camera = open(cameras, request.camera, request.sets.as_deref())?;
        to_json(&camera.read(request.pixels, pixels, plan, lang)?)
    })
}

impl Camera {
    /// Reads the next frame, RGBA pixels of this width and height.
    fn read(
        &mut self,
        size: (u32, u32),
        pixels: &[u8],
        plan: TablePlan<()>,
        lang: Lang,
    ) -> Result<FrameAnswer, Problem> {
        let TablePlan { ruleset, rulesets, winner, .. } = plan;
        let HandPlan { context, options, .. } = winner;
        let seen = Photo::from_rgba(size, pixels, self.reader.limits())
            .map_err(ReadError::from)
            .and_then(|photo| self.reader.read_frame(&mut self.frames, photo, &context, options))
            .map_err(|error| Problem::from(&error))?;
        let FrameReading { reading, frames, base, same, is_steady: steady } = seen;
        let timings = reading.timings.clone();
        let table = TableReading::settle(ruleset, reading, Vec::new(), Vec::new());
        let manifest = self.reader.model().manifest();
        let answer = AnswerDto::from_table(&table, rulesets.as_deref(), manifest, &timings, lang);
        Ok(FrameAnswer { answer, frames, base, same, steady })
    }
}

/// Returns the state of a camera, which begins with its first frame, with the own sets that came
/// with this frame or an earlier one.
fn open<'a>(
    cameras: &'a mut BTreeMap<u32, Camera>,
    number: u32,
    sets: Option<&[String]>,
) -> Result<&'a mut Camera, Problem> {
    match cameras.entry(number) {
        Entry::Occupied(camera) => {
            let camera = camera.into_mut();
            if let Some(sets) = sets {
                camera.reader = with_sets(reader()?, sets)?;
            }
            Ok(camera)
        }
        Entry::Vacant(place) => {
            let reader = with_sets(reader()?, sets.unwrap_or_default())?;
            Ok(place.insert(Camera { frames: Frames::default(), reader }))
        }
    }
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
