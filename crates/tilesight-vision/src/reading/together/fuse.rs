//! Fusion of several photos' views of the same tiles.
//!
//! Input: the tiles of the base, then tiles of other photos as views of these or at places where
//! the base shows no tile. Output: every tile once, in the pixels of the base, with the views of
//! it. Invariants: a tile that only one photo shows stays as it was seen; the order of the photos
//! after the base does not matter, except for rounding.

use tilesight_core::tile::Face;

use crate::geometry::Quad;
use crate::params::{DetectParams, LIKELY, TogetherParams, VisibilityParams};
use crate::pixels::faces::Faces;
use crate::pixels::seen_tile::SeenTile;
use crate::reading::observation::{TileView, TileViews, is_blank};

/// Returns the tile that all views show together.
fn fuse_views(all: &TileViews, params: &TogetherParams) -> SeenTile {
    let TileViews(views) = all;
    if let [view] = views.as_slice() {
        return view.seen.clone();
    }
    let faces = faces(views, params);
    let best = &all.best(faces.best()).seen;
    SeenTile {
        quad: *outline(&views[0].seen, best),
        // Photos show the same shadow or wall: two dim views of it do not add up to a bright
        // tile.
        score: views.iter().map(|view| view.seen.score).fold(0.0, f32::max),
        inside: views.iter().map(|view| view.seen.inside).fold(0.0, f32::max),
        faces,
        turns: turns(views, best, params),
        red: best.red,
        likeness: best.likeness,
    }
}

/// Returns the weights of views: their trust, scaled such that all together count as
/// `number ^ independence`, with a limit on the number.
fn weights(views: &[TileView], params: &TogetherParams) -> Vec<f32> {
    let all: f32 = views.iter().map(TileView::trust).sum();
    let total = (views.len() as f32).min(params.max_independent).powf(params.independence);
    views.iter().map(|view| view.trust() / all * total).collect()
}

/// Returns the probabilities of all views together, from their weighted logarithms. A view that
/// shows no face gives no evidence about the face, and a blunder is equally likely to show any
/// face: an object that covers a tile in one photo hides nothing in another.
fn faces(views: &[TileView], params: &TogetherParams) -> Faces {
    let weights = weights(views, params);
    let candidates = views[0].seen.faces.candidates(0.0).into_iter();
    let logs: Vec<(Option<Face>, f32)> = candidates
        .filter(|(face, _)| face.is_some())
        .map(|(face, _)| {
            let each = views.iter().zip(&weights);
            let log =
                each.map(|(view, weight)| weight * printed(&view.seen.faces, face, params).ln());
            (face, log.sum())
        })
        .collect();
    let max_log = logs.iter().map(|one| one.1).fold(f32::NEG_INFINITY, f32::max);
    let powers: Vec<(Option<Face>, f32)> =
        logs.into_iter().map(|(face, log)| (face, (log - max_log).exp())).collect();
    let sum: f32 = powers.iter().map(|one| one.1).sum();
    let nothing = views.iter().map(|view| view.seen.faces.probability(None)).fold(1.0, f32::min);
    let shares = powers.into_iter().map(|(face, power)| (face, power / sum * (1.0 - nothing)));
    Faces::from_weights(shares.chain([(None, nothing)]))
}

/// Returns the probability that a face is printed on a tile, by one view of it.
fn printed(faces: &Faces, face: Option<Face>, params: &TogetherParams) -> f32 {
    let blunder = params.blunder.max(hidden(faces, params)).min(1.0);
    let share = faces.probability(face) / (1.0 - faces.probability(None)).max(1e-6);
    (1.0 - blunder) * share + blunder / FACES
}

/// Returns the probability that a view shows an object that lies on the tile instead of its face.
fn hidden(faces: &Faces, params: &TogetherParams) -> f32 {
    let named = faces.candidates(1e-4).into_iter();
    let blank = named.filter(|&(face, _)| face.is_some() && is_blank(face));
    faces.probability(None) + params.blank_blunder * blank.map(|(_, p)| p).sum::<f32>()
}

