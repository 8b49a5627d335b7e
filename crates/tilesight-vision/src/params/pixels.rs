//! Parameters of the stages that process pixels: detection, refinement, classification and the
//! mirror.
//!
//! There is one struct for each stage or step, with its `DEFAULT`. Scores and probabilities are
//! between 0 and 1; lengths are pixels of the photo unless a field says otherwise. Invariant: the
//! networks were trained and measured with these numbers, so no setting changes them.

use std::ops::Range;

/// Parameters for choosing the peaks of the detector's maps that are tiles.
#[derive(Debug, Clone, PartialEq)]
pub struct DetectParams {
    /// Two quads are the same tile if they share more than this part of the smaller one. Neighbours
    /// touch and may overlap by a tenth if corners are inaccurate; a tile detected twice overlaps
    /// by nine tenths.
    pub same_tile: f32,
    /// Number of steps of a corner's position along a cell, each 1/64 of a pixel of the view.
    /// Corners are accurate to about a pixel. Builds of ONNX Runtime differ by 1e-7 of a cell on
    /// average: one number in 25,000 falls on another step.
    pub cell_steps: f32,
    /// Minimum width of a face. A narrower one is not readable.
    pub min_width: f32,
    /// Maximum length of a face, as a share of the photo: of a larger one not even two would fit.
    /// On our renders whole tables were seen as one dim tile.
    pub max_length: f32,
    /// Maximum ratio of a face's long side to its short side. Faces are about 0.74 as wide as long;
    /// from 30 degrees above the table the long side shrinks to half.
    pub max_ratio: f32,
    /// Minimum share of a quad that lies inside the photo. Not tuned.
    pub min_inside: f32,
    /// Minimum median width of tiles at a smaller size of the pyramid, in its pixels, at which they
    /// are seen well enough to tell where all of them are. The close-up then follows at once. With
    /// 10, four more of 464 tiles of our renders were missed.
    pub clear_width: f32,
    /// Number of such tiles; its upper limit also applies to the number including dim tiles. With
    /// less than half a hand, the rest may lie elsewhere, and on a crowded table the smaller tiles
    /// of other players do. Without the upper limit, 32 instead of 37 of 60 tables as players leave
    /// them had the right tiles.
    pub clear_tiles: Range<usize>,
    /// Minimum score of a detection that tells where tiles are and how large. Not tuned.
    pub confident: f32,
    /// Maximum probability of face up at which a tile is a back without a further look. Of 3,029
    /// labelled faces of held-out photos the lowest has 0.48, and of 2,506 faces of 36 drawn tables
    /// one is below 0.1 and none below 0.07; 78 % of these tables' 2,390 backs are below it.
    pub sure_back: f32,
    /// Rate at which the rank of a detection falls with its distance from the usual size, in
    /// octaves squared. Half an octave costs half the score, because two tiles side by side are
    /// seen as one that lies sideways, with a higher score than either.
    pub size_penalty: f32,
    /// Maximum number of tiles of a photo, the best first: a set has 144, or 152 with eight flowers
    /// more. It bounds the work of all later stages.
    pub max_tiles: usize,
    /// Number of tiles, those with the highest scores, by which a photo is judged as a whole:
    /// whether it is mirrored, its set is dark, or an own set explains it.
    pub judged_tiles: usize,
    /// Number of other detections in a detection that make it a table of tiles. One tile shows at
    /// most nine pips.
    pub table_tiles: usize,
    /// Maximum scale of those other detections, relative to the detection. A pip is a fifth as
    /// large as its tile.
    pub table_tile_scale: f32,
    /// Minimum width at which the tiles of a whole hand must have been seen, in pixels of the
    /// closest view: three quarters of what a close-up of few tiles aims at. A hand that was seen
    /// smaller is looked at by itself. Of 402 pictures of hands beside photographed things 24 hands
    /// were lost without this look, 20 with it, and 18 if it has no limit, which half of the
    /// held-out photos would pay for; with the limit four of 214 do.
    pub seen_width: f32,
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
        clear_width: 12.0,
        clear_tiles: 8..30,
        confident: 0.4,
        sure_back: 0.05,
        size_penalty: 3.0,
        max_tiles: 200,
        judged_tiles: 24,
        table_tiles: 10,
        table_tile_scale: 1.0 / 7.0,
        seen_width: 24.0,
    };
}

