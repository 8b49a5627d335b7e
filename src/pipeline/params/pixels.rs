//! What the stages that look at pixels judge by: detection, refinement, classification and the
//! mirror.
//!
//! Input: none. Output: one struct for each stage or step, with its `DEFAULT`. Scores and
//! probabilities are between 0 and 1; lengths are pixels of the photo unless a field says
//! otherwise. Invariant: the networks were trained and measured with these numbers, so no setting
//! changes them.

use std::ops::Range;

/// Which peaks of the detector's maps are tiles.
#[derive(Debug, Clone, PartialEq)]
pub struct DetectParams {
    /// Two quads that share more than this much of the smaller one are the same tile. Neighbours
    /// touch and may overlap by a tenth where corners are loose; one tile that is seen twice shares
    /// nine tenths.
    pub same_tile: f32,
    /// The steps of a corner's place along a cell, each 1/64 of a pixel of the view. Corners are
    /// exact to a pixel or so. Builds of ONNX Runtime differ by 1e-7 of a cell on average: one
    /// number in 25,000 falls on another step.
    pub cell_steps: f32,
    /// A narrower face shows nothing to read.
    pub min_width: f32,
    /// A face longer than this share of the photo is not a tile of a hand: not even two would fit.
    /// On our renders whole tables were seen as one dim tile.
    pub max_length: f32,
    /// The long side of a face over its short side, at most. Faces are about 0.74 as wide as long;
    /// from 30 degrees above the table the long side shrinks to half.
    pub max_ratio: f32,
    /// The share of a quad that lies inside the photo, at least. Not tuned.
    pub min_inside: f32,
    /// A tile that is wide enough for a size of the pyramid is seen at the smallest size too, where
    /// it is narrower by this factor at most. Not tuned.
    pub preview_width: f32,
    /// Tiles of this width in a smaller size of the pyramid, in its pixels and in the median, are
    /// seen well enough to tell where all of them are: then the close-up follows at once. With 10,
    /// of 464 tiles of our renders four more were missed.
    pub clear_width: f32,
    /// And so many of them, at most so many with those that are dim: with less than half a hand,
    /// the rest may lie elsewhere, and on a crowded table the smaller tiles of others do. Without
    /// the upper limit, of 60 tables as players leave them 32 instead of 37 had the right tiles.
    pub clear_tiles: Range<usize>,
    /// From this score on a detection tells where tiles are and how large. Not tuned.
    pub confident: f32,
    /// How fast the rank of a detection falls with its distance from the usual size, in octaves
    /// squared: half an octave costs half the score, because two tiles side by side are seen as one
    /// that lies sideways, with a higher score than either.
    pub size_penalty: f32,
    /// A detection that holds this many others is a table of tiles. One tile shows nine pips at
    /// most.
    pub table_tiles: usize,
    /// Only others below this share of its scale count. A pip is a fifth as large as its tile.
    pub table_tile_scale: f32,
}

impl DetectParams {
    /// The values in use.
    pub const DEFAULT: DetectParams = DetectParams {
        same_tile: 0.55,
        cell_steps: 512.0,
        min_width: 4.0,
        max_length: 0.6,
        max_ratio: 3.0,
        min_inside: 0.4,
        preview_width: 0.75,
        clear_width: 12.0,
        clear_tiles: 8..30,
        confident: 0.4,
        size_penalty: 3.0,
        table_tiles: 10,
        table_tile_scale: 1.0 / 7.0,
    };
}

