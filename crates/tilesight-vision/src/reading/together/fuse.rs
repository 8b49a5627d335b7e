//! Fusion of several photos' looks at the same tiles.
//!
//! Input: the tiles of the base, then tiles of other photos as looks at these or at places where
//! the base shows no tile. Output: every tile once, in the pixels of the base, with the looks at
//! it. Invariants: a tile that only one photo shows stays as it was seen; the order of the photos
//! after the base does not matter, except for rounding.

use tilesight_core::tile::Face;

use crate::geometry::Quad;
use crate::params::{TogetherParams, VisibilityParams};
use crate::pixels::classify::{Faces, SeenTile};
use crate::reading::sight::{Look, Looks, is_blank};

/// Returns the tile that all looks show together.
fn fused(all: &Looks, params: &TogetherParams) -> SeenTile {
    let Looks(looks) = all;
    if let [look] = looks.as_slice() {
        return look.seen.clone();
    }
    let faces = faces(looks, params);
    let best = &all.best(faces.best()).seen;
    SeenTile {
        quad: *outline(&looks[0].seen, best),
        // Photos show the same shadow or wall: two dim looks at it do not add up to a bright
        // tile.
        score: looks.iter().map(|look| look.seen.score).fold(0.0, f32::max),
        inside: looks.iter().map(|look| look.seen.inside).fold(0.0, f32::max),
        faces,
        turns: turns(looks, best, params),
        red: best.red,
    }
}

/// Returns the weights of looks: their trust, scaled such that all together count as
/// `number ^ independence`, with a limit on the number.
fn weights(looks: &[Look], params: &TogetherParams) -> Vec<f32> {
    let all: f32 = looks.iter().map(Look::trust).sum();
    let total = (looks.len() as f32).min(params.most_independent).powf(params.independence);
    looks.iter().map(|look| look.trust() / all * total).collect()
}

/// Returns the probabilities of all looks together, from their weighted logarithms. A look that
/// shows no face gives no evidence about the face, and a blunder is equally likely to show any
/// face: an object that covers a tile in one photo hides nothing in another.
fn faces(looks: &[Look], params: &TogetherParams) -> Faces {
    let weights = weights(looks, params);
    let printed = |faces: &Faces, face: Option<Face>| {
        let blunder = params.blunder.max(hidden(faces, params)).min(1.0);
        let share = faces.probability(face) / (1.0 - faces.probability(None)).max(1e-6);
        (1.0 - blunder) * share + blunder / FACES
    };
    let log = |face: Option<Face>| -> f32 {
        let each = looks.iter().zip(&weights);
        each.map(|(look, weight)| weight * printed(&look.seen.faces, face).ln()).sum()
    };
    let all: Vec<Option<Face>> =
        looks[0].seen.faces.candidates(0.0).iter().map(|one| one.0).collect();
    let logs: Vec<(Option<Face>, f32)> =
        all.into_iter().filter(Option::is_some).map(|face| (face, log(face))).collect();
    let most = logs.iter().map(|one| one.1).fold(f32::NEG_INFINITY, f32::max);
    let powers: Vec<(Option<Face>, f32)> =
        logs.into_iter().map(|(face, log)| (face, (log - most).exp())).collect();
    let sum: f32 = powers.iter().map(|one| one.1).sum();
    let nothing = looks.iter().map(|look| look.seen.faces.probability(None)).fold(1.0, f32::min);
    let shares = powers.into_iter().map(|(face, power)| (face, power / sum * (1.0 - nothing)));
    Faces::from_weights(shares.chain([(None, nothing)]))
}

/// Returns the probability that a look shows an object that lies on the tile instead of its face.
fn hidden(faces: &Faces, params: &TogetherParams) -> f32 {
    let named = faces.candidates(1e-4).into_iter();
    let blank = named.filter(|&(face, _)| face.is_some() && is_blank(face));
    faces.probability(None) + params.blank_blunder * blank.map(|(_, p)| p).sum::<f32>()
}

