//! Reader of photos: composes the stages from pixels to a scored hand.
//!
//! [`Reader::trace`] composes the stages of one photo and keeps the result of each;
//! [`Reader::read`] turns them into a [`Reading`], and every stage can be run alone. Invariant: no
//! stage calls the next one.

pub(crate) mod table;

use std::sync::{Arc, PoisonError, RwLock};

use tilesight_core::context::ContextSetup;
use tilesight_core::contract::SetChoice;
use tilesight_stills::{DecodeError, DecodeLimits, Photo, PhotoInPart};

use crate::decide::doubts::HandScorer;
use crate::decide::joint::{self, Decision};
use crate::error::{ReadError, TogetherError};
use crate::geometry::Quad;
use crate::layout::{self, Layout};
#[cfg(feature = "onnx")]
use crate::networks::{self, ModelPaths};
use crate::networks::{Model, ModelError};
use crate::options::ReadOptions;
use crate::params::Params;
use crate::pixels::body::SetTone;
use crate::pixels::detect::{Detection, SeenViews};
use crate::pixels::seen_tile::SeenTile;
use crate::pixels::{body, detect, mirror, name_tiles, name_tiles_with, negative, refine};
use crate::reading::Reading;
use crate::reading::clock::Clock;
use crate::reading::frames::{FrameReading, Frames};
use crate::reading::in_play::tiles_in_play;
use crate::reading::interpretation::{InterpretedPhoto, SeenPhoto};
use crate::reading::observation::Observation;
use crate::reading::together;
use crate::reading::trace::Trace;
use crate::sets::shelf::ChoiceError;
use crate::sets::{OwnSet, SetError, SetModel, SetUse, Shelf};

/// Extent to which tiles are looked for in a photo.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// Closely near what looks like tiles at first sight.
    NearTiles,
    /// Closely everywhere.
    Everywhere,
}

/// A photo as far as it was decoded, and its bytes, of which the rest is decoded.
#[derive(Clone, Copy)]
struct GivenPhoto<'a> {
    part: &'a PhotoInPart,
    bytes: &'a [u8],
}

/// Tiles that were found in a photo.
struct Found {
    extent: Extent,
    tiles: Vec<Detection>,
}

/// Reader of photos. It is `Sync`: share one between threads. Clones share the networks.
#[derive(Debug, Clone)]
pub struct Reader {
    model: Arc<dyn Model>,
    limits: DecodeLimits,
    params: Params,
    /// Own sets, which all clones share and which may be renewed.
    sets: Arc<RwLock<Arc<Shelf>>>,
}

impl Reader {
    /// Loads ONNX Runtime and the networks, on the device that `paths` selects.
    ///
    /// # Errors
    /// [`ModelError`] if something is missing or wrong; the message states what to run.
    #[cfg(feature = "onnx")]
    pub fn load(paths: &ModelPaths) -> Result<Reader, ModelError> {
        Ok(Reader::new(networks::load(paths, None)?.into()))
    }

    /// Like [`Reader::load`], for a given number of concurrent photos instead of the number of
    /// cores.
    ///
    /// # Errors
    /// Those of [`Reader::load`].
    #[cfg(feature = "onnx")]
    pub fn load_for(paths: &ModelPaths, photos: usize) -> Result<Reader, ModelError> {
        Ok(Reader::new(networks::load(paths, Some(photos))?.into()))
    }

    /// Creates a reader with any model: for networks that other code runs, or for tests without
    /// networks.
    #[must_use]
    pub fn with_model(model: impl Model + 'static) -> Reader {
        Reader::new(Arc::new(model))
    }

    fn new(model: Arc<dyn Model>) -> Reader {
        Reader {
            model,
            limits: DecodeLimits::default(),
            params: Params::DEFAULT,
            sets: Arc::default(),
        }
    }

    /// Returns this reader with other limits on decoding.
    #[must_use]
    pub fn with_limits(self, limits: DecodeLimits) -> Reader {
        Reader { limits, ..self }
    }

    /// Returns this reader with other parameters for the stages after the pixels.
    #[must_use]
    pub fn with_params(self, params: Params) -> Reader {
        Reader { params, ..self }
    }