/// Parameters for looking again at small tiles, and more closely.
#[derive(Debug, Clone, PartialEq)]
pub struct CloseUpParams {
    /// Tiles narrower than this at the largest size of the pyramid are looked at again. Corners are
    /// found to a fixed part of a cell of eight pixels, so that on tiles twice as large they are
    /// twice as accurate in tile widths. Since the refiner corrects corners, this does not pay
    /// above 30 pixels: with a limit of 36 it took a fifth of the time of a photo of 12 megapixels,
    /// and neither found nor named more of the held-out photos' tiles.
    pub small_width: f32,
    /// Width of the tiles in the close-up, in pixels of the view. The refiner corrects the corners,
    /// so that crowded tables need no more than the width from which there is no close-up: with
    /// 40 and 48 as many of 36 drawn tables and of 123 held-out hands are exact, or fewer.
    pub target_width: f32,
    /// Maximum factor by which the photo is enlarged. A little helps the network; more shows
    /// nothing new.
    pub max_scale: f32,
    /// Maximum number of pixels of all views of a close-up: twice those of the first. While the
    /// view also showed what lies between the tiles, it needed four times as many: with half of
    /// them 20 instead of 22 of 35 tables as players leave them had the right tiles. The tiles are
    /// seen as large as then.
    pub max_pixels: f32,
    /// Minimum factor by which a view must be larger than the first one to show anything new. Not
    /// tuned.
    pub min_gain: f32,
    /// Margin around the tiles, in tile widths: a missed tile lies beside those that were found.
    pub margin: f32,
    /// Margin around each tile, in tile widths, if the close-up leaves out places without tiles:
    /// room for one that was missed. With 1.5, 111 instead of 113 of 123 held-out hands are exact,
    /// and 32 of 36 drawn tables either way. `None` if it shows everything between the tiles.
    pub part_margin: Option<f32>,
    /// Distance from the edge of a part of the close-up within which a tile counts as cut, in
    /// widths of the tile. Not tuned: outlines are right to a twentieth.
    pub cut: f32,
    /// Minimum score of a tile of the first look that the close-up does not show again; backs are
    /// kept. Dimmer ones are sides of tiles and pieces of clutter: with 0, a real table has 125
    /// instead of 66 tiles to name, 36 drawn ones have 110 instead of 70 false faces, and as many
    /// hands are exact.
    pub kept: f32,
    /// Maximum number of close-ups: each begins where the one before showed tiles at its edge.
    pub max_close_ups: usize,
    /// Minimum space beyond the edge of a close-up, in tile widths, that may hide a tile. Not
    /// tuned.
    pub room: f32,
    /// Overlap of the next close-up with the last one, in tile widths: one half holds tiles that
    /// the edge cut, the other half the parts of them that reach farthest in.
    pub overlap: f32,
    /// Minimum score of a tile of the first look that the close-up includes.
    pub shown: f32,
    /// Minimum score of a tile that only the close-up shows: near the tiles are their sides,
    /// shadows and pips, which look the more like tiles the larger they are.
    pub new_tile: f32,
}

impl CloseUpParams {
    /// Parameters after the largest size of the pyramid, which shows nearly all tiles.
    pub(crate) const OF_ALL: CloseUpParams = CloseUpParams {
        small_width: 30.0,
        target_width: 30.0,
        max_scale: 1.5,
        max_pixels: 640.0 * 480.0 * 2.0,
        min_gain: 1.2,
        margin: 1.5,
        part_margin: Some(1.0),
        cut: 0.1,
        kept: 0.4,
        max_close_ups: 1,
        room: 0.5,
        overlap: 2.0,
        shown: 0.4,
        new_tile: 0.5,
    };

    /// Parameters after the largest size of the pyramid in the negative of a dark set: everything
    /// between the tiles is shown, because the first look misses more of them than parts reach
    /// beyond those it finds. On 29 dark tables as players leave them 98.8 instead of 95.8 % of the
    /// hands' faces are found, and 17 instead of 15 hands are exact; with parts that reach two
    /// widths 98.3 % and 13 hands, and with a target width of 30 pixels 99.3 % and 16 hands, but
    /// three instead of one are silently wrong.
    pub(crate) const OF_NEGATIVE: CloseUpParams = CloseUpParams {
        target_width: 48.0,
        max_pixels: 640.0 * 480.0 * 4.0,
        part_margin: None,
        kept: 0.0,
        ..CloseUpParams::OF_ALL
    };