/// When and how closely small tiles are looked at again.
#[derive(Debug, Clone, PartialEq)]
pub struct CloseUpParams {
    /// Tiles narrower than this at the largest size of the pyramid are looked at again. Corners are
    /// found to a fixed part of a cell of eight pixels, so that they are twice as good, in tile
    /// widths, on tiles that are twice as large. Since the refiner corrects corners this does not
    /// pay above 30 pixels: from 36 on it took a fifth of the time of a photo of 12 megapixels, and
    /// neither found nor named more of the held-out photos' tiles.
    pub small_width: f32,
    /// How wide they then are, in pixels of the view.
    pub target_width: f32,
    /// How far the photo is enlarged at most: more shows nothing new; a little helps the network.
    pub max_scale: f32,
    /// The most pixels of the view: four times those of the first. Twice as many lost hands of
    /// whole-table photos: of 35 tables as players leave them 20 instead of 22 had the right tiles,
    /// of 123 held-out hands 112 instead of 113, and of faces beyond the hand 79 instead of 85 %
    /// were found. Eight times as many bring nothing more.
    pub max_pixels: f32,
    /// A view that is not larger than the first one by this factor shows nothing new. Not tuned.
    pub min_gain: f32,
    /// How many tile widths around the tiles are in view: a tile that was missed lies beside those
    /// that were found.
    pub margin: f32,
    /// Close-ups at most: each begins where the one before showed tiles at its edge.
    pub most: usize,
    /// A tile may be hidden beyond the edge of a close-up where so many tile widths are. Not tuned.
    pub room: f32,
    /// The next close-up shows so many tile widths of the last one again: half of them hold tiles
    /// that its edge cut, and the other half those of them that reach farthest in.
    pub overlap: f32,
    /// From this score on a tile of the first look is in the close-up.
    pub shown: f32,
    /// The score that a tile needs which only the close-up shows: near the tiles there are their
    /// sides, shadows and pips, which look the more like tiles the larger they are.
    pub new_tile: f32,
}

impl CloseUpParams {
    /// After the largest size of the pyramid, which shows nearly all tiles.
    pub const OF_ALL: CloseUpParams = CloseUpParams {
        small_width: 30.0,
        target_width: 48.0,
        max_scale: 1.5,
        max_pixels: 640.0 * 480.0 * 4.0,
        min_gain: 1.2,
        margin: 1.5,
        most: 1,
        room: 0.5,
        overlap: 2.0,
        shown: 0.4,
        new_tile: 0.5,
    };

    /// After a smaller one that shows them clearly: it misses more of them, and a large view would
    /// take as long as the size that was left out. Of the held-out photos' tiles 98.9 % are then
    /// found and named, of our renders' 97.4 %; as after the largest size 98.7 and 95.9 %. For
    /// crowded tables they would be wrong: with them 31 of 60 had the right tiles instead of 37.
    pub const OF_CLEAR: CloseUpParams = CloseUpParams {
        target_width: 40.0,
        most: 3,
        shown: 0.25,
        new_tile: 0.35,
        ..CloseUpParams::OF_ALL
    };
}

/// When the refiner's corners are taken.
#[derive(Debug, Clone, PartialEq)]
pub struct RefineParams {
    /// A corrected quad that shares less than this with the one it comes from outlines something
    /// else: the training moved quads by half a tile at most.
    pub min_overlap: f32,
    /// The steps of a corner's place along a side of the quad. Corners are exact to a hundredth of
    /// a side. Builds of ONNX Runtime differ by 5e-9 of it on average: one number in 50,000 falls
    /// on another step. With 1,024 steps one scene of datasets/forms was read otherwise, whose hand
    /// has a probability of 15 %.
    pub side_steps: f32,
}

impl RefineParams {
    /// The values in use.
    pub const DEFAULT: RefineParams = RefineParams { min_overlap: 0.5, side_steps: 4096.0 };
}

/// How the classifier's answers are combined.
#[derive(Debug, Clone, PartialEq)]
pub struct ClassifyParams {
    /// Below this ratio of its sides a face is looked at lying on its side too. A face is 1.35
    /// times as long as wide; from 45 degrees it looks square, and the longer sides of its outline
    /// may be either pair. On the held-out photos a third of the misread tiles had been looked at
    /// on their side.
    pub square_ratio: f32,
    /// Unless the first look shows with this probability what it is, and that it stands upright in
    /// its crop, or upside down: the second one would count next to nothing. Of 2,778 tiles of
    /// held-out photos as many are then named right as with both looks at all of them, and naming
    /// takes an eighth less time. Without the first condition a blank white dragon was lost.
    pub sure_look: f32,
    /// The detector's opinion of face up or down is believed within this range, 1 in 50 either way.
    /// Not tuned.
    pub face_up: Range<f32>,
    /// What keeps the weight of a look above zero.
    pub min_trust: f32,
}