    /// Returns this reader with own sets, of which the options of a reading choose one.
    ///
    /// # Errors
    /// [`SetError`] if a set can't be used with the reader's networks.
    pub fn with_sets(self, sets: Vec<OwnSet>) -> Result<Reader, SetError> {
        let shelf = Shelf::new(sets, self.model.as_ref())?;
        Ok(Reader { sets: Arc::new(RwLock::new(Arc::new(shelf))), ..self })
    }

    /// Replaces the own sets of this reader and of its clones. Photos that are being read go on
    /// with the sets that they began with.
    ///
    /// # Errors
    /// [`SetError`] if a set can't be used with the reader's networks; the sets then stay.
    pub fn renew_sets(&self, sets: Vec<OwnSet>) -> Result<(), SetError> {
        let shelf = Arc::new(Shelf::new(sets, self.model.as_ref())?);
        *self.sets.write().unwrap_or_else(PoisonError::into_inner) = shelf;
        Ok(())
    }

    /// Returns a reader with further own sets; one that has the name of a set of this reader takes
    /// its place. This reader stays as it is.
    ///
    /// # Errors
    /// [`SetError`] if a set can't be used with the reader's networks, or there are too many.
    pub fn with_more_sets(&self, more: Vec<OwnSet>) -> Result<Reader, SetError> {
        let shelf = self.sets().with_more(more, self.model.as_ref())?;
        Ok(Reader { sets: Arc::new(RwLock::new(Arc::new(shelf))), ..self.clone() })
    }

