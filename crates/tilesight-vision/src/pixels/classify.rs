//! Names the faces that the detector found.
//!
//! Input: a [`Photo`], [`Detection`]s and a [`Model`]. Output: a [`SeenTile`] for each detection,
//! with a probability for every face. Each quad is straightened into a [`crop`](super::crop) whose
//! long side is vertical. Crops of a dark set are inverted ([`body`](super::body)), and all crops
//! go through the network together. Those that it leaves in doubt go through the large classifier
//! too ([`second_look`](super::second_look)). A set has each bonus tile once
//! ([`bonus_tiles`](super::bonus_tiles)). Backs that the detector is sure of are not looked at.
//! Invariant: the probabilities of a tile sum to one, and the order of the detections is kept.

use image::RgbImage;
use tilesight_stills::Photo;

use super::body::{DarkSet, body_colours, invert};
use super::bonus_tiles::name_bonus_tiles;
use super::crop::{crops_of, planes};
use super::detect::{Detection, share_inside};
use super::faces::Sort;
use super::look::{Look, looks_in};
use super::red_ink::doubt_reds;
use super::second_look::{is_doubtful, look_again};
use super::seen_tile::SeenTile;
use super::strangers::{strangers, without_face};
use crate::geometry::Quad;
use crate::networks::{ClassifierSpec, Model, ModelError};
use crate::params::ClassifyParams;

const PARAMS: ClassifyParams = ClassifyParams::DEFAULT;

/// Names the faces of all detections.
///
/// # Errors
/// [`ModelError::Failed`] when the network does not run.
pub fn classify(
    photo: &Photo,
    detections: &[Detection],
    model: &dyn Model,
) -> Result<Vec<SeenTile>, ModelError> {
    classify_with(photo, detections, model, None)
}

/// Like [`classify`]; of a photo of a hand, `choose` selects the tiles that the large classifier
/// may look at.
///
/// # Errors
/// [`ModelError::Failed`] when the network does not run.
pub(crate) fn classify_with(
    photo: &Photo,
    detections: &[Detection],
    model: &dyn Model,
    choose: Option<SecondLooks>,
) -> Result<Vec<SeenTile>, ModelError> {
    let spec = &model.manifest().classifier;
    classify_in(photo, detections, model, choose, |crops| Light::from_crops(crops, spec))
}

/// Names the faces of all detections in the photo's negative.
///
/// # Errors
/// [`ModelError::Failed`] when the network does not run.
pub(crate) fn classify_negative(
    photo: &Photo,
    detections: &[Detection],
    model: &dyn Model,
) -> Result<Vec<SeenTile>, ModelError> {
    classify_in(photo, detections, model, None, |_| Light::Negative)
}

/// Function that returns for each tile, named by the classifier alone, whether its name matters, so
/// that the large classifier looks at it if it is in doubt.
pub(crate) type SecondLooks<'a> = &'a dyn Fn(&[SeenTile]) -> Vec<bool>;

/// Light in which the classifier gets the crops of a photo.
#[derive(Debug, Clone, Copy)]
enum Light {
    AsItIs,
    /// Printed tiles of a dark set are inverted.
    OfDarkSet(DarkSet),
    /// All crops are inverted.
    Negative,
}

impl Light {
    /// Returns the light for the crops of a photo: those of a dark set are inverted if the network
    /// was trained with light sets only.
    fn from_crops(crops: &[RgbImage], spec: &ClassifierSpec) -> Light {
        if !spec.to_light {
            return Light::AsItIs;
        }
        DarkSet::from_crops(crops).map_or(Light::AsItIs, Light::OfDarkSet)
    }

    fn apply(self, mut crops: Vec<RgbImage>) -> Vec<RgbImage> {
        match self {
            Light::AsItIs => {}
            Light::OfDarkSet(set) => set.lighten(&mut crops),
            Light::Negative => crops.iter_mut().for_each(invert),
        }
        crops
    }
}

