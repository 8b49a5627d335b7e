//! A shelf of own sets, and the choice of one of them for a photo.
//!
//! Input: sets with different names; a photo with its detected tiles. Output: the set that was
//! asked for, or with `auto` the one that explains the photo best, if it explains the photo at all.
//! Invariants: all sets on a shelf of a [`Reader`](crate::Reader) were learned with its classifier;
//! a photo is read with one set at most, and the answer says which.

use std::sync::Arc;

use tilesight_core::contract::{SetChoice, SetName};
use tilesight_core::explain::{Lang, Message, display_english};
use tilesight_core::tile::Face;
use tilesight_stills::Photo;

use super::error::SetError;
use super::evidence::best_cosine;
use super::own_set::{OwnSet, SetId};
use crate::geometry::Quad;
use crate::networks::{Model, ModelError};
use crate::params::{DetectParams, SetParams};
use crate::pixels::classify::crops;
use crate::pixels::crop::planes;
use crate::pixels::detect::Detection;
use crate::texts;

const PARAMS: SetParams = SetParams::DEFAULT;

/// Maximum number of sets on a shelf. Comparing a photo with one of them takes a tenth of a
/// millisecond.
const MAX_SETS: usize = 64;

/// Own sets in the order of their names.
#[derive(Debug, Clone, Default)]
pub struct Shelf(Vec<ShelvedSet>);

/// A set with its identity, which is a hash of all of it.
#[derive(Debug, Clone)]
struct ShelvedSet {
    id: SetId,
    set: Arc<OwnSet>,
}

/// Use of own sets for a photo.
#[derive(Debug, Clone, PartialEq)]
pub struct SetUse {
    /// Choice that was asked for.
    pub asked: SetChoice,
    /// Set that was used; `None` if none explains the photo.
    pub used: Option<UsedSet>,
    /// Fit of the best set to the photo: the cosine with the nearest prototype that a
    /// quarter of its surest tiles reaches. `None` if there are too few tiles.
    pub fit: Option<f32>,
}

impl ShelvedSet {
    /// Learns a set again for the networks in use where necessary.
    fn new(set: OwnSet, model: &dyn Model) -> Result<ShelvedSet, SetError> {
        // The identity is that of the file, whatever networks read with it.
        let id = set.id();
        Ok(ShelvedSet { id, set: Arc::new(set.for_model(model)?) })
    }
}

impl SetUse {
    fn none(choice: &SetChoice, fit: Option<f32>) -> SetUse {
        SetUse { asked: choice.clone(), used: None, fit }
    }
}

/// A set that was used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsedSet {
    /// Name of the set.
    pub name: SetName,
    /// Identity of its content.
    pub id: SetId,
}

/// Error when a set is not on the shelf. The sender can fix it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct UnknownSet {
    /// Name that was asked for.
    pub name: SetName,
    /// Names on the shelf.
    pub known: Vec<SetName>,
}

display_english!(UnknownSet);

impl Message for UnknownSet {
    fn text(&self, lang: Lang) -> String {
        let UnknownSet { name, known } = self;
        if known.is_empty() {
            return texts::unknown_set::no_sets(lang, name);
        }
        let known: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
        texts::unknown_set::other(lang, name, known.join(lang.labels().list))
    }
}

impl Shelf {
    /// Creates a shelf of sets, learned again for the networks in use where necessary.
    ///
    /// # Errors
    /// [`SetError`] if two sets have one name, there are too many, or a set can't be used with
    /// these networks.
    pub fn new(sets: Vec<OwnSet>, model: &dyn Model) -> Result<Shelf, SetError> {
        let mut shelved = Vec::new();
        for set in sets {
            shelved.push(ShelvedSet::new(set, model)?);
        }
        Shelf::from_shelved(shelved)
    }

    /// Returns a shelf with further sets; one that has the name of a set on this shelf takes its
    /// place.
    ///
    /// # Errors
    /// As [`Shelf::new`].
    pub fn with_more(&self, more: Vec<OwnSet>, model: &dyn Model) -> Result<Shelf, SetError> {
        let mut shelved = self.0.clone();
        shelved.retain(|it| more.iter().all(|set| set.name() != it.set.name()));
        for set in more {
            shelved.push(ShelvedSet::new(set, model)?);
        }
        Shelf::from_shelved(shelved)
    }

    fn from_shelved(mut shelved: Vec<ShelvedSet>) -> Result<Shelf, SetError> {
        if shelved.len() > MAX_SETS {
            return Err(SetError::TooManySets { max: MAX_SETS });
        }
        shelved.sort_by(|a, b| a.set.name().cmp(b.set.name()));
        let twice = shelved.windows(2).find(|pair| pair[0].set.name() == pair[1].set.name());
        match twice {
            Some(pair) => Err(SetError::Twice { name: pair[0].set.name().clone() }),
            None => Ok(Shelf(shelved)),
        }
    }

    /// Returns the sets with their identities, in the order of their names.
    pub fn sets(&self) -> impl Iterator<Item = (SetId, &OwnSet)> {
        self.0.iter().map(|shelved| (shelved.id, shelved.set.as_ref()))
    }