impl ClassifyParams {
    /// The values in use.
    pub const DEFAULT: ClassifyParams = ClassifyParams {
        square_ratio: 1.25,
        sure_look: 0.95,
        face_up: 0.02..0.98,
        min_trust: 1e-3,
    };
}

/// Which photos show a dark set, and which of its crops are inverted. Lightness is of 255.
#[derive(Debug, Clone, PartialEq)]
pub struct DarkSetParams {
    /// A body as light as this is not inverted. A bright print on a lighter body is read as it is:
    /// jade in the light is not a dark tile.
    pub max_body: i32,
    /// How far from the body's lightness the ink must be, so that it is not a shadow or noise.
    pub ink_contrast: i32,
    /// The same in a photo of a dark set, for tiles of the bodies' colour. In 16 scenes of dark
    /// sets 395 of 438 faces are named by it, as many as if all such tiles were inverted, and 119
    /// of 263 backs instead of 68.
    pub faint_contrast: i32,
    /// How far apart the bodies of one set may be in each colour. Not tuned.
    pub body_tolerance: i32,
    /// This many of the tiles with the highest scores tell whether a set is dark, in a hundredth of
    /// the time that a photo takes.
    pub sample_tiles: usize,
}

impl DarkSetParams {
    /// What is in use; `scripts/vision/frontend.py` has the same.
    pub const DEFAULT: DarkSetParams = DarkSetParams {
        max_body: 120,
        ink_contrast: 40,
        faint_contrast: 16,
        body_tolerance: 40,
        sample_tiles: 8,
    };
}

/// When two detections are the halves of one tile. Scales are the root of an area, as a share of
/// the usual tile's.
#[derive(Debug, Clone, PartialEq)]
pub struct RejoinParams {
    /// How large a half is: a number is about two fifths of a tile, the 萬 three fifths.
    pub half_scale: Range<f32>,
    /// How large both together are.
    pub whole_scale: Range<f32>,
    /// How much longer than wide both together are.
    pub whole_ratio: Range<f32>,
    /// Two halves that are both named with this confidence are two tiles. Not tuned.
    pub named_half: f32,
    /// The whole tile is named with this confidence. Not tuned.
    pub named_whole: f32,
}

impl RejoinParams {
    /// The values in use.
    pub const DEFAULT: RejoinParams = RejoinParams {
        half_scale: 0.5..0.9,
        whole_scale: 0.85..1.18,
        whole_ratio: 1.1..1.65,
        named_half: 0.9,
        named_whole: 0.9,
    };
}

/// When a photo is taken for mirrored. Of 400 real photos 1 is, and 89 of 160 mirrored photos and
/// scenes are recognised.
#[derive(Debug, Clone, PartialEq)]
pub struct MirrorParams {
    /// From this mean probability of the names of asymmetric tiles on, the photo is not mirrored.
    /// The photos and scenes that were mirrored to measure it and lie above cannot be told from
    /// straight ones by any limit.
    pub named_well: f32,
    /// How much better the mean must be in the photo flipped back.
    pub min_gain: f32,
    /// So many tiles, those with the highest scores, tell whether a photo is mirrored: all of a
    /// table's are so or none.
    pub most_tiles: usize,
    /// A tile votes when the probability of its name differs by this.
    pub vote_gain: f32,
    /// At least this many tiles vote for the mirror: a single bad tile must not flip a hand.
    pub min_votes: usize,
    /// And this many times as many as vote against it.
    pub majority: usize,
}

impl MirrorParams {
    /// The values in use.
    pub const DEFAULT: MirrorParams = MirrorParams {
        named_well: 0.985,
        min_gain: 0.03,
        most_tiles: 24,
        vote_gain: 0.05,
        min_votes: 3,
        majority: 3,
    };
}