    /// Parameters after a smaller size that shows the tiles clearly: it misses more of them, so
    /// that all that lies between them is shown. With a view of parts around them one of 123
    /// held-out hands is lost. Tiles 32 and 40 pixels wide are found and named alike (14,666 real
    /// tiles: docs/speed.md). For crowded tables these parameters would be wrong: with them 31 of
    /// 60 had the right tiles instead of 37.
    pub(crate) const OF_CLEAR: CloseUpParams = CloseUpParams {
        target_width: 32.0,
        max_pixels: 640.0 * 480.0 * 4.0,
        part_margin: None,
        kept: 0.0,
        max_close_ups: 3,
        shown: 0.25,
        new_tile: 0.35,
        ..CloseUpParams::OF_ALL
    };
}

/// Parameters for accepting the refiner's corners.
#[derive(Debug, Clone, PartialEq)]
pub struct RefineParams {
    /// Minimum overlap of a corrected quad with the one it comes from. With less, it outlines
    /// something else: the training moved quads by at most half a tile.
    pub min_overlap: f32,
    /// Maximum gap between a back and a face, in tile widths, at which the back is corrected too. A
    /// sample's kong was no meld any more with the detector's outline of a back beside it; a row
    /// has smaller gaps.
    pub beside: f32,
    /// Number of steps of a corner's position along a side of the quad. Corners are accurate to a
    /// hundredth of a side. Builds of ONNX Runtime differ by 5e-9 of it on average: one number in
    /// 50,000 falls on another step. With 1,024 steps one scene of datasets/forms, whose hand has a
    /// probability of 15 %, was read differently.
    pub side_steps: f32,
}

impl RefineParams {
    /// The values in use.
    pub const DEFAULT: RefineParams =
        RefineParams { min_overlap: 0.5, beside: 1.0, side_steps: 4096.0 };
}

/// Parameters for combining the classifier's answers.
#[derive(Debug, Clone, PartialEq)]
pub struct ClassifyParams {
    /// A face whose ratio of sides is below this is also classified lying on its side. A face is
    /// 1.35 times as long as wide; from 45 degrees it looks square, and the longer sides of its
    /// outline may be either pair. On the held-out photos a third of the misread tiles had been
    /// classified on their side.
    pub square_ratio: f32,
    /// Minimum probability with which the first look shows the face, and shows it upright or upside
    /// down in its crop, to make the look across unnecessary: it would have next to no weight. Of
    /// 2,778 tiles of held-out photos as many are then named correctly as with both looks at all of
    /// them, and naming takes an eighth less time. Without the first condition a blank white dragon
    /// was lost.
    pub sure_look: f32,
    /// Number that is added to the logit of a back, because the classifier was trained with few
    /// backs and with no pale ones. In near-photographic scenes of sets that it does not know it
    /// names 52 % of the backs without it and 72 % with it, and as many white dragons; with 3 a
    /// white dragon of a real hand is taken for a back, with 4 many are.
    pub back_gain: f32,
    /// Range to which the detector's probability of face up is limited, 1 in 50 either way. Not
    /// tuned.
    pub face_up: Range<f32>,
    /// Small number that keeps the weight of a look above zero.
    pub min_trust: f32,
    /// Minimum probability of a face with which the large classifier does not look at it, unless it
    /// is a bonus tile: by itself, or for a tile of a whole hand among all hands that were weighed.
    /// Of 9,099 crops 32 % are below it, 56 % below 0.99, and with either 464 are named wrong. With
    /// 0.97, before the looks were chosen by the hand, one of 60 tables as players leave them was
    /// silently wrong.
    pub certain: f32,
    /// Minimum probability of a back, or of what is not a face, with which the large classifier
    /// does not look at it. With 0.9 it named half a tile at a photo's edge that is more likely no
    /// face, and the hand beside it got a flower.
    pub clearly_no_face: f32,
    /// Maximum number of crops that the large classifier looks at when the tiles of a photo are
    /// named, the most doubtful ones: it takes about three times as many operations for each as the
    /// classifier. With 24, one table of 60 less is right.
    pub max_second_looks: usize,
    /// Weight of the large classifier in the mean of both classifiers' logarithms of probabilities.
    /// Of 34 photos that the classifier alone misreads (4 hands exact), 14, 15 and 16 are exact
    /// with 0.4, 0.5 and 0.6; of 60 tables as players leave them 36, 37 and 36, and one is silently
    /// wrong with 0.4.
    pub large_share: f32,
    /// Slope of a red five's probability: its logit changes by so much as the network's logit
    /// changes by one. Fitted by logistic regression to 1,780 drawn fives of 60 sets whose print
    /// tells.
    pub red_slope: f32,
    /// Logit of the network at which a five is as likely red as not. In the same crops it finds
    /// 98.4 % of the red fives; 0 finds 95.8 %, because training shows one red five for two others.
    /// The highest logit of 340 real fives, none of them red, is -2.9. With -1.5 for characters a
    /// black five of a rendered scene is taken for red.
    pub red_middle: f32,
}

