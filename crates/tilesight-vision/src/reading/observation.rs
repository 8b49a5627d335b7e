//! Results of the pixel stages, and of several photos put together.
//!
//! An [`Observation`] has [`FusedPhotos`] if several photos of a hand were fused, and the
//! [`TileViews`] of these photos at each tile. [`together`](super::together) fuses them.

use serde::{Deserialize, Serialize};
use tilesight_core::explain::{Lang, Message, display_english};
use tilesight_core::tile::{Dragon, Face};

use crate::geometry::{Point, Quad};
use crate::options::ReadOptions;
use crate::pixels::detect::Detection;
use crate::pixels::mirror;
use crate::pixels::seen_tile::SeenTile;
use crate::sets::SetUse;
use crate::texts;

/// Maximum number of photos of one hand. Each is read with all networks, and a ninth photo hardly
/// adds anything to eight.
pub const MAX_PHOTOS: usize = 8;

/// Results of the pixel stages.
#[derive(Debug, Clone, Default)]
pub struct Observation {
    /// Width and height of the upright photo.
    pub size: (u32, u32),
    /// Tiles as the detector found them.
    pub detections: Vec<Detection>,
    /// Whether they were found in the photo's negative, as those of a dark set are.
    pub in_negative: bool,
    /// Detections with refined corners.
    pub refined: Vec<Detection>,
    /// Classified tiles in the photo as it was sent, with halves of a tile joined.
    pub classified: Vec<SeenTile>,
    /// Tiles as they really lie, in the pixels of the photo flipped back, if the photo is mirrored.
    pub turned_back: Option<Vec<SeenTile>>,
    /// Use of own sets, if one was asked for.
    pub set: Option<SetUse>,
    /// Photos that show each tile, if several photos of the hand were put together.
    pub together: Option<FusedPhotos>,
}

impl Observation {
    /// Creates the observation of tiles that are already known, such as those of a replay with some
    /// tiles corrected.
    #[must_use]
    pub fn from_tiles(size: (u32, u32), tiles: Vec<SeenTile>) -> Observation {
        Observation { size, classified: tiles, ..Observation::default() }
    }

    /// Returns whether the tiles were named with an own set.
    pub(super) fn uses_own_set(&self) -> bool {
        self.set.as_ref().is_some_and(|set| set.used.is_some())
    }

    /// Returns whether the photo is mirrored.
    #[must_use]
    pub fn is_mirrored(&self) -> bool {
        self.turned_back.is_some()
    }

    /// Returns the tiles that the hand is read from. The indices of all later stages point into
    /// them.
    #[must_use]
    pub fn tiles(&self) -> &[SeenTile] {
        self.turned_back.as_deref().unwrap_or(&self.classified)
    }

    /// Returns the tiles with their outlines as the photo shows them.
    #[must_use]
    pub fn shown_tiles(&self) -> Vec<SeenTile> {
        let tiles = self.tiles().iter().cloned();
        match self.turned_back {
            Some(_) => tiles.map(|tile| mirror::into_mirror(tile, self.size.0)).collect(),
            None => tiles.collect(),
        }
    }

    /// Maps a point of the photo as it was sent to the pixels of the tiles.
    fn to_tiles(&self, shown: Point) -> Point {
        match self.turned_back {
            Some(_) => Point::new(self.size.0 as f32 - shown.x, shown.y),
            None => shown,
        }
    }

    /// Returns the options with their points in the pixels of the tiles.
    pub(super) fn options_in_tiles(&self, options: ReadOptions) -> ReadOptions {
        ReadOptions {
            focus: options.focus.map(|shown| self.to_tiles(shown)),
            region: options.region.map(|shown| shown.map(|corner| self.to_tiles(corner))),
            ..options
        }
    }

    /// Scales the observation from a reduced photo to one that is `factor` times larger.
    pub(crate) fn scaled(self, factor: f32) -> Observation {
        Observation {
            detections: self.detections.into_iter().map(|tile| tile.scaled(factor)).collect(),
            refined: self.refined.into_iter().map(|tile| tile.scaled(factor)).collect(),
            classified: scale_all(self.classified, factor),
            turned_back: self.turned_back.map(|tiles| scale_all(tiles, factor)),
            ..self
        }
    }

    /// Replaces the tiles with those fused from several photos.
    pub(super) fn with_tiles(self, tiles: Vec<SeenTile>, together: FusedPhotos) -> Observation {
        let together = Some(together);
        match self.turned_back {
            Some(_) => Observation { turned_back: Some(tiles), together, ..self },
            None => Observation { classified: tiles, together, ..self },
        }
    }

    /// Splits off the views of several photos.
    pub(super) fn without_views(self) -> (Observation, Option<FusedPhotos>) {
        let Observation { together, .. } = self;
        (Observation { together: None, ..self }, together)
    }

    /// Returns [`Observation::tiles`] by value.
    pub(super) fn into_tiles(self) -> Vec<SeenTile> {
        self.turned_back.unwrap_or(self.classified)
    }
}