/// Number of faces that a view can show: 34 tiles, 8 flowers, a back.
const FACES: f32 = 43.0;

/// Returns the probabilities of the turns of all views together, by the corners of the outline in
/// use.
fn turns(views: &[TileView], best: &SeenTile, params: &TogetherParams) -> [f32; 4] {
    let outline = outline(&views[0].seen, best);
    let weights = weights(views, params);
    let mut logs = [0.0; 4];
    for (view, weight) in views.iter().zip(weights) {
        let turned = align_turns(&view.seen, outline);
        for (log, p) in logs.iter_mut().zip(turned) {
            *log += weight * ((1.0 - params.blunder) * p + params.blunder / 4.0).ln();
        }
    }
    let powers = logs.map(f32::exp);
    let sum: f32 = powers.iter().sum();
    powers.map(|power| power / sum)
}

/// Returns the turns of a tile relative to another outline of it.
fn align_turns(tile: &SeenTile, outline: &Quad) -> [f32; 4] {
    let off = (0..4).map(|by| {
        let distances = tile.quad.rotated(by).corner_distances(outline);
        (by, distances.iter().sum::<f32>())
    });
    let (by, _) = off.min_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or_default();
    rotate_turns(tile.turns, by)
}

/// Returns the turns relative to an outline whose corner 0 was corner `by`.
pub(super) fn rotate_turns(turns: [f32; 4], by: usize) -> [f32; 4] {
    std::array::from_fn(|turn| turns[(turn + by) % 4])
}

/// Maximum difference in area, as a share, between an outline and that of the best view. With a
/// larger difference the outline is that of a part, the rest being hidden by a finger or cut by the
/// edge.
const PART: f32 = 0.2;

/// Returns the outline of the first view, unless it covers only a part of the tile.
fn outline<'a>(first: &'a SeenTile, best: &'a SeenTile) -> &'a Quad {
    let area = first.quad.area();
    let whole = best.quad.area();
    let is_part = (area / whole.max(1.0) - 1.0).abs() > PART || first.inside + PART < best.inside;
    if is_part { &best.quad } else { &first.quad }
}

/// All tiles of the hand's photos.
#[derive(Debug)]
pub(super) struct Fusion<'a> {
    tiles: Vec<TileViews>,
    /// Number of the tiles that the base shows.
    of_base: usize,
    params: &'a TogetherParams,
}