impl ClassifyParams {
    /// The values in use.
    pub const DEFAULT: ClassifyParams = ClassifyParams {
        square_ratio: 1.25,
        sure_look: 0.95,
        back_gain: 2.0,
        face_up: 0.02..0.98,
        min_trust: 1e-3,
        certain: 0.98,
        clearly_no_face: 0.6,
        max_second_looks: 48,
        large_share: 0.5,
        red_slope: 1.4,
        red_middle: -1.0,
    };
}

/// Parameters for telling other objects from tiles by their names, in photos of which the
/// classifier names many tiles surely. Of 1,291 things that were taken for tiles in 48 of our
/// renders with drawn clutter, white dragons, backs and 1 of dots apart, 5 have a name with a
/// probability of 0.9 or more; half of all have less than 0.7, as 36 of 914 tiles.
#[derive(Debug, Clone, PartialEq)]
pub struct StrangerParams {
    /// Minimum number of tiles with a sure name in a photo whose set the classifier knows. Not
    /// tuned.
    pub min_known: usize,
    /// Maximum probability of a doubtful name.
    pub doubtful: f32,
    /// Ratio of scales from which on two things have different sizes. With the median of the sure
    /// tiles in place of each of them, a hand at the near edge of a table is lost.
    pub other_size: f32,
    /// Difference of a body's colour from those of all sure tiles, in some channel of 0 to 255,
    /// above which something is no tile of their set. In 242 photos that were not trained on, sure
    /// bonus tiles differ from the nearest sure tile by at most 19, doubtful tiles of hands by at
    /// most 40, and what is no tile of the hand by 66 and more or not at all.
    pub other_body: i32,
    /// Maximum gap between tiles that touch, in widths. Not tuned.
    pub touching: f32,
    /// Maximum gap between things of a crowd, in widths. Not tuned.
    pub reach: f32,
    /// Minimum number of things in a crowd. Where one thing alone is enough if its name has less
    /// than 0.65, a held-out hand with 1 of bamboos of unknown art is lost.
    pub crowd: usize,
    /// Probability that a stranger is not a face. Not tuned: the halves of a tile, which may be
    /// strangers by their size, are joined if it is below [`RejoinParams::named`].
    pub no_face: f32,
}

impl StrangerParams {
    /// The values in use.
    pub const DEFAULT: StrangerParams = StrangerParams {
        min_known: 8,
        doubtful: 0.8,
        other_size: 1.5,
        other_body: 55,
        touching: 0.3,
        reach: 1.5,
        crowd: 4,
        no_face: 0.85,
    };
}

/// Parameters for naming bonus tiles, of which a set has each once.
#[derive(Debug, Clone, PartialEq)]
pub struct BonusTileParams {
    /// Minimum cosine of the embeddings of two tiles that show the same face. In the held-out and
    /// the misread photos the highest of 265 pairs of different bonus tiles is 0.68, and that of
    /// 4,231 pairs of a bonus and a playing tile 0.53; of 78 pairs of 1 of bamboos more than four
    /// fifths are above it.
    pub same_face: f32,
    /// Minimum probability of any bonus tile that is lowered: less does not decide a name.
    pub min_bonus: f32,
    /// Factor for the odds of a bonus tile that has a look-alike: of different bonus tiles fewer
    /// than one pair in 200 look alike, of equal tiles four pairs in five. With 0.001 to 0.05 four
    /// more of the 1,787 test crops are named right, and none is lost; one instead of four of 200
    /// drawn keyboards, consoles, cloths and boards is taken for a hand, since keys look alike.
    pub odds: f32,
    /// Minimum probability of each name among those of a bonus tile, before they are weighed with
    /// the other bonus tiles of the photo. Of 160 bonus tiles of test crops 154 instead of 150 are
    /// named right with 0.001, 153 with 0.01 and 152 with 0.03; none is lost.
    pub min_name: f32,
}

