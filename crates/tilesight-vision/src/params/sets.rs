//! Parameters of own sets: how a set's prototypes count beside the network's answer, when a set
//! explains a photo, and how a sheet of tiles is named.
//!
//! Cosines are between embeddings of length one; weights and costs are in nats. Invariant: a set
//! that does not reach its minimum fit changes nothing.

/// Parameters of own sets.
#[derive(Debug, Clone, PartialEq)]
pub struct SetParams {
    /// Weight of the best cosine of a face's prototypes, added to the logarithm of the network's
    /// probability. Measured on drawn photos of three sets of art that no network was trained on,
    /// each taught by one sheet (4,500 tiles, 828 bonus tiles; 1,099 and 624 misnamed without a
    /// set): 616 and 338 misnamed with a weight of 20, 586 and 312 with 30. On held-out real photos
    /// of eight sets that the network knows well, 25 of 2,550 tiles are misnamed with either,
    /// without a set 39 (2026-11-27).
    pub weight: f32,
    /// Divisor of that sum, since cosines of several faces lie close together and would be taken
    /// for certainty otherwise. With it the calibration error of these tiles is 0.005.
    pub temperature: f32,
    /// Cosine that stands for a face without a prototype, and for "not a face", where no prototype
    /// is farther away. With 0.55 one of the 2,550 tiles fewer is misnamed, and 19 of the 4,500
    /// drawn ones more; without the limit by the nearest prototype 50 of those more.
    pub unknown: f32,
    /// Weight of the large classifier in the mean of both classifiers, instead of
    /// [`ClassifyParams::large_share`](super::ClassifyParams::large_share): the evidence comes from
    /// the classifier's embedding already. Of 2,187 tiles of 20 drawn sets of odd art, each taught
    /// by one sheet, 257, 246, 243 and 241 are misnamed with 0.5, 0.6, 0.7 and 0.8; of the 4,500
    /// drawn ones of unseen art 502, 499, 490 and 495, and of the real ones 22, 22, 21 and 23
    /// (2026-11-27).
    pub large_share: f32,
    /// Minimum number of tiles that decide it. One or two tiles of another set may look alike.
    pub min_tiles: usize,
    /// Quantile of the cosines with the nearest prototype that is the fit: a set may miss faces,
    /// and some tiles are hardly visible.
    pub like: f32,
    /// Minimum fit of a set that is chosen by itself. With 0.86, 97 % of held-out photos are read
    /// with their own set, and 41 % with another one if no other is there: these sets look alike,
    /// and of 17,181 tiles 6 more are named right. With 0.85, 3 of 18,506 are lost, with 0.75 it is
    /// 81 %, and 24 of 29,984 are lost.
    pub min_fit: f32,
    /// Minimum fit of a set that is named: all of these photos reach it with their own set.
    pub min_named_fit: f32,
    /// Median cosine of the embeddings of a hand's tiles with the typical ones of their names,
    /// below which an improbable hand does not count. Of 205 held-out photos, samples and scenes of
    /// forms the lowest has 0.57; of rows with icons, Egyptian pictures or Chinese radicals in
    /// place of faces those that seem to show a hand have 0.47 at most but for one (0.53), and
    /// hands of keys and dials 0.36 at most (2026-12-01).
    pub min_likeness: f32,
    /// Minimum number of tiles that tell it. Not tuned.
    pub unfamiliar_tiles: usize,
    /// Probability from which a hand stays in any case. That of every unfamiliar hand above is at
    /// most 0.002.
    pub unfamiliar_p: f32,
}

impl SetParams {
    /// The values in use.
    pub const DEFAULT: SetParams = SetParams {
        weight: 30.0,
        temperature: 1.4,
        unknown: 0.5,
        large_share: 0.7,
        min_tiles: 4,
        like: 0.75,
        min_fit: 0.86,
        min_named_fit: 0.75,
        min_likeness: 0.5,
        unfamiliar_tiles: 8,
        unfamiliar_p: 0.01,
    };
}

/// Parameters of the variants of a crop that a tile is learned from, beside the crop as it is.
///
/// Of 2,187 tiles of 20 drawn sets of odd art, each taught by one sheet, 218 are misnamed with both
/// variants, 224 with the smaller one only (of half the size) and 243 with the crop alone; of the
/// 4,500 drawn ones of unseen art 478, 484 and 490. Shifted, scaled and turned copies add nothing.
/// On the real ones it makes no difference (2026-11-27).
#[derive(Debug, Clone, PartialEq)]
pub struct VariantParams {
    /// Size of the tile in the smaller variant. A tile fills 56 pixels of the crop's width.
    pub coarse: f32,
    /// Factor of all colours in the variant in less light.
    pub dim: f32,
}

impl VariantParams {
    /// The values in use.
    pub const DEFAULT: VariantParams = VariantParams { coarse: 0.42, dim: 0.75 };
}

/// Parameters for naming the tiles of a sheet or of a hand whose notation is given: costs of an
/// alignment of its tiles with the order in which they are laid out.
#[derive(Debug, Clone, PartialEq)]
pub struct SheetParams {
    /// Share of a name that the order gives, whatever the network says: faces that it does not know
    /// are what sheets are for.
    pub order: f32,
    /// Cost of a face that the sheet does not show.
    pub skipped: f32,
    /// Maximum cost of neighbouring faces that the sheet does not show: all bonus tiles may be
    /// missing.
    pub all_skipped: f32,
    /// Cost of another tile of the same face.
    pub repeated: f32,
    /// Cost of a tile that gets no name.
    pub unnamed: f32,
    /// Cost of a row that begins elsewhere than a row of the order.
    pub off_row: f32,
    /// Minimum probability by the network alone with which a proposed name is not asked about.
    pub sure: f32,
    /// Cost of a tile of a hand's notation that the photo does not show.
    pub unseen: f32,
    /// Least difference in cost between the best pairing of a hand with its notation and any in
    /// which a tile has another face, from which on the tile's face is learned: twenty to one.
    pub sure_margin: f32,
    /// Least difference in cost between pairings in any order and group by group from which on a
    /// hand is known to lie group by group: a thousand to one. Of 10,000 random scenes, a quarter
    /// of them in any order, no tile is learned wrongly with 5, 7 or 10; with 10, two more unknown
    /// tiles of fourteen hide the order.
    pub order_margin: f32,
}

impl SheetParams {
    /// The values in use. Not tuned: with them the rendered sheets of four tile sets are named
    /// without a mistake.
    pub const DEFAULT: SheetParams = SheetParams {
        order: 0.1,
        skipped: 1.0,
        all_skipped: 4.0,
        repeated: 0.3,
        unnamed: 8.0,
        off_row: 1.0,
        sure: 0.3,
        unseen: 2.0,
        sure_margin: 3.0,
        order_margin: 7.0,
    };
}