/// Names the faces of all detections in a light that is chosen by their crops. Other objects are
/// told from tiles in photos of hands only: a sheet of a set's tiles shows no others.
fn classify_in(
    photo: &Photo,
    detections: &[Detection],
    model: &dyn Model,
    choose: Option<SecondLooks>,
    choose_light: impl Fn(&[RgbImage]) -> Light,
) -> Result<Vec<SeenTile>, ModelError> {
    let spec = &model.manifest().classifier;
    let quads: Vec<Quad> = detections.iter().map(|tile| tile.quad.upright()).collect();
    let printed: Vec<usize> = (0..quads.len()).filter(|&i| !detections[i].is_back()).collect();
    let crops = crops_of(photo, printed.iter().map(|&i| &quads[i]), &spec.crop);
    let light = choose_light(&crops);
    let upright = Views::classify(printed, light.apply(crops), model)?;
    let looks = upright.arrange_by_tile(quads.len(), &vec![false; quads.len()]);
    let doubtful: Vec<usize> =
        (0..quads.len()).filter(|&i| may_lie_across(&quads[i], &looks[i])).collect();
    let turned: Vec<Quad> = doubtful.iter().map(|&i| quads[i].rotated(1)).collect();
    let crops = crops_of(photo, turned.iter(), &spec.crop);
    let across = Views::classify(doubtful, light.apply(crops), model)?;
    let strangers = vec![false; quads.len()];
    let mut first = FirstLooks { photo, detections, quads, upright, across, strangers };
    let mut tiles = first.look_again(model, choose)?;
    if matches!(light, Light::AsItIs) {
        doubt_reds(photo, &mut tiles, &spec.crop);
    }
    Ok(tiles)
}

/// Looks of the classifier at the tiles of a photo, which the large classifier changes.
struct FirstLooks<'a> {
    photo: &'a Photo,
    detections: &'a [Detection],
    quads: Vec<Quad>,
    upright: Views,
    /// Views of the tiles that may lie across their crops.
    across: Views,
    /// Whether each tile is some other object.
    strangers: Vec<bool>,
}

impl FirstLooks<'_> {
    /// Looks again at the tiles that `choose` selects, until no name changes that may change the
    /// choice. Returns all tiles with their names.
    fn look_again(
        &mut self,
        model: &dyn Model,
        choose: Option<SecondLooks>,
    ) -> Result<Vec<SeenTile>, ModelError> {
        if choose.is_some() {
            self.leave_out_strangers();
        }
        let mut tiles = self.tiles();
        if model.manifest().large_classifier.is_none() {
            return Ok(tiles);
        }
        let mut left = PARAMS.max_second_looks;
        while left > 0 && (self.upright.is_open(model) || self.across.is_open(model)) {
            let wanted = choose.map_or_else(|| vec![true; tiles.len()], |choose| choose(&tiles));
            self.upright.look_again(&wanted, model, &mut left)?;
            let looks = self.upright.arrange_by_tile(self.quads.len(), &self.strangers);
            self.across.retain(|i| may_lie_across(&self.quads[i], &looks[i]));
            self.across.look_again(&wanted, model, &mut left)?;
            let again = self.tiles();
            let is_settled =
                tiles.iter().zip(&again).all(|(a, b)| a.faces.best() == b.faces.best());
            tiles = again;
            if is_settled {
                break;
            }
        }
        if choose.is_some() {
            self.leave_out_strangers();
            tiles = self.tiles();
        }
        Ok(tiles)
    }

    /// Finds the strangers among the tiles, by their names so far. The large classifier doesn't
    /// look at them, and they take no bonus tile's name.
    fn leave_out_strangers(&mut self) {
        self.strangers =
            strangers(&self.tiles(), &self.strangers, |quads| body_colours(self.photo, quads));
        self.upright.leave_out(&self.strangers);
        self.across.leave_out(&self.strangers);
    }

    /// Returns all tiles with the names so far.
    fn tiles(&self) -> Vec<SeenTile> {
        let upright = self.upright.arrange_by_tile(self.quads.len(), &self.strangers);
        let looks = self.across.merged_into(upright, &self.strangers);
        let mut tiles = Vec::with_capacity(self.quads.len());
        for (i, look) in looks.into_iter().enumerate() {
            let Detection { quad, score, face_up } = &self.detections[i];
            let faces = look.faces.with_face_up(*face_up);
            tiles.push(SeenTile {
                quad: self.quads[i],
                score: *score,
                inside: share_inside(quad, self.photo.size()),
                faces: if self.strangers[i] { without_face(&faces) } else { faces },
                turns: look.turns,
                red: look.red,
                likeness: look.likeness,
            });
        }
        tiles
    }
}