impl BonusTileParams {
    /// The values in use.
    pub const DEFAULT: BonusTileParams =
        BonusTileParams { same_face: 0.75, min_bonus: 0.05, odds: 0.005, min_name: 0.001 };
}

/// Parameters for photos of a dark set, and for the crops that are inverted. Lightness is 0 to 255.
#[derive(Debug, Clone, PartialEq)]
pub struct DarkSetParams {
    /// Minimum lightness of a body that is not inverted. A bright print on a lighter body is read
    /// as it is: jade in the light is not a dark tile.
    pub max_body: i32,
    /// Minimum difference in lightness between ink and body; less is a shadow or noise.
    pub ink_contrast: i32,
    /// Minimum difference, like [`DarkSetParams::ink_contrast`], for tiles of the bodies' colour in
    /// a photo of a dark set. In 16 scenes of dark sets 395 of 438 faces are named with it, as many
    /// as if all such tiles were inverted, and 119 of 263 backs instead of 68.
    pub faint_contrast: i32,
    /// Maximum difference between the bodies of one set in each colour. Not tuned.
    pub body_tolerance: i32,
    /// Number of faces, those with the highest scores, that decide whether a set is dark. They take
    /// a hundredth of a photo's time. Sure backs are left out, since they have no ink: of the
    /// eight best tiles of a dark table most were backs. Of 294 photos of light sets none has more
    /// than one dark tile among them.
    pub sample_tiles: usize,
    /// Minimum share of dark tiles, among those of [`DetectParams::judged_tiles`] that tell, from
    /// which on the negative has to show whether the set is dark. In 263 real and 31 rendered
    /// photos of light sets the share is at most 0.35, in 29 rendered ones of dark sets at least
    /// 0.5. Three of these have no majority of dark tiles among their best
    /// [`DarkSetParams::sample_tiles`], because dark tiles are outlined badly in the photo itself.
    pub doubt_share: f32,
}

impl DarkSetParams {
    /// The values in use; `scripts/vision/frontend.py` has the same ones.
    pub const DEFAULT: DarkSetParams = DarkSetParams {
        max_body: 120,
        ink_contrast: 40,
        faint_contrast: 16,
        body_tolerance: 40,
        sample_tiles: 8,
        doubt_share: 0.4,
    };
}

/// Parameters for recognising a dark set by the names of its tiles.
#[derive(Debug, Clone, PartialEq)]
pub struct NegativeParams {
    /// A photo in which the names of tiles have at least this mean logarithm of probability is of a
    /// light set, or of a dark one that was recognised. Of 214 held-out photos 20 are below it, of
    /// 39 samples none; a photo below it costs at most 24 crops more.
    pub named_well: f32,
    /// Minimum number of tiles: the mean of fewer is a matter of chance.
    pub min_tiles: usize,
    /// Minimum gain of the mean logarithm in the negative of a dark set. Of 118 photos of light
    /// sets none gains more than 0.16; three of four dark photos that are not recognised by their
    /// lightness gain more than 0.2, and names in these are right for 74 instead of 52 % of the
    /// tiles.
    pub min_gain: f32,
}

impl NegativeParams {
    /// The values in use.
    pub const DEFAULT: NegativeParams =
        NegativeParams { named_well: -0.3, min_tiles: 5, min_gain: 0.2 };
}

/// Parameters for tiles without print, which may be white dragons or backs.
#[derive(Debug, Clone, PartialEq)]
pub struct BlankParams {
    /// Standard deviation of the colour of equal tiles in one photo, in each channel. Of 150 white
    /// dragons in held-out photos 145 are named without these colours and 148 with them; of 178
    /// backs in scenes whose backs were recoloured (cream, mint, grey, or as the bodies) 97 and
    /// 142. In a trial, 5 named as many as 8, 12 three fewer of the backs, and 18 nineteen fewer
    /// (2026-11-29).
    pub spread: f32,
}

impl BlankParams {
    /// The values in use.
    pub const DEFAULT: BlankParams = BlankParams { spread: 8.0 };
}

