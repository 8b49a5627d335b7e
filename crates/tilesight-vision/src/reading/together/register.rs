//! Registration of two photos: search for the tiles of one in the other.
//!
//! Input: the tiles of two photos. Output: a [`Registration`]: the pairs of the same tiles, and the
//! mapping from one photo to the other for every plane that tiles lie on; or the result that the
//! photos cannot be put together. The search starts from single pairs of tiles with the same face:
//! their corners show roughly where their neighbours are, and the corners of those where tiles
//! further away are. The mapping that most faces agree on is kept. The remaining tiles are searched
//! once more, since a standing row lies on a plane of its own. Invariants: every tile is in at most
//! one pair; photos whose hands disagree are not put together.

use tilesight_core::tile::Face;

use crate::effort::Effort;
use crate::geometry::homography::{FitNoise, Homography};
use crate::geometry::{Point, Quad, median};
use crate::params::{PlaneParams, TogetherParams, VisibilityParams};
use crate::pixels::seen_tile::SeenTile;
use crate::reading::observation::is_blank;

/// Content of one of the two photos.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side<'a> {
    /// All tiles.
    pub(super) tiles: &'a [SeenTile],
    /// Indices of the tiles of its hand.
    pub(super) hand: &'a [usize],
    /// Width and height of the photo.
    pub(super) size: (u32, u32),
}

/// A tile in two photos.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pair {
    /// Index of the tile in the base.
    pub(super) base: usize,
    /// Index of the tile in the other photo.
    pub(super) other: usize,
    /// Index of the corner of the other outline that is the base's corner 0.
    pub(super) turn: usize,
    /// Whether the corners agree: those of a tile half under a finger do not.
    is_whole: bool,
}

/// Tiles of one plane.
#[derive(Debug)]
struct Plane {
    /// Mapping from the other photo to the base.
    map: Homography,
    pairs: Vec<Pair>,
    evidence: f32,
}

/// Relation between two photos.
#[derive(Debug)]
pub(super) struct Registration {
    planes: Vec<Plane>,
}

/// Registers a photo to the base; `None` when it does not show the same hand as it lies in the
/// base.
pub(super) fn register(
    base: Side<'_>,
    other: Side<'_>,
    params: &TogetherParams,
    effort: &Effort,
) -> Option<Registration> {
    let mut search = RegistrationSearch::new(base.tiles, other.tiles, params, effort);
    let mut planes: Vec<Plane> = Vec::new();
    while planes.len() < params.max_planes
        && let Some(plane) = search.plane(planes.first())
    {
        search.take(&plane.pairs);
        planes.push(plane);
    }
    let registration = Registration { planes };
    (!registration.planes.is_empty() && registration.is_same_hand(base, other, params))
        .then_some(registration)
}

impl Registration {
    /// Returns the tiles that both photos show.
    pub(super) fn pairs(&self) -> impl Iterator<Item = Pair> {
        self.planes.iter().flat_map(|plane| plane.pairs.iter().copied())
    }

    /// Maps the outline of a tile of the other photo to the base, by the plane of the nearest
    /// neighbour that both show. `None` if it cannot be seen from there.
    pub(super) fn map(&self, quad: &Quad, tiles: &[SeenTile]) -> Option<Quad> {
        let away = self.planes.iter().map(|plane| (plane, plane.distance(quad, tiles)));
        let (plane, _) = away.min_by(|a, b| a.1.total_cmp(&b.1))?;
        plane.map.quad(quad).filter(Quad::is_convex)
    }

    /// Returns whether each photo shows the hand of the other.
    fn is_same_hand(&self, base: Side<'_>, other: Side<'_>, params: &TogetherParams) -> bool {
        let Some(table) = self.planes.first() else { return false };
        let Some(back) = table.map_back(base.tiles, other.tiles, params) else { return false };
        let of_hand = self.pairs().filter(|pair| base.hand.contains(&pair.base));
        agree(self.pairs(), base, other, params)
            && agree(of_hand, base, other, params)
            && is_found(
                base,
                |tile| self.pairs().any(|pair| pair.base == tile),
                |at| is_within(back.map_point(at), other.size),
                params,
            )
            && is_found(
                other,
                |tile| self.pairs().any(|pair| pair.other == tile),
                |at| is_within(table.map.map_point(at), base.size),
                params,
            )
    }
}