/// Crops of tiles in one orientation, and what the classifiers see in each.
struct Views {
    /// Index of the tile that each crop shows.
    tiles: Vec<usize>,
    crops: Vec<RgbImage>,
    looks: Vec<Look>,
    /// The classifier's embeddings, if it has any.
    embeddings: Vec<Vec<f32>>,
    /// Whether the large classifier looked at each crop.
    is_looked_at: Vec<bool>,
}

impl Views {
    /// Runs the classifier on the crops of these tiles.
    fn classify(
        tiles: Vec<usize>,
        crops: Vec<RgbImage>,
        model: &dyn Model,
    ) -> Result<Views, ModelError> {
        let manifest = model.manifest();
        let ClassifierSpec { crop, temperature, .. } = &manifest.classifier;
        let mut looks = Vec::with_capacity(crops.len());
        let mut embeddings = Vec::new();
        for crops in crops.chunks(model.max_crops()) {
            let mut rows = model.classify(&planes(crops, crop))?;
            looks.extend(looks_in(&rows, manifest, *temperature, PARAMS.back_gain));
            embeddings.append(&mut rows.embeddings);
        }
        let is_looked_at = vec![false; crops.len()];
        Ok(Views { tiles, crops, looks, embeddings, is_looked_at })
    }

    /// Returns whether the large classifier may still change a name.
    fn is_open(&self, model: &dyn Model) -> bool {
        let mut open = self.looks.iter().zip(&self.is_looked_at);
        open.any(|(look, is_looked_at)| !is_looked_at && is_doubtful(look, model))
    }

    /// Runs the large classifier on those of the wanted tiles' crops that are in doubt, at most
    /// `left`, which is lowered by their number.
    fn look_again(
        &mut self,
        wanted: &[bool],
        model: &dyn Model,
        left: &mut usize,
    ) -> Result<(), ModelError> {
        let open: Vec<usize> = (0..self.tiles.len())
            .filter(|&at| wanted[self.tiles[at]] && !self.is_looked_at[at])
            .collect();
        let looked_at =
            look_again(&self.crops, &mut self.looks, &self.embeddings, &open, model, *left)?;
        *left -= looked_at.len();
        looked_at.into_iter().for_each(|at| self.is_looked_at[at] = true);
        Ok(())
    }

    /// Leaves strangers out of further looks.
    fn leave_out(&mut self, strangers: &[bool]) {
        for (&i, is_looked_at) in self.tiles.iter().zip(&mut self.is_looked_at) {
            *is_looked_at |= strangers[i];
        }
    }

    /// Keeps the crops of some tiles.
    fn retain(&mut self, keep: impl Fn(usize) -> bool) {
        let kept: Vec<bool> = self.tiles.iter().map(|&i| keep(i)).collect();
        retain(&mut self.tiles, &kept);
        retain(&mut self.crops, &kept);
        retain(&mut self.looks, &kept);
        retain(&mut self.embeddings, &kept);
        retain(&mut self.is_looked_at, &kept);
    }

    /// Returns the looks, in which bonus tiles have different names.
    fn resolve_names(&self, strangers: &[bool]) -> Vec<Look> {
        let mut looks = self.looks.clone();
        let tiles: Vec<usize> = (0..looks.len()).filter(|&at| !strangers[self.tiles[at]]).collect();
        name_bonus_tiles(&mut looks, &self.embeddings, &tiles);
        looks
    }

    /// Returns the look at each of `count` tiles; those without a crop are backs.
    fn arrange_by_tile(&self, count: usize, strangers: &[bool]) -> Vec<Look> {
        let mut looks = vec![Look::for_back(); count];
        for (&i, look) in self.tiles.iter().zip(self.resolve_names(strangers)) {
            looks[i] = look;
        }
        looks
    }