/// Parameters for two detections that are the halves of one tile. Scales are the root of an area,
/// as a share of the usual tile's.
#[derive(Debug, Clone, PartialEq)]
pub struct RejoinParams {
    /// Scale of a half: a number is about two fifths of a tile, the 萬 three fifths.
    pub half_scale: Range<f32>,
    /// Scale of both halves together.
    pub whole_scale: Range<f32>,
    /// Ratio of length to width of both halves together.
    pub whole_ratio: Range<f32>,
    /// Minimum confidence in the name of the whole tile; two halves that are both named with it are
    /// two tiles. Not tuned.
    pub named: f32,
}

impl RejoinParams {
    /// The values in use.
    pub const DEFAULT: RejoinParams = RejoinParams {
        half_scale: 0.5..0.9,
        whole_scale: 0.85..1.18,
        whole_ratio: 1.1..1.65,
        named: 0.9,
    };
}

/// Parameters for tiles whose outline does not have the proportions of their row. Sizes are shares
/// of the row's median.
#[derive(Debug, Clone, PartialEq)]
pub struct ProportionParams {
    /// Width below which a tile of the row's height shows only a part. In 34 photos of standing
    /// rows 9 of 15 playing tiles below it are misnamed, four of them with more than 0.9: half of a
    /// 4 of bamboos is a 2. In 214 held-out photos 5 of 2,549 are below it, and one is misnamed.
    pub narrow: f32,
    /// Height below which a tile of the row's width shows only a part. In the same photos 2 of 7
    /// and none of 2 are misnamed.
    pub low: f32,
    /// Width from which an outline of the row's height covers two tiles: one that lies sideways is
    /// 1.35 times as wide, and lower.
    pub double: f32,
    /// Height of the row.
    pub same_height: Range<f32>,
    /// Width of the row.
    pub same_width: Range<f32>,
    /// Two tiles lie the same way if the cosine of the angle between them is at least this. Not
    /// tuned.
    pub aligned: f32,
    /// Maximum distance along the row of tiles that are compared, in their widths. Not tuned.
    pub reach: f32,
    /// Maximum distance across the row of tiles that are compared, in their heights: less than
    /// between rows. Not tuned.
    pub aside: f32,
    /// Maximum number of tiles that are compared. Not tuned.
    pub compared: usize,
    /// Maximum probability of the name: two in five of such tiles are misnamed.
    pub max_certainty: f32,
}

impl ProportionParams {
    /// The values in use.
    pub const DEFAULT: ProportionParams = ProportionParams {
        narrow: 0.8,
        low: 0.75,
        double: 1.6,
        same_height: 0.85..1.3,
        same_width: 0.85..1.2,
        aligned: 0.9,
        reach: 2.6,
        aside: 0.5,
        compared: 4,
        max_certainty: 0.6,
    };
}

/// Parameters for outlining doubtful tiles by their row. Shares of area are of the smaller of two
/// outlines. Of 34 photos that the networks alone misread, 17 instead of 15 are exact with it, and
/// of 60 tables as players leave them 41 instead of 39.
#[derive(Debug, Clone, PartialEq)]
pub struct EvenRowParams {
    /// Minimum probability of the name of a clear tile, and of the name that a new outline gives.
    /// With 0.9, one table less is exact and one held-out hand has another question; with 0.8, one
    /// held-out hand less is exact; with 0.97, one of the 34 photos less.
    pub named: f32,
    /// Minimum probability of the name of an overlapped tile that is kept because it fits its row,
    /// or lies in front of it. Not tuned.
    pub named_before: f32,
    /// Minimum agreement with the row of a tile that fits it: area of both outlines that both
    /// cover. With 0.7, one of the 34 photos less is exact.
    pub fits: f32,
    /// Maximum agreement of a tile in front of the row, and its minimum area as a share of a
    /// tile's. Without these, the flower before a row is taken for a part of it. Not tuned.
    pub in_front: f32,
    /// See [`EvenRowParams::in_front`].
    pub whole: f32,
    /// Maximum share of a clear tile that another outline covers: neighbours overlap by a tenth.
    /// With 0.25 as many hands are exact.
    pub max_overlap: f32,
    /// Minimum score of such another outline: less is as often a shadow. Not tuned.
    pub min_overlapping: f32,
    /// Share from which a new outline takes the place of another one. With 0.2 and 0.45 as many
    /// hands are exact.
    pub covers: f32,
    /// Share from which two new outlines are the same, so that the second is not looked at. Not
    /// tuned.
    pub same_place: f32,
    /// Minimum score of a tile with a new outline: its row tells that it is one. Not tuned.
    pub min_score: f32,
    /// Maximum distance of a tile's centre from the line of its row, in heights of the row. Not
    /// tuned.
    pub aside: f32,
    /// Increase of this limit for each width along the row: rows are bent. Not tuned.
    pub bend: f32,
    /// Minimum distance to the next tile of the row, in widths. Not tuned.
    pub min_step: f32,
    /// Maximum angle between the edges of two tiles of a row, in radians. Not tuned.
    pub aligned: f32,
    /// Ratio of the sizes of two tiles of a row: those farther away look smaller. Not tuned.
    pub same_size: Range<f32>,
    /// Maximum number of tiles between two clear ones. With 2 as many hands are exact.
    pub max_between: f32,
    /// Maximum deviation of a gap between two clear tiles from a whole number of tiles. With 0.2
    /// and 0.45 as many hands are exact.
    pub uneven: f32,
    /// Maximum gap between tiles that touch, in widths. Not tuned.
    pub touching: f32,
    /// Maximum number of touching tiles that tell where the next one lies. Not tuned.
    pub compared: u8,
    /// Maximum number of rounds: each outlines one more tile beside the last clear one. With one
    /// round, 15 of the 34 photos are exact.
    pub max_rounds: usize,
}