impl Plane {
    /// Returns the distance of an outline in the other photo from the nearest tile of the plane.
    fn distance(&self, quad: &Quad, tiles: &[SeenTile]) -> f32 {
        let centres = self.pairs.iter().map(|pair| tiles[pair.other].quad.centre());
        centres.map(|centre| (centre - quad.centre()).length()).fold(f32::INFINITY, f32::min)
    }

    /// Returns the mapping from the base to the other photo.
    fn map_back(
        &self,
        base: &[SeenTile],
        other: &[SeenTile],
        params: &TogetherParams,
    ) -> Option<Homography> {
        let pairs = self.pairs.iter();
        let corners = pairs
            .flat_map(|pair| corners(&base[pair.base].quad, &other[pair.other].quad, pair.turn));
        let back: Vec<(Point, Point)> = corners.map(|(other, base)| (base, other)).collect();
        let tiles = self.pairs.iter().map(|pair| (&other[pair.other], &base[pair.base]));
        Homography::fit(&back, noise(tiles, params))
    }
}

/// Returns whether enough of the pairs of clear tiles have the same face.
fn agree(
    pairs: impl Iterator<Item = Pair>,
    base: Side<'_>,
    other: Side<'_>,
    params: &TogetherParams,
) -> bool {
    let mut clear = 0;
    let mut same = 0;
    for pair in pairs {
        let a = &base.tiles[pair.base];
        let b = &other.tiles[pair.other];
        if is_clear(a, params) && is_clear(b, params) && !is_covered(a, b) {
            clear += 1;
            same += usize::from(a.faces.best() == b.faces.best());
        }
    }
    same as f32 >= params.min_agreement * clear as f32
}

/// Returns whether enough of the clear tiles of a hand were found, among those that the other photo
/// can show.
fn is_found(
    side: Side<'_>,
    is_found: impl Fn(usize) -> bool,
    is_within: impl Fn(Point) -> bool,
    params: &TogetherParams,
) -> bool {
    let mut expected = 0;
    let mut found = 0;
    for &tile in side.hand {
        let seen = &side.tiles[tile];
        if is_found(tile) {
            expected += 1;
            found += 1;
        } else if is_clear(seen, params) && is_within(seen.quad.centre()) {
            expected += 1;
        }
    }
    found as f32 >= params.min_found * expected as f32
}

fn is_within(at: Option<Point>, size: (u32, u32)) -> bool {
    let across = 0.0..size.0 as f32;
    let down = 0.0..size.1 as f32;
    at.is_some_and(|at| across.contains(&at.x) && down.contains(&at.y))
}

/// Returns whether a tile has a face that is clearly named and not a back.
fn is_clear(tile: &SeenTile, params: &TogetherParams) -> bool {
    let (face, p) = tile.faces.top();
    p >= params.clear
        && tile.score >= VisibilityParams::DEFAULT.dim
        && face.is_some_and(|face| face != Face::Back)
}

/// Returns whether one of two views shows print and the other does not: glare and objects on a tile
/// look like a white dragon or a back.
fn is_covered(a: &SeenTile, b: &SeenTile) -> bool {
    is_blank(a.faces.best()) != is_blank(b.faces.best())
}

/// Returns the evidence of two views at a place for the same tile, in nats: relative to any of 34
/// faces if both show print, and little if both show a back.
fn evidence(a: &SeenTile, b: &SeenTile, params: &TogetherParams) -> f32 {
    if a.faces.best().is_none() || b.faces.best().is_none() || is_covered(a, b) {
        return 0.0;
    }
    let both = a.faces.candidates(1e-4).into_iter().map(|(face, p)| {
        let usual = if face == Some(Face::Back) { 0.5 } else { 1.0 / 34.0 };
        p * b.faces.probability(face) / usual
    });
    ((1.0 - params.blunder) * both.sum::<f32>() + params.blunder).ln()
}

/// Returns the corners of a tile in both photos, the other's first.
fn corners(base: &Quad, other: &Quad, turn: usize) -> [(Point, Point); 4] {
    let other = other.rotated(turn);
    std::array::from_fn(|i| (other.0[i], base.0[i]))
}

/// Returns the noise of tiles of these sizes.
fn noise<'a>(
    pairs: impl Iterator<Item = (&'a SeenTile, &'a SeenTile)>,
    params: &TogetherParams,
) -> FitNoise {
    let (base, other): (Vec<f32>, Vec<f32>) =
        pairs.map(|(base, other)| (base.quad.scale(), other.quad.scale())).unzip();
    let place = median(base).unwrap_or(1.0) * params.corner_noise;
    // Of two photos, each of which recedes as usual.
    let recession = 2.0 * PlaneParams::DEFAULT.usual_recession;
    FitNoise { place, recession: recession / median(other).unwrap_or(1.0).max(1.0) }
}