    /// Returns the looks at all tiles, merged with these at crops that lie across.
    fn merged_into(&self, mut looks: Vec<Look>, strangers: &[bool]) -> Vec<Look> {
        for (&i, across) in self.tiles.iter().zip(self.resolve_names(strangers)) {
            looks[i] = looks[i].with(&across);
        }
        looks
    }
}

/// Keeps the items that have `true` at the same place.
fn retain<T>(items: &mut Vec<T>, kept: &[bool]) {
    let mut at = kept.iter();
    items.retain(|_| at.next().is_some_and(|&kept| kept));
}

/// Returns the crops of all quads of a photo as the classifier gets them; those of a dark set are
/// inverted.
#[must_use]
pub fn crops<'a>(
    photo: &Photo,
    quads: impl Iterator<Item = &'a Quad>,
    spec: &ClassifierSpec,
) -> Vec<RgbImage> {
    in_light(crops_of(photo, quads, &spec.crop), spec)
}

/// Returns crops of one photo as the classifier gets them; those of a dark set are inverted.
pub(crate) fn in_light(crops: Vec<RgbImage>, spec: &ClassifierSpec) -> Vec<RgbImage> {
    Light::from_crops(&crops, spec).apply(crops)
}

/// Returns whether a tile may lie across its crop: if it is nearly square, either pair of its sides
/// may be the longer one. A back looks the same both ways.
fn may_lie_across(upright: &Quad, look: &Look) -> bool {
    is_nearly_square(upright)
        && look.faces.sort().0 != Sort::Back
        && look.trust() * look.faces.top().1 < PARAMS.sure_look
}

fn is_nearly_square(upright: &Quad) -> bool {
    upright.down().length() < PARAMS.square_ratio * upright.across().length()
}

#[cfg(test)]
mod tests {
    use tilesight_core::tile::{Face, Tile};

    use super::*;
    use crate::networks::fake::{PaintedTile, WatchedModel, paint};

    #[test]
    fn a_square_tile_is_looked_at_again_unless_it_stands_upright_in_its_crop() {
        let square = Quad::rectangle(20.0, 20.0, 60.0, 60.0);
        for (turn, looks) in [(0, 1), (1, 2), (2, 1), (3, 2)] {
            // The quad's first corner is the top left of the face, wherever that lies.
            let painted =
                PaintedTile { quad: square.rotated(turn), face: Face::Tile(Tile::ALL[7]) };
            let photo = Photo::from_rgb(paint(100, 100, &[painted])).expect("large enough");
            let model = WatchedModel::default();
            let tile = Detection { quad: square, score: 0.9, face_up: 0.98 };
            let seen = classify(&photo, &[tile], &model).expect("it runs").remove(0);
            assert_eq!(model.crops(), looks, "turned by {turn}");
            assert_eq!(seen.faces.best(), Some(Face::Tile(Tile::ALL[7])), "turned by {turn}");
            let top = (0..4).max_by(|&a, &b| seen.turns[a].total_cmp(&seen.turns[b]));
            assert_eq!(top, Some(turn), "{:?}", seen.turns);
        }
    }

    #[test]
    fn a_certain_back_is_not_classified() {
        let painted = |x: f32| PaintedTile {
            quad: Quad::rectangle(x, 20.0, 60.0, 60.0),
            face: Face::Tile(Tile::ALL[7]),
        };
        let tiles = [painted(20.0), painted(100.0)];
        let photo = Photo::from_rgb(paint(180, 100, &tiles)).expect("large enough");
        let model = WatchedModel::default();
        let found = [(0, 0.01), (1, 0.98)].map(|(i, face_up): (usize, f32)| Detection {
            quad: tiles[i].quad,
            score: 0.9,
            face_up,
        });
        let seen = classify(&photo, &found, &model).expect("it runs");
        assert_eq!(model.crops(), 1);
        assert_eq!(seen[0].faces.best(), Some(Face::Back));
        assert_eq!(seen[1].faces.best(), Some(Face::Tile(Tile::ALL[7])));
    }
}