    /// Checks that a choice names a set on the shelf.
    ///
    /// # Errors
    /// [`UnknownSet`] with the names that exist.
    pub fn check(&self, choice: Option<&SetChoice>) -> Result<(), UnknownSet> {
        choice.map_or(Ok(()), |choice| self.find(choice).map(|_| ()))
    }

    /// Returns the sets that a choice allows.
    fn find(&self, choice: &SetChoice) -> Result<Vec<&ShelvedSet>, UnknownSet> {
        let SetChoice::Named(name) = choice else { return Ok(self.0.iter().collect()) };
        let named: Vec<&ShelvedSet> = self.0.iter().filter(|it| it.set.name() == name).collect();
        if named.is_empty() {
            let known = self.0.iter().map(|it| it.set.name().clone()).collect();
            return Err(UnknownSet { name: name.clone(), known });
        }
        Ok(named)
    }

    /// Chooses the set for a photo.
    ///
    /// # Errors
    /// [`ChoiceError`] if the set is unknown or a network fails.
    pub(crate) fn choose(
        &self,
        choice: &SetChoice,
        photo: &Photo,
        tiles: &[Detection],
        model: &dyn Model,
    ) -> Result<(SetUse, Option<Arc<OwnSet>>), ChoiceError> {
        let allowed = self.find(choice)?;
        if allowed.is_empty() || tiles.len() < PARAMS.min_tiles {
            return Ok((SetUse::none(choice, None), None));
        }
        let embeddings = sampled(photo, tiles, model)?;
        if embeddings.len() < PARAMS.min_tiles {
            return Ok((SetUse::none(choice, None), None));
        }
        let fits = allowed.into_iter().map(|shelved| (fit(&shelved.set, &embeddings), shelved));
        let Some((fit, best)) = fits.max_by(|a, b| a.0.total_cmp(&b.0)) else {
            return Ok((SetUse::none(choice, None), None));
        };
        let min_fit = match choice {
            SetChoice::Auto => PARAMS.min_fit,
            SetChoice::Named(_) => PARAMS.min_named_fit,
        };
        if fit < min_fit {
            return Ok((SetUse::none(choice, Some(fit)), None));
        }
        let used = Some(UsedSet { name: best.set.name().clone(), id: best.id });
        let asked = choice.clone();
        Ok((SetUse { asked, used, fit: Some(fit) }, Some(Arc::clone(&best.set))))
    }
}

/// Error when no set can be chosen.
#[derive(Debug, Clone, thiserror::Error)]
pub(crate) enum ChoiceError {
    /// The set is not on the shelf.
    #[error(transparent)]
    Unknown(#[from] UnknownSet),
    /// A network does not run.
    #[error(transparent)]
    Model(#[from] ModelError),
}

/// Returns the embeddings of the most certain tiles of a photo that show a face.
fn sampled(
    photo: &Photo,
    tiles: &[Detection],
    model: &dyn Model,
) -> Result<Vec<Vec<f32>>, ModelError> {
    let mut ranked: Vec<&Detection> = tiles.iter().collect();
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score));
    ranked.truncate(DetectParams::DEFAULT.judged_tiles);
    let quads: Vec<Quad> = ranked.iter().map(|tile| tile.quad.upright()).collect();
    let manifest = model.manifest();
    let faces: Vec<Option<Face>> = manifest.faces().collect();
    let crops = crops(photo, quads.iter(), &manifest.classifier);
    let mut embeddings = Vec::new();
    for crops in crops.chunks(model.max_crops()) {
        let rows = model.classify(&planes(crops, &manifest.classifier.crop))?;
        for (logits, embedding) in rows.classes.iter().zip(rows.embeddings) {
            if shows_face(logits, &faces) {
                embeddings.push(embedding);
            }
        }
    }
    Ok(embeddings)
}

/// Returns whether the likeliest of the classes is a face other than the back.
fn shows_face(logits: &[f32], classes: &[Option<Face>]) -> bool {
    let best = (0..logits.len()).max_by(|&a, &b| logits[a].total_cmp(&logits[b]));
    let face = best.and_then(|best| classes.get(best).copied().flatten());
    face.is_some_and(|face| face != Face::Back)
}

/// Returns how well a set explains tiles: the cosine with the nearest prototype that a quarter of
/// them reaches.
fn fit(set: &OwnSet, embeddings: &[Vec<f32>]) -> f32 {
    let mut cosines: Vec<f32> = Vec::new();
    for embedding in embeddings {
        let faces = set.faces().iter().map(|face| best_cosine(face.prototypes(), embedding));
        cosines.push(faces.fold(-1.0, f32::max));
    }
    cosines.sort_by(f32::total_cmp);
    let place = ((cosines.len().saturating_sub(1)) as f32 * PARAMS.like).round() as usize;
    // Means are rounded to bytes, so that a cosine may exceed 1 by a thousandth.
    cosines.get(place).copied().unwrap_or(-1.0).min(1.0)
}