/// Number of faces that a look can show: 34 tiles, 8 flowers, a back.
const FACES: f32 = 43.0;

/// Returns the probabilities of the turns of all looks together, by the corners of the outline in
/// use.
fn turns(looks: &[Look], best: &SeenTile, params: &TogetherParams) -> [f32; 4] {
    let outline = outline(&looks[0].seen, best);
    let weights = weights(looks, params);
    let mut logs = [0.0; 4];
    for (look, weight) in looks.iter().zip(weights) {
        let turned = turned_onto(&look.seen, outline);
        for (log, p) in logs.iter_mut().zip(turned) {
            *log += weight * ((1.0 - params.blunder) * p + params.blunder / 4.0).ln();
        }
    }
    let powers = logs.map(f32::exp);
    let sum: f32 = powers.iter().sum();
    powers.map(|power| power / sum)
}

/// Returns the turns of a tile relative to another outline of it.
fn turned_onto(tile: &SeenTile, outline: &Quad) -> [f32; 4] {
    let off = |by: usize| {
        let turned = tile.quad.rotated(by);
        turned.0.iter().zip(&outline.0).map(|(a, b)| (*a - *b).length()).sum::<f32>()
    };
    let by = (0..4).min_by(|&a, &b| off(a).total_cmp(&off(b))).unwrap_or(0);
    turned_by(tile.turns, by)
}

/// Returns the turns relative to an outline whose corner 0 was corner `by`.
pub(super) fn turned_by(turns: [f32; 4], by: usize) -> [f32; 4] {
    std::array::from_fn(|turn| turns[(turn + by) % 4])
}

/// Maximum difference in area, as a share, between an outline and that of the best look. With a
/// larger difference the outline is that of a part, the rest being hidden by a finger or cut by the
/// edge.
const PART: f32 = 0.2;

/// Returns the outline of the first look, unless it covers only a part of the tile.
fn outline<'a>(first: &'a SeenTile, best: &'a SeenTile) -> &'a Quad {
    let (area, whole) = (first.quad.area(), best.quad.area());
    let is_part = (area / whole.max(1.0) - 1.0).abs() > PART || first.inside + PART < best.inside;
    if is_part { &best.quad } else { &first.quad }
}

/// All tiles of the hand's photos.
#[derive(Debug)]
pub(super) struct Fusion<'a> {
    tiles: Vec<Looks>,
    /// Number of the tiles that the base shows.
    of_base: usize,
    params: &'a TogetherParams,
}