impl EvenRowParams {
    /// The values in use.
    pub const DEFAULT: EvenRowParams = EvenRowParams {
        named: 0.95,
        named_before: 0.85,
        fits: 0.8,
        in_front: 0.5,
        whole: 0.75,
        max_overlap: 0.15,
        min_overlapping: 0.3,
        covers: 0.3,
        same_place: 0.9,
        min_score: 0.5,
        aside: 0.25,
        bend: 0.06,
        min_step: 0.5,
        aligned: 0.2,
        same_size: 0.75..1.33,
        max_between: 4.0,
        uneven: 0.35,
        touching: 0.25,
        compared: 4,
        max_rounds: 4,
    };
}

/// Parameters for the ink of red fives. Shares are of the pixels of a crop, colours relative to the
/// body's.
#[derive(Debug, Clone, PartialEq)]
pub struct RedInkParams {
    /// Width of the rim that does not count, as a share of the crop's sides.
    pub rim: f32,
    /// A pixel is ink if its darkest channel is below this.
    pub ink: f32,
    /// Minimum difference of red from the other channels for red ink.
    pub redness: f32,
    /// Minimum share of ink in a face that can be judged.
    pub min_ink: f32,
    /// Minimum share of red in the ink of a red five. 120 drawn red fives of four sets, in five
    /// lights and two sizes, have 0.76 and more, and 95 of 100 drawn common 5m 0.63 or less, 5p and
    /// 5s 0.25 or less. Of 371 fives in real photos 58 were called red with 0.8 or more: 52 of them
    /// have 0.71 and more, and 6, with loose outlines, are asked about; the common ones have 0.6 or
    /// less.
    pub min_red: f32,
    /// Probability of being red of a five whose ink is not red alone: it is asked about.
    pub disputed: f32,
}

impl RedInkParams {
    /// The values in use.
    pub const DEFAULT: RedInkParams = RedInkParams {
        rim: 0.16,
        ink: 0.7,
        redness: 0.15,
        min_ink: 0.03,
        min_red: 0.7,
        disputed: 0.6,
    };
}

/// Parameters for recognising mirrored photos. Of 400 real photos one is mirrored, and 89 of 160
/// mirrored photos and scenes are recognised.
#[derive(Debug, Clone, PartialEq)]
pub struct MirrorParams {
    /// Minimum gain of the mean probability of the names of asymmetric tiles in the photo flipped
    /// back.
    pub min_gain: f32,
    /// Minimum difference in the probability of its name with which a tile votes.
    pub vote_gain: f32,
    /// Minimum number of votes for the mirror for each vote against it, of which one is always
    /// assumed: a single bad tile must not flip a hand.
    pub min_votes: usize,
}

impl MirrorParams {
    /// The values in use.
    pub const DEFAULT: MirrorParams =
        MirrorParams { min_gain: 0.03, vote_gain: 0.05, min_votes: 3 };
}