/// Returns the corner of `quad` that is nearest to corner 0 of `onto` for the best rotation, with
/// the largest distance of a corner then.
fn turn_onto(quad: &Quad, onto: &Quad) -> (usize, f32) {
    let turns = (0..4).map(|turn| {
        let distances = quad.rotated(turn).corner_distances(onto);
        (turn, distances.into_iter().fold(0.0, f32::max))
    });
    turns.min_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((0, f32::INFINITY))
}

/// Maximum distances, round by round, of the next neighbours from the tiles found so far: the
/// position that one tile predicts for distant tiles is not accurate.
const REACH: [f32; 7] = [2.0, 3.0, 5.0, 9.0, f32::INFINITY, f32::INFINITY, f32::INFINITY];

/// First round in which several tiles must agree for the search to continue.
const AGREED: usize = 1;

/// Tiles of two photos that are not paired yet.
struct RegistrationSearch<'a> {
    base: &'a [SeenTile],
    other: &'a [SeenTile],
    free_base: Vec<usize>,
    free_other: Vec<usize>,
    params: &'a TogetherParams,
    /// Budget of the search: a step compares a tile of one photo with one of the other.
    effort: &'a Effort,
}

impl<'a> RegistrationSearch<'a> {
    fn new(
        base: &'a [SeenTile],
        other: &'a [SeenTile],
        params: &'a TogetherParams,
        effort: &'a Effort,
    ) -> RegistrationSearch<'a> {
        RegistrationSearch {
            base,
            other,
            free_base: (0..base.len()).collect(),
            free_other: (0..other.len()).collect(),
            params,
            effort,
        }
    }

    /// Excludes the tiles of these pairs from further search.
    fn take(&mut self, pairs: &[Pair]) {
        self.free_base.retain(|&tile| pairs.iter().all(|pair| pair.base != tile));
        self.free_other.retain(|&tile| pairs.iter().all(|pair| pair.other != tile));
    }

    /// Returns the plane that most faces agree on. If `table` is given, the plane must be where
    /// tiles beside that first plane can really be.
    fn plane(&self, table: Option<&Plane>) -> Option<Plane> {
        let clear_base = self.clear(&self.free_base, self.base).len();
        let clear_other = self.clear(&self.free_other, self.other).len();
        let max_pairs = clear_base.min(clear_other);
        let all = max_pairs as f32 * self.params.min_agreement * ALIKE;
        let min_evidence = match table {
            None => self.params.min_evidence,
            Some(_) => self.params.min_evidence_beside,
        };
        let mut best: Option<Plane> = None;
        for start in self.starts() {
            if self.effort.is_spent() {
                break;
            }
            let Some(plane) = self.grown(start) else { continue };
            let is_better = best.as_ref().is_none_or(|best| plane.evidence > best.evidence);
            if is_better && table.is_none_or(|table| self.is_beside(&plane, table)) {
                let is_all = plane.evidence >= all.max(min_evidence);
                best = Some(plane);
                if is_all {
                    break;
                }
            }
        }
        best.filter(|best| best.evidence >= min_evidence)
    }

    /// Returns pairs of clear tiles with the same face, both ways up, the rarest faces first.
    fn starts(&self) -> Vec<Pair> {
        let base = self.clear(&self.free_base, self.base);
        let other = self.clear(&self.free_other, self.other);
        let mut starts: Vec<(usize, Pair)> = Vec::new();
        for &one in &base {
            let face = self.base[one].faces.best();
            let alike = base.iter().filter(|&&tile| self.base[tile].faces.best() == face);
            let mut same = other.clone();
            same.retain(|&tile| self.other[tile].faces.best() == face);
            let pairs = alike.count() * same.len();
            for two in same {
                let turn = (top(&self.other[two]) + 4 - top(&self.base[one])) % 4;
                for turn in [turn, (turn + 2) % 4] {
                    starts.push((pairs, Pair { base: one, other: two, turn, is_whole: true }));
                }
            }
        }
        starts.sort_by_key(|(pairs, _)| *pairs);
        starts.truncate(self.params.max_starts * 2);
        starts.into_iter().map(|(_, start)| start).collect()
    }

    /// Returns the clear ones among the free tiles of a photo.
    fn clear(&self, free: &[usize], tiles: &[SeenTile]) -> Vec<usize> {
        free.iter().copied().filter(|&tile| is_clear(&tiles[tile], self.params)).collect()
    }

    /// Returns the plane of a pair and of the tiles around it.
    fn grown(&self, start: Pair) -> Option<Plane> {
        let mut pairs = vec![start];
        let mut map = self.fit(&pairs)?;
        for (round, reach) in REACH.into_iter().enumerate() {
            self.effort.steps(self.free_other.len() * (self.free_base.len() + pairs.len()));
            let found = self.pairs(&map, &pairs, reach);
            let known = std::mem::replace(&mut pairs, found);
            // A single tile is no more than the start, and two neighbours agree by chance.
            if round >= AGREED && (pairs.len() < 3 || self.evidence(&pairs) <= ALIKE) {
                return None;
            }
            if pairs == known && reach.is_infinite() {
                break;
            }
            map = self.fit(&pairs)?;
        }
        let evidence = self.evidence(&pairs);
        Some(Plane { map, pairs, evidence })
    }

    /// Returns the evidence that the tiles of each pair are the same.
    fn evidence(&self, pairs: &[Pair]) -> f32 {
        let tiles = pairs.iter().map(|pair| self.tiles(pair));
        tiles.map(|(base, other)| evidence(base, other, self.params)).sum()
    }

    /// Fits the mapping to the corners of these tiles. Outlines that do not cover whole tiles would
    /// distort it, so they only count if there are hardly any others.
    fn fit(&self, pairs: &[Pair]) -> Option<Homography> {
        let whole = pairs.iter().filter(|pair| pair.is_whole).count();
        let counted = pairs.iter().filter(|pair| pair.is_whole || 2 * whole < pairs.len());
        let corners: Vec<(Point, Point)> = counted
            .flat_map(|pair| {
                let (base, other) = self.tiles(pair);
                corners(&base.quad, &other.quad, pair.turn)
            })
            .collect();
        Homography::fit(&corners, noise(pairs.iter().map(|pair| self.tiles(pair)), self.params))
    }

    /// Returns the tiles of a pair: the base's and the other photo's.
    fn tiles(&self, pair: &Pair) -> (&SeenTile, &SeenTile) {
        (&self.base[pair.base], &self.other[pair.other])
    }

    /// Returns the tiles that lie where the mapping predicts them, the nearest first, up to a
    /// distance of `reach` from a known tile.
    fn pairs(&self, map: &Homography, known: &[Pair], reach: f32) -> Vec<Pair> {
        let mut near: Vec<(f32, Pair)> = Vec::new();
        for &other in &self.free_other {
            let tile = &self.other[other].quad;
            let centres = known.iter().map(|pair| self.other[pair.other].quad.centre());
            let away = centres.map(|centre| (centre - tile.centre()).length());
            if away.fold(f32::INFINITY, f32::min) > reach * tile.scale() {
                continue;
            }
            let Some(mapped) = map.quad(tile) else { continue };
            for &base in &self.free_base {
                let onto = &self.base[base].quad;
                let off = (mapped.centre() - onto.centre()).length() / onto.scale();
                if off < self.params.same_place {
                    let (turn, corner) = turn_onto(&mapped, onto);
                    let is_whole = corner < self.params.same_corners * onto.scale();
                    near.push((off, Pair { base, other, turn, is_whole }));
                }
            }
        }
        near.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut pairs: Vec<Pair> = Vec::new();
        for (_, pair) in near {
            if pairs.iter().all(|one| one.base != pair.base && one.other != pair.other) {
                pairs.push(pair);
            }
        }
        pairs
    }

    /// Returns whether all tiles are as near to the position that the table's plane predicts as
    /// tiles on it can be.
    fn is_beside(&self, plane: &Plane, table: &Plane) -> bool {
        plane.pairs.iter().all(|pair| {
            let onto = &self.base[pair.base].quad;
            let flat = table.map.map_point(self.other[pair.other].quad.centre());
            flat.is_some_and(|at| {
                (at - onto.centre()).length() <= self.params.parallax * onto.scale()
            })
        })
    }
}

/// Minimum evidence of a clear pair with the same face, in nats.
const ALIKE: f32 = 3.0;

/// Returns the most probable quarter turn of a face.
fn top(tile: &SeenTile) -> usize {
    let turns = tile.turns.iter().enumerate();
    turns.max_by(|a, b| a.1.total_cmp(b.1)).map_or(0, |(turn, _)| turn)
}

#[cfg(test)]
mod tests;