/// Photos of a hand, and the tiles that each of them shows.
#[derive(Debug, Clone)]
pub struct FusedPhotos {
    /// Index of the base, the photo in whose pixels the tiles are, among all photos sent.
    pub base: usize,
    /// For each photo, its width and height.
    pub sizes: Vec<(u32, u32)>,
    /// For each photo, the reason why it was left out, if it was.
    pub left_out: Vec<Option<LeftOut>>,
    /// For each tile of the observation, the views of it.
    pub views: Vec<TileViews>,
}

/// Reason why a photo was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum LeftOut {
    /// No tile was found in the photo.
    NoTiles,
    /// The photo's tiles are not those of the base, or lie in another order.
    OtherTiles,
}

display_english!(LeftOut);

impl Message for LeftOut {
    fn text(&self, lang: Lang) -> String {
        match self {
            LeftOut::NoTiles => texts::left_out::no_tiles(lang).to_owned(),
            LeftOut::OtherTiles => texts::left_out::other_tiles(lang).to_owned(),
        }
    }
}

/// View of a tile in one photo.
#[derive(Debug, Clone)]
pub(super) struct TileView {
    /// Index of the photo among all that were sent.
    pub(super) photo: usize,
    /// Tile as this photo shows it, in the pixels of the base.
    pub(super) seen: SeenTile,
    /// Outline of the tile in the pixels of this photo, as it was sent.
    pub(super) shown: Quad,
}

impl TileView {
    /// Returns the trust in this view: how surely there is a tile, and how much of it is in the
    /// photo.
    pub(super) fn trust(&self) -> f32 {
        (self.seen.score * self.seen.inside).max(1e-3)
    }

    /// Returns how strongly the view supports a face.
    fn evidence(&self, face: Option<Face>) -> f32 {
        self.trust() * self.seen.faces.probability(face)
    }
}

/// Evidence of one photo for a tile.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PhotoView {
    /// Index of the photo among all that were sent.
    pub photo: usize,
    /// Outline in the pixels of this photo, as it was sent.
    pub outline: Quad,
    /// Probability of the tile's name by this view alone.
    pub p: f32,
}

/// Views of one tile, that of the base first if it shows the tile.
#[derive(Debug, Clone)]
pub struct TileViews(pub(super) Vec<TileView>);

impl TileViews {
    /// Returns the photo whose view supports the face most strongly.
    #[must_use]
    pub fn best_photo(&self, face: Option<Face>) -> usize {
        self.best(face).photo
    }

    /// Returns the photos that show the tile, in the order in which they were sent.
    #[must_use]
    pub fn photos(&self) -> Vec<usize> {
        let mut photos: Vec<usize> = self.0.iter().map(|view| view.photo).collect();
        photos.sort_unstable();
        photos
    }

    /// Returns the evidence of each photo for a tile with this name, in the order in which the
    /// photos were sent.
    #[must_use]
    pub fn photo_views(&self, face: Option<Face>) -> Vec<PhotoView> {
        let mut views: Vec<PhotoView> = self
            .0
            .iter()
            .map(|view| PhotoView {
                photo: view.photo,
                outline: view.shown,
                p: view.seen.faces.probability(face),
            })
            .collect();
        views.sort_unstable_by_key(|view| view.photo);
        views
    }

    /// Returns whether two photos clearly show different printed faces here: the tile was replaced
    /// between them. `clear` is the probability from which a face is clear.
    #[must_use]
    pub fn contradict(&self, one: usize, other: usize, clear: f32) -> bool {
        let shown = self.print_on(one, clear).zip(self.print_on(other, clear));
        shown.is_some_and(|(one, other)| one != other)
    }

    /// Returns the printed face that a photo clearly shows.
    fn print_on(&self, photo: usize, clear: f32) -> Option<Face> {
        let view = self.0.iter().find(|view| view.photo == photo)?;
        let (face, p) = view.seen.faces.top();
        face.filter(|_| p >= clear && !is_blank(face))
    }

    /// Returns the view that supports the face most strongly; of equal ones the first.
    pub(super) fn best(&self, face: Option<Face>) -> &TileView {
        let mut views = self.0.iter();
        let first = views.next().expect("there is no tile without a look");
        views.fold(
            first,
            |best, view| {
                if view.evidence(face) > best.evidence(face) { view } else { best }
            },
        )
    }
}

/// Returns whether there is no print: a white dragon, a back, or no face. Glare and objects on a
/// tile look like these.
pub(super) fn is_blank(face: Option<Face>) -> bool {
    face.is_none_or(|face| match face {
        Face::Tile(tile) => tile.dragon() == Some(Dragon::White),
        Face::Back => true,
        Face::Bonus(_) => false,
    })
}

fn scale_all(tiles: Vec<SeenTile>, factor: f32) -> Vec<SeenTile> {
    let tiles = tiles.into_iter();
    tiles.map(|tile| SeenTile { quad: tile.quad.scaled(factor), ..tile }).collect()
}