impl<'a> Fusion<'a> {
    /// Starts with the tiles of the base, each as a view of it.
    pub(super) fn new(base: Vec<TileView>, params: &'a TogetherParams) -> Fusion<'a> {
        let of_base = base.len();
        let tiles = base.into_iter().map(|view| TileViews(vec![view])).collect();
        Fusion { tiles, of_base, params }
    }

    /// Adds a view of a tile that the base shows.
    pub(super) fn add_view(&mut self, tile: usize, view: TileView) {
        self.tiles[tile].0.push(view);
    }

    /// Adds a view of a place where the base shows no tile, or a tile with another outline. It
    /// becomes a view of the tile that lies there, or a new tile if there is room, or it is
    /// dropped.
    pub(super) fn add_elsewhere(&mut self, view: TileView) {
        let shared = self.tiles.iter().map(|views| view.seen.quad.overlap(&views.0[0].seen.quad));
        match shared.enumerate().max_by(|a, b| a.1.total_cmp(&b.1)) {
            Some((tile, share)) if share > DetectParams::DEFAULT.same_tile => {
                let TileViews(views) = &mut self.tiles[tile];
                if views.iter().all(|one| one.photo != view.photo) {
                    views.push(view);
                }
            }
            Some((_, share)) if share > self.params.in_the_way => {}
            _ => self.tiles.push(TileViews(vec![view])),
        }
    }

    /// Returns the tiles with their views: those of the base, and of the others the ones with
    /// enough evidence.
    pub(super) fn into_tiles(self) -> (Vec<SeenTile>, Vec<TileViews>) {
        let Fusion { tiles, of_base, params } = self;
        let fused = tiles.into_iter().enumerate().map(|(place, views)| {
            let tile = fuse_views(&views, params);
            let is_kept = place < of_base || is_evident(&tile, &views, params);
            (is_kept, tile, views)
        });
        fused.filter(|(kept, ..)| *kept).map(|(_, tile, views)| (tile, views)).unzip()
    }
}

/// Returns whether a tile that the base does not show is real, and not a false alarm of another
/// photo.
fn is_evident(tile: &SeenTile, views: &TileViews, params: &TogetherParams) -> bool {
    let visibility = VisibilityParams::DEFAULT;
    let seen = views.0.iter().filter(|view| view.seen.score >= visibility.dim);
    let is_seen_twice = seen.count() > 1;
    let (face, p) = tile.faces.top();
    face.is_some()
        && p >= LIKELY
        && tile.inside >= visibility.cut_off
        && (is_seen_twice || tile.score >= params.min_score)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn face(code: &str) -> Option<Face> {
        Some(code.parse().expect("a code"))
    }

    fn view(photo: usize, weights: &[(Option<Face>, f32)], score: f32) -> TileView {
        let faces = Faces::from_weights(weights.iter().copied());
        let quad = Quad::rectangle(0.0, 0.0, 30.0, 40.0);
        let turns = [0.97, 0.01, 0.01, 0.01];
        let seen = SeenTile { quad, score, inside: 1.0, faces, turns, red: 0.0, likeness: None };
        TileView { photo, seen, shown: quad }
    }

    fn fuse_views(views: Vec<TileView>) -> SeenTile {
        super::fuse_views(&TileViews(views), &TogetherParams::DEFAULT)
    }

    #[test]
    fn a_clear_look_settles_a_doubtful_one() {
        let doubtful = view(0, &[(face("1s"), 0.6), (face("2s"), 0.4)], 0.9);
        let clear = view(1, &[(face("2s"), 0.99), (face("1s"), 0.01)], 0.9);
        let tile = fuse_views(vec![doubtful, clear]);
        assert_eq!(tile.faces.best(), face("2s"));
        assert!(tile.faces.top().1 > 0.9, "{:?}", tile.faces);
    }

    #[test]
    fn a_tile_covered_in_one_photo_is_read_in_the_other() {
        let covered = view(0, &[(None, 0.95), (face("P"), 0.05)], 0.5);
        let clear = view(1, &[(face("7m"), 0.98), (face("8m"), 0.02)], 0.9);
        let tile = fuse_views(vec![covered.clone(), clear]);
        assert_eq!(tile.faces.best(), face("7m"));
        assert!(tile.faces.probability(None) < 0.05, "{:?}", tile.faces);
        let still = fuse_views(vec![covered.clone(), TileView { photo: 1, ..covered }]);
        assert_eq!(still.faces.best(), None, "nothing in both stays nothing");
    }

    #[test]
    fn glare_on_a_tile_is_not_a_white_dragon() {
        let glare = view(0, &[(face("P"), 0.97), (face("9p"), 0.03)], 0.9);
        let tile = fuse_views(vec![glare.clone(), view(1, &[(face("7m"), 0.98)], 0.9)]);
        assert_eq!(tile.faces.best(), face("7m"));
        assert!(tile.faces.probability(face("P")) > 0.05, "in doubt: {:?}", tile.faces);
        assert_eq!(fuse_views(vec![glare.clone(), glare]).faces.best(), face("P"));
    }

    #[test]
    fn a_dim_tile_stays_dim_in_any_number_of_photos() {
        let shadow = |photo| view(photo, &[(face("P"), 0.6), (None, 0.4)], 0.35);
        assert!(fuse_views((0..4).map(shadow).collect()).score < 0.4);
        let clear = view(1, &[(face("7m"), 0.99)], 0.9);
        assert!(
            fuse_views(vec![shadow(0), clear]).score > 0.85,
            "a covered tile is seen elsewhere"
        );
    }

    #[test]
    fn two_clear_looks_that_differ_are_in_doubt() {
        let tile = fuse_views(vec![
            view(0, &[(face("7m"), 1.0)], 0.9),
            view(1, &[(face("1s"), 1.0)], 0.9),
        ]);
        assert!(tile.faces.top().1 < 0.6, "{:?}", tile.faces);
    }

    #[test]
    fn looks_of_a_burst_say_less_than_independent_ones() {
        let same = [(face("1s"), 0.8), (face("2s"), 0.2)];
        let tile = fuse_views((0..4).map(|photo| view(photo, &same, 0.9)).collect());
        let independent = 0.8_f32.powi(4) / (0.8_f32.powi(4) + 0.2_f32.powi(4));
        let p = tile.faces.top().1;
        assert!(p > 0.8 && p < independent, "{p}");
    }

    #[test]
    fn a_tile_is_named_from_the_photo_that_shows_it_best() {
        let views = TileViews(vec![
            view(2, &[(face("1s"), 0.6), (face("2s"), 0.4)], 0.9),
            view(0, &[(face("2s"), 0.99), (face("1s"), 0.01)], 0.9),
        ]);
        assert_eq!((views.best_photo(face("2s")), views.best_photo(face("1s"))), (0, 2));
        assert_eq!(views.photos(), [0, 2]);
        let alone: Vec<_> =
            views.photo_views(face("2s")).iter().map(|view| (view.photo, view.p)).collect();
        assert_eq!(alone, [(0, 0.99), (2, 0.4)]);
    }

    #[test]
    fn a_turned_outline_keeps_the_way_its_face_is_up() {
        let mut second = view(1, &[(face("1s"), 0.99)], 0.9);
        second.seen.quad = second.seen.quad.rotated(3);
        second.seen.turns = rotate_turns(second.seen.turns, 3);
        assert_eq!(second.seen.up(1), Quad::rectangle(0.0, 0.0, 30.0, 40.0).down().unit() * -1.0);
        let tile = fuse_views(vec![view(0, &[(face("1s"), 0.99)], 0.9), second]);
        assert!(tile.turns[0] > 0.95, "{:?}", tile.turns);
    }

    #[test]
    fn a_false_alarm_of_one_photo_is_not_added() {
        let params = TogetherParams::DEFAULT;
        let base = vec![view(0, &[(face("1s"), 0.99)], 0.9)];
        let at = |x: f32, mut view: TileView| {
            view.seen.quad = Quad::rectangle(x, 0.0, 30.0, 40.0);
            view
        };
        let clear = [(face("5p"), 0.99)];
        let mut fusion = Fusion::new(base, &params);
        fusion.add_elsewhere(at(31.0, view(1, &clear, 0.9)));
        fusion.add_elsewhere(at(62.0, view(1, &clear, 0.5)));
        fusion.add_elsewhere(at(93.0, view(1, &[(None, 0.9), (face("P"), 0.1)], 0.9)));
        fusion.add_elsewhere(at(124.0, view(1, &clear, 0.5)));
        fusion.add_elsewhere(at(125.0, view(2, &clear, 0.5)));
        fusion.add_elsewhere(at(15.0, view(2, &clear, 0.9)));
        let (tiles, views) = fusion.into_tiles();
        let lefts: Vec<f32> = tiles.iter().map(|tile| tile.quad.0[0].x).collect();
        assert_eq!(lefts, [0.0, 31.0, 124.0], "one good view, or two dim ones");
        assert_eq!(views[2].photos(), [1, 2]);
    }
}