impl<'a> Fusion<'a> {
    /// Starts with the tiles of the base, each as a look at it.
    pub(super) fn new(base: Vec<Look>, params: &'a TogetherParams) -> Fusion<'a> {
        let of_base = base.len();
        let tiles = base.into_iter().map(|look| Looks(vec![look])).collect();
        Fusion { tiles, of_base, params }
    }

    /// Adds a look at a tile that the base shows.
    pub(super) fn look_at(&mut self, tile: usize, look: Look) {
        self.tiles[tile].0.push(look);
    }

    /// Adds a look at a place where the base shows no tile, or a tile with another outline. It
    /// becomes a look at the tile that lies there, or a new tile if there is room, or it is
    /// dropped.
    pub(super) fn add(&mut self, look: Look) {
        let shared = |looks: &Looks| look.seen.quad.overlap(&looks.0[0].seen.quad);
        let most = self.tiles.iter().map(shared).enumerate().max_by(|a, b| a.1.total_cmp(&b.1));
        let is_new = |looks: &Looks| looks.0.iter().all(|one| one.photo != look.photo);
        match most {
            Some((tile, share)) if share > self.params.same_tile => {
                if is_new(&self.tiles[tile]) {
                    self.tiles[tile].0.push(look);
                }
            }
            Some((_, share)) if share > self.params.in_the_way => {}
            _ => self.tiles.push(Looks(vec![look])),
        }
    }

    /// Returns the tiles with their looks: those of the base, and of the others the ones with
    /// enough evidence.
    pub(super) fn into_tiles(self) -> (Vec<SeenTile>, Vec<Looks>) {
        let Fusion { tiles, of_base, params } = self;
        let is_kept = |place: usize, tile: &SeenTile, looks: &Looks| {
            place < of_base || is_evident(tile, looks, params)
        };
        let fused = tiles.into_iter().enumerate().map(|(place, looks)| {
            let tile = fused(&looks, params);
            (is_kept(place, &tile, &looks), tile, looks)
        });
        fused.filter(|(kept, ..)| *kept).map(|(_, tile, looks)| (tile, looks)).unzip()
    }
}

/// Returns whether a tile that the base does not show is real, and not a false alarm of another
/// photo.
fn is_evident(tile: &SeenTile, looks: &Looks, params: &TogetherParams) -> bool {
    let visibility = VisibilityParams::DEFAULT;
    let is_seen = |look: &Look| look.seen.score >= visibility.dim;
    let is_seen_twice = looks.0.iter().filter(|look| is_seen(look)).count() > 1;
    let (face, p) = tile.faces.top();
    face.is_some()
        && p >= params.least_name
        && tile.inside >= visibility.cut_off
        && (is_seen_twice || tile.score >= params.least_score)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn face(code: &str) -> Option<Face> {
        Some(code.parse().expect("a code"))
    }

    fn look(photo: usize, weights: &[(Option<Face>, f32)], score: f32) -> Look {
        let faces = Faces::from_weights(weights.iter().copied());
        let quad = Quad::rectangle(0.0, 0.0, 30.0, 40.0);
        let turns = [0.97, 0.01, 0.01, 0.01];
        let seen = SeenTile { quad, score, inside: 1.0, faces, turns, red: 0.0 };
        Look { photo, seen, shown: quad }
    }

    fn fused(looks: Vec<Look>) -> SeenTile {
        super::fused(&Looks(looks), &TogetherParams::DEFAULT)
    }

    #[test]
    fn a_clear_look_settles_a_doubtful_one() {
        let doubtful = look(0, &[(face("1s"), 0.6), (face("2s"), 0.4)], 0.9);
        let clear = look(1, &[(face("2s"), 0.99), (face("1s"), 0.01)], 0.9);
        let tile = fused(vec![doubtful, clear]);
        assert_eq!(tile.faces.best(), face("2s"));
        assert!(tile.faces.top().1 > 0.9, "{:?}", tile.faces);
    }

    #[test]
    fn what_covers_a_tile_hides_nothing_in_another_photo() {
        let covered = look(0, &[(None, 0.95), (face("P"), 0.05)], 0.5);
        let clear = look(1, &[(face("7m"), 0.98), (face("8m"), 0.02)], 0.9);
        let tile = fused(vec![covered.clone(), clear]);
        assert_eq!(tile.faces.best(), face("7m"));
        assert!(tile.faces.probability(None) < 0.05, "{:?}", tile.faces);
        let still = fused(vec![covered.clone(), Look { photo: 1, ..covered }]);
        assert_eq!(still.faces.best(), None, "nothing in both stays nothing");
    }

    #[test]
    fn glare_on_a_tile_is_not_a_white_dragon() {
        let glare = look(0, &[(face("P"), 0.97), (face("9p"), 0.03)], 0.9);
        let tile = fused(vec![glare.clone(), look(1, &[(face("7m"), 0.98)], 0.9)]);
        assert_eq!(tile.faces.best(), face("7m"));
        assert!(tile.faces.probability(face("P")) > 0.05, "in doubt: {:?}", tile.faces);
        assert_eq!(fused(vec![glare.clone(), glare]).faces.best(), face("P"));
    }

    #[test]
    fn a_dim_tile_stays_dim_in_any_number_of_photos() {
        let shadow = |photo| look(photo, &[(face("P"), 0.6), (None, 0.4)], 0.35);
        assert!(fused((0..4).map(shadow).collect()).score < 0.4);
        let clear = look(1, &[(face("7m"), 0.99)], 0.9);
        assert!(fused(vec![shadow(0), clear]).score > 0.85, "a covered tile is seen elsewhere");
    }

    #[test]
    fn two_clear_looks_that_differ_are_in_doubt() {
        let tile =
            fused(vec![look(0, &[(face("7m"), 1.0)], 0.9), look(1, &[(face("1s"), 1.0)], 0.9)]);
        assert!(tile.faces.top().1 < 0.6, "{:?}", tile.faces);
    }

    #[test]
    fn looks_of_a_burst_say_less_than_independent_ones() {
        let same = [(face("1s"), 0.8), (face("2s"), 0.2)];
        let tile = fused((0..4).map(|photo| look(photo, &same, 0.9)).collect());
        let independent = 0.8_f32.powi(4) / (0.8_f32.powi(4) + 0.2_f32.powi(4));
        let p = tile.faces.top().1;
        assert!(p > 0.8 && p < independent, "{p}");
    }

    #[test]
    fn a_tile_is_named_from_the_photo_that_shows_it_best() {
        let looks = Looks(vec![
            look(2, &[(face("1s"), 0.6), (face("2s"), 0.4)], 0.9),
            look(0, &[(face("2s"), 0.99), (face("1s"), 0.01)], 0.9),
        ]);
        assert_eq!((looks.named(face("2s")), looks.named(face("1s"))), (0, 2));
        assert_eq!(looks.photos(), [0, 2]);
        let alone: Vec<_> =
            looks.by_photo(face("2s")).iter().map(|look| (look.photo, look.p)).collect();
        assert_eq!(alone, [(0, 0.99), (2, 0.4)]);
    }

    #[test]
    fn a_turned_outline_keeps_the_way_its_face_is_up() {
        let mut second = look(1, &[(face("1s"), 0.99)], 0.9);
        second.seen.quad = second.seen.quad.rotated(3);
        second.seen.turns = turned_by(second.seen.turns, 3);
        assert_eq!(second.seen.up(1), Quad::rectangle(0.0, 0.0, 30.0, 40.0).down().unit() * -1.0);
        let tile = fused(vec![look(0, &[(face("1s"), 0.99)], 0.9), second]);
        assert!(tile.turns[0] > 0.95, "{:?}", tile.turns);
    }

    #[test]
    fn a_false_alarm_of_one_photo_is_not_added() {
        let params = TogetherParams::DEFAULT;
        let base = vec![look(0, &[(face("1s"), 0.99)], 0.9)];
        let at = |x: f32, mut look: Look| {
            look.seen.quad = Quad::rectangle(x, 0.0, 30.0, 40.0);
            look
        };
        let clear = [(face("5p"), 0.99)];
        let mut fusion = Fusion::new(base, &params);
        fusion.add(at(31.0, look(1, &clear, 0.9)));
        fusion.add(at(62.0, look(1, &clear, 0.5)));
        fusion.add(at(93.0, look(1, &[(None, 0.9), (face("P"), 0.1)], 0.9)));
        fusion.add(at(124.0, look(1, &clear, 0.5)));
        fusion.add(at(125.0, look(2, &clear, 0.5)));
        fusion.add(at(15.0, look(2, &clear, 0.9)));
        let (tiles, looks) = fusion.into_tiles();
        let lefts: Vec<f32> = tiles.iter().map(|tile| tile.quad.0[0].x).collect();
        assert_eq!(lefts, [0.0, 31.0, 124.0], "one good look, or two dim ones");
        assert_eq!(looks[2].photos(), [1, 2]);
    }
}