    /// Returns the own sets.
    #[must_use]
    pub fn sets(&self) -> Arc<Shelf> {
        Arc::clone(&self.sets.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns the limits on decoding.
    #[must_use]
    pub fn limits(&self) -> &DecodeLimits {
        &self.limits
    }

    /// Returns the networks in use.
    #[must_use]
    pub fn model(&self) -> &dyn Model {
        self.model.as_ref()
    }

    /// Stage 1: decodes bytes to an upright photo.
    ///
    /// # Errors
    /// [`DecodeError`] if the bytes are not a usable photo.
    pub fn decode(&self, bytes: &[u8]) -> Result<Photo, DecodeError> {
        Photo::decode(bytes, &self.limits)
    }

    /// Stage 2: detects the tiles.
    ///
    /// # Errors
    /// [`ModelError`] if the network does not run.
    pub fn detect(&self, photo: &Photo) -> Result<Vec<Detection>, ModelError> {
        detect::detect(photo, self.model.as_ref())
    }

    /// Detects the tiles of a dark set in the negative of a photo, to an extent.
    fn detect_in_negative(
        &self,
        extent: Extent,
        negative: &Photo,
    ) -> Result<Vec<Detection>, ModelError> {
        match extent {
            Extent::NearTiles => detect::detect_in_negative(negative, self.model.as_ref()),
            Extent::Everywhere => {
                detect::detect_everywhere(negative, self.model.as_ref(), &SeenViews::default())
            }
        }
    }

    /// Returns the negative of a photo of a dark tile set, with the tiles detected in it; `None`
    /// for other photos. The detector and the refiner work better on the negative; the tiles are
    /// still named from the photo itself.
    ///
    /// # Errors
    /// [`ModelError`] if the network does not run.
    pub fn find_in_negative(
        &self,
        photo: &Photo,
        found: &[Detection],
    ) -> Result<Option<(Photo, Vec<Detection>)>, ModelError> {
        self.find_in_negative_to(Extent::NearTiles, photo, found)
    }

    /// Like [`Reader::find_in_negative`], with tiles looked for to an extent.
    fn find_in_negative_to(
        &self,
        extent: Extent,
        photo: &Photo,
        found: &[Detection],
    ) -> Result<Option<(Photo, Vec<Detection>)>, ModelError> {
        // Networks that know dark sets need no negative.
        let tone = if self.model.manifest().classifier.to_light {
            body::tone_of_set(photo, found)
        } else {
            SetTone::Light
        };
        if tone == SetTone::Light {
            return Ok(None);
        }
        let Some(negative) = body::negative(photo) else { return Ok(None) };
        let seen = self.detect_in_negative(extent, &negative)?;
        let is_dark = tone == SetTone::Dark || body::shows_more(&seen, found);
        Ok(is_dark.then_some((negative, seen)))
    }

    /// Stage 3: refines the corners of the tiles.
    ///
    /// # Errors
    /// [`ModelError`] if the network does not run.
    pub fn refine(
        &self,
        photo: &Photo,
        tiles: Vec<Detection>,
    ) -> Result<Vec<Detection>, ModelError> {
        refine::refine(photo, tiles, self.model.as_ref())
    }

    /// Stage 4: names the tiles, joins tiles that were found in two halves, and outlines doubtful
    /// ones by their row.
    ///
    /// # Errors
    /// [`ModelError`] if the network does not run.
    pub fn classify(
        &self,
        photo: &Photo,
        tiles: &[Detection],
    ) -> Result<Vec<SeenTile>, ModelError> {
        name_tiles(photo, tiles, self.model.as_ref())
    }

    /// Chooses the own set that the tiles are named with; none if no set explains them.
    fn choose_set(
        &self,
        choice: &SetChoice,
        photo: &Photo,
        tiles: &[Detection],
    ) -> Result<(Option<SetUse>, Option<Arc<OwnSet>>), ReadError> {
        match self.sets().choose(choice, photo, tiles, self.model.as_ref()) {
            Ok((set, learned)) => Ok((Some(set), learned)),
            Err(ChoiceError::Unknown(error)) => Err(error.into()),
            Err(ChoiceError::Model(error)) => Err(error.into()),
        }
    }

    /// Runs the stages that find and name tiles, for photos that need not show a hand.
    ///
    /// # Errors
    /// [`ModelError`] if a network does not run.
    pub fn see_tiles(&self, photo: &Photo) -> Result<Vec<SeenTile>, ModelError> {
        let found = self.detect(photo)?;
        match self.find_in_negative(photo, &found)? {
            Some((negative, found)) => self.classify(photo, &self.refine(&negative, found)?),
            None => self.classify(photo, &self.refine(photo, found)?),
        }
    }

    /// Stage 5: determines which tiles form the hand that won, and their roles in it.
    #[must_use]
    pub fn lay_out(&self, tiles: &[SeenTile], options: impl Into<ReadOptions>) -> Layout {
        layout::lay_out_with(tiles, &options.into(), true, &self.params)
    }

    /// Stage 6: determines the most probable hand for the tiles and their layout.
    #[must_use]
    pub fn decide(&self, tiles: &[SeenTile], layout: &Layout) -> Decision {
        joint::decide_with(tiles, layout, &self.params.joint)
    }

    /// Runs all stages and keeps the result of each. [`Reader::read`], the command's `stages` and
    /// the evaluation use it.
    ///
    /// # Errors
    /// [`ReadError`] if the photo or the win context can't be used. Objections of the rules to the
    /// hand are in [`Trace::verdict`].
    pub fn trace(
        &self,
        bytes: &[u8],
        context: &ContextSetup,
        options: impl Into<ReadOptions>,
    ) -> Result<Trace, ReadError> {
        self.trace_with(context, options.into(), |scorer, options, clock| {
            self.observe(bytes, scorer, options, clock)
        })
    }

    /// Like [`Reader::trace`], with any function that sees the tiles. The win context is checked
    /// before it.
    fn trace_with(
        &self,
        context: &ContextSetup,
        options: ReadOptions,
        observe: impl FnOnce(
            &HandScorer,
            &ReadOptions,
            &mut Clock,
        ) -> Result<InterpretedPhoto, ReadError>,
    ) -> Result<Trace, ReadError> {
        let scorer = HandScorer::new(context, &options.ruleset)?.with_params(self.params);
        let mut clock = Clock::start();
        let photo = observe(&scorer, &options, &mut clock)?;
        Ok(Trace::with_scorer(&scorer, options, photo, clock))
    }

    /// Runs the stages before the score, from the bytes of a photo.
    fn observe(
        &self,
        bytes: &[u8],
        scorer: &HandScorer,
        options: &ReadOptions,
        clock: &mut Clock,
    ) -> Result<InterpretedPhoto, ReadError> {
        let part = clock.time("decode", || PhotoInPart::decode(bytes, &self.limits))?;
        self.observe_hand(GivenPhoto { part: &part, bytes }, scorer, options, clock)
    }

    /// Like [`Reader::observe`], from decoded pixels. The photo is looked at again if that may show
    /// more: everywhere if it shows no whole hand, and else at the hand, if its tiles were seen
    /// small. The look that explains more tiles counts; the first one does
    /// if the photo can't be decoded at full size for the other. A network that does not run is an
    /// error in both: the same photo gets the same answer, on this machine or on another.
    fn observe_hand(
        &self,
        given: GivenPhoto<'_>,
        scorer: &HandScorer,
        options: &ReadOptions,
        clock: &mut Clock,
    ) -> Result<InterpretedPhoto, ReadError> {
        let part = given.part;
        self.check(part, options)?;
        let mut views = SeenViews::default();
        let tiles = clock.time("detect", || {
            detect::detect_keeping(&part.photo, self.model.as_ref(), &mut views)
        })?;
        let found = Found { extent: Extent::NearTiles, tiles: tiles.clone() };
        let seen = self.observe_pixels(given, scorer, options, found, clock)?;
        let first = InterpretedPhoto::new(scorer, options, seen);
        let explained = first.explained(scorer);
        let found = if explained.is_whole_hand {
            self.find_beside(part, &first, &views, tiles, clock)?
        } else {
            Some(clock.time("detect", || self.find_everywhere(part, &views))?)
        };
        let Some(found) = found else { return Ok(first) };
        let seen = match self.observe_pixels(given, scorer, options, found, clock) {
            Err(ReadError::Decode(_)) => return Ok(first),
            seen => seen?,
        };
        let second = InterpretedPhoto::new(scorer, options, seen);
        let is_better = second.explained(scorer) > explained;
        Ok(if is_better { second } else { first })
    }

    /// Looks for further tiles of a whole hand where it lies, if what lies around it kept the first
    /// look from its tiles. Those of a dark set are found in the negative, by another look.
    fn find_beside(
        &self,
        part: &PhotoInPart,
        first: &InterpretedPhoto,
        views: &SeenViews,
        tiles: Vec<Detection>,
        clock: &mut Clock,
    ) -> Result<Option<Found>, ModelError> {
        let photo = &part.photo;
        if first.observation.in_negative {
            return Ok(None);
        }
        let outlines = first.outlines_of_hand().into_iter();
        let hand: Vec<Quad> = outlines.map(|quad| quad.scaled(1.0 / part.factor)).collect();
        // Where nothing is looked at, people who wait see no stage begin anew.
        if !detect::was_seen_small(photo, views, &hand) {
            return Ok(None);
        }
        let tiles = clock.time("detect", || {
            detect::detect_beside(photo, self.model.as_ref(), views, &hand, tiles)
        })?;
        Ok(tiles.map(|tiles| Found { extent: Extent::NearTiles, tiles }))
    }

    /// Looks for tiles everywhere: what looks like large tiles hides small ones.
    fn find_everywhere(&self, part: &PhotoInPart, views: &SeenViews) -> Result<Found, ModelError> {
        let tiles = detect::detect_everywhere(&part.photo, self.model.as_ref(), views)?;
        Ok(Found { extent: Extent::Everywhere, tiles })
    }

    /// Checks that the options fit a photo and the shelf.
    fn check(&self, part: &PhotoInPart, options: &ReadOptions) -> Result<(), ReadError> {
        options.check(part.size)?;
        self.sets().check(options.set.as_ref())?;
        Ok(())
    }

    /// Runs the stages that look at pixels after tiles were found.
    fn observe_pixels(
        &self,
        GivenPhoto { part, bytes }: GivenPhoto<'_>,
        scorer: &HandScorer,
        options: &ReadOptions,
        found: Found,
        clock: &mut Clock,
    ) -> Result<Observation, ReadError> {
        let Found { extent, tiles: mut detections } = found;
        let mut photo = &part.photo;
        let mut factor = part.factor;
        if factor > 1.0 && (extent == Extent::Everywhere || detect::is_narrow(&detections)) {
            detections.iter_mut().for_each(|tile| *tile = tile.scaled(factor));
            photo = clock.time("decode", || part.decode_full(bytes, &self.limits))?;
            factor = 1.0;
        }
        let lit = clock.time("light", || self.find_in_negative_to(extent, photo, &detections))?;
        let is_lit = lit.is_some();
        let (lit, detections) = match &lit {
            Some((negative, found)) => (negative, found.clone()),
            None => (photo, detections),
        };
        let refined = clock.time("refine", || self.refine(lit, detections.clone()))?;
        let (set, learned) = match &options.set {
            Some(choice) => clock.time("set", || self.choose_set(choice, photo, &refined))?,
            None => (None, None),
        };
        let with_set = learned.as_ref().and_then(|it| SetModel::new(self.model.as_ref(), it).ok());
        let model = with_set.as_ref().map_or(self.model.as_ref(), |model| model as &dyn Model);
        let options_here = options.scaled(1.0 / factor);
        let classified = clock.time("classify", || {
            name_tiles_with(
                photo,
                &refined,
                model,
                Some(&|tiles: &[SeenTile]| tiles_in_play(scorer, &options_here, tiles)),
            )
        })?;
        let mut observation = Observation {
            size: part.size,
            detections,
            in_negative: is_lit,
            refined,
            classified,
            turned_back: None,
            set,
            together: None,
        };
        let negative = clock.time("negative", || {
            if is_lit {
                return Ok(None);
            }
            self.observe_negative(extent, photo, &mut observation, model)
        })?;
        let photo = negative.as_ref().unwrap_or(photo);
        let Observation { refined, classified, .. } = &observation;
        observation.turned_back =
            clock.time("mirror", || mirror::turned_back(photo, refined, classified, model))?;
        Ok(if factor > 1.0 { observation.scaled(factor) } else { observation })
    }

    /// Observes the negative of a photo instead, if its tiles are named clearly better there, and
    /// returns it.
    fn observe_negative(
        &self,
        extent: Extent,
        photo: &Photo,
        observation: &mut Observation,
        model: &dyn Model,
    ) -> Result<Option<Photo>, ModelError> {
        let Observation { refined, classified, .. } = &*observation;
        let Some(negative) = negative::better_negative(photo, refined, classified, model)? else {
            return Ok(None);
        };
        observation.detections = self.detect_in_negative(extent, &negative)?;
        observation.in_negative = true;
        observation.refined = self.refine(&negative, observation.detections.clone())?;
        observation.classified = name_tiles(&negative, &observation.refined, model)?;
        Ok(Some(negative))
    }

    /// Reads one photo and scores its hand. The reading is built from the [`Trace`] of all stages.
    ///
    /// # Errors
    /// [`ReadError`] if the photo or the win context can't be used. A photo without a hand is not
    /// an error: it is a reading with the status [`Status::NoHand`](crate::Status::NoHand).
    pub fn read(
        &self,
        bytes: &[u8],
        context: &ContextSetup,
        options: impl Into<ReadOptions>,
    ) -> Result<Reading, ReadError> {
        Ok(Reading::compose(self.trace(bytes, context, options)?)?)
    }

    /// Reads pixels that the caller decoded and turned upright.
    ///
    /// # Errors
    /// Those of [`Reader::read`].
    pub fn read_pixels(
        &self,
        photo: Photo,
        context: &ContextSetup,
        options: impl Into<ReadOptions>,
    ) -> Result<Reading, ReadError> {
        let part = PhotoInPart::from_whole(photo);
        let trace = self.trace_with(context, options.into(), |scorer, options, clock| {
            self.observe_hand(GivenPhoto { part: &part, bytes: &[] }, scorer, options, clock)
        })?;
        Ok(Reading::compose(trace)?)
    }

    /// Reads several photos of the same hand as one, so that tiles hidden in one photo by glare, a
    /// finger or the edge are read from another. A single photo is read as by [`Reader::read`].
    /// Focus and region refer to the first photo. Photos that do not show the same tiles are left
    /// out, which [`Reading::photos`] reports.
    ///
    /// # Errors
    /// [`TogetherError`] if there are no photos or more than [`MAX_PHOTOS`](crate::MAX_PHOTOS), or
    /// if a photo or the win context can't be used.
    pub fn read_together(
        &self,
        photos: &[&[u8]],
        context: &ContextSetup,
        options: impl Into<ReadOptions>,
    ) -> Result<Reading, TogetherError> {
        let options = options.into();
        TogetherError::check_number(photos.len())?;
        // The context is validated before any photo is read.
        HandScorer::new(context, &options.ruleset).map_err(ReadError::from)?;
        let mut seen = Vec::new();
        for (at, bytes) in photos.iter().enumerate() {
            let photo = self.see_one_of(bytes, at, context, &options);
            seen.push(photo.map_err(|error| TogetherError::new(at, error))?);
        }
        Ok(self.read_seen(seen, context, options)?)
    }

    /// Runs the stages that look at pixels, for the photo at index `at` of several. The points of
    /// the options refer to the first photo.
    ///
    /// # Errors
    /// [`ReadError`] if the photo or the win context can't be used, or if the photo does not
    /// contain these points.
    pub fn see_one_of(
        &self,
        bytes: &[u8],
        at: usize,
        context: &ContextSetup,
        options: &ReadOptions,
    ) -> Result<SeenPhoto, ReadError> {
        let options = if at == 0 {
            options.clone()
        } else {
            ReadOptions { set: options.set.clone(), ..(&options.ruleset).into() }
        };
        let scorer = HandScorer::new(context, &options.ruleset)?.with_params(self.params);
        let mut clock = Clock::start();
        let photo = self.observe(bytes, &scorer, &options, &mut clock)?;
        let InterpretedPhoto { observation, interpretation } = photo;
        Ok(SeenPhoto { observation, interpretation, timings: clock.into_timings() })
    }

    /// Combines photos that were seen one by one, in this order and with this win context and these
    /// options, and reads and scores their hand.
    ///
    /// # Errors
    /// [`ReadError`] if the win context can't be used.
    pub fn read_seen(
        &self,
        photos: Vec<SeenPhoto>,
        context: &ContextSetup,
        options: impl Into<ReadOptions>,
    ) -> Result<Reading, ReadError> {
        let options = options.into();
        let scorer = HandScorer::new(context, &options.ruleset)?.with_params(self.params);
        let mut clock = Clock::start();
        let mut seen = Vec::new();
        for SeenPhoto { observation, interpretation, timings } in photos {
            timings.into_iter().for_each(|(stage, took)| clock.add(stage, took));
            seen.push(InterpretedPhoto { observation, interpretation });
        }
        let photo = match <[InterpretedPhoto; 1]>::try_from(seen) {
            Ok([photo]) => photo,
            Err(several) => {
                let observations = several.into_iter().map(|photo| photo.observation).collect();
                let joined =
                    clock.time("together", || together::join(observations, &options, &scorer));
                InterpretedPhoto::new(&scorer, &options, joined)
            }
        };
        Ok(Reading::compose(Trace::with_scorer(&scorer, options, photo, clock))?)
    }

    /// Reads the next frame of a camera together with those before.
    ///
    /// # Errors
    /// The same errors as [`Reader::read_pixels`]; the frames so far are kept.
    pub fn read_frame(
        &self,
        frames: &mut Frames,
        frame: Photo,
        context: &ContextSetup,
        options: impl Into<ReadOptions>,
    ) -> Result<FrameReading, ReadError> {
        let options = options.into();
        let scorer = HandScorer::new(context, &options.ruleset)?.with_params(self.params);
        let mut clock = Clock::start();
        // The sets may have changed since the frame before.
        let followed = options.set.as_ref().map(|asked| frames.set_choice(asked));
        let set = followed.filter(|set| self.sets().check(Some(set)).is_ok());
        let options_now = ReadOptions { set: set.or(options.set.clone()), ..options.clone() };
        let frame = PhotoInPart::from_whole(frame);
        self.check(&frame, &options_now)?;
        let tiles = clock.time("detect", || self.detect(&frame.photo))?;
        let found = Found { extent: Extent::NearTiles, tiles };
        let given = GivenPhoto { part: &frame, bytes: &[] };
        let mut observation =
            self.observe_pixels(given, &scorer, &options_now, found, &mut clock)?;
        if let (Some(set), Some(asked)) = (&mut observation.set, &options.set) {
            set.asked = asked.clone();
        }
        Ok(frames.read(observation, &scorer, options, clock)?)
    }
}

#[cfg(test)]
mod tests;
