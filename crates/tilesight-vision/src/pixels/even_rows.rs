//! Outlines tiles anew where the outlines of a row do not have its pitch.
//!
//! Standing tiles that touch each other, seen at a slant, show hardly any edge between them: the
//! detector may outline each column of a 9 of bamboos by itself, or parts of two tiles as one. The
//! tiles of a row are equally wide, so its clear tiles tell where the others must lie. Input: the
//! seen tiles. Output: the seen tiles; doubtful outlines between two clear tiles of a row, or
//! beside its last one, are replaced by the one that fits the row, if that gives the tile a name
//! with confidence. Invariant: tiles with clear outlines stay unchanged.

use tilesight_stills::Photo;

use super::classify::classify;
use super::detect::Detection;
use super::faces::Sort;
use super::seen_tile::SeenTile;
use crate::geometry::projection::Projection;
use crate::geometry::{Point, Quad, edge_angle_between};
use crate::networks::{Model, ModelError};
use crate::params::{EvenRowParams, VisibilityParams};

const PARAMS: EvenRowParams = EvenRowParams::DEFAULT;

/// Outlines doubtful tiles by their row. In each round the classifier looks at all outlines that
/// would replace others; a tile that is named becomes one that tells where the next must lie.
///
/// # Errors
/// [`ModelError`] if the network cannot run.
pub(crate) fn outline_by_rows(
    photo: &Photo,
    mut tiles: Vec<SeenTile>,
    model: &dyn Model,
) -> Result<Vec<SeenTile>, ModelError> {
    let mut tried: Vec<Quad> = Vec::new();
    let mut is_outlined = vec![false; tiles.len()];
    for _ in 0..PARAMS.max_rounds {
        let Places { fitting, mut new } = places(&tiles, &is_outlined);
        new.retain(|place| !tried.iter().any(|quad| quad.overlap(&place.quad) > PARAMS.same_place));
        if fitting.is_empty() && new.is_empty() {
            break;
        }
        tried.extend(new.iter().map(|place| place.quad));
        let mut named = if new.is_empty() { Vec::new() } else { classify(photo, &new, model)? };
        named.retain(|look| sureness(look) >= PARAMS.named);
        fitting.into_iter().for_each(|i| is_outlined[i] = true);
        (tiles, is_outlined) = tiles
            .into_iter()
            .zip(is_outlined)
            .filter(|(tile, is_outlined)| *is_outlined || !is_replaced(tile, &named))
            .chain(named.iter().map(|look| (look.clone(), true)))
            .unzip();
    }
    Ok(tiles)
}

/// Returns whether one of the named tiles takes the place of a tile.
fn is_replaced(tile: &SeenTile, named: &[SeenTile]) -> bool {
    named.iter().any(|look| covers(&look.quad, &tile.quad))
}

/// Returns the probability of a tile's name, 0 for what is not a face.
fn sureness(tile: &SeenTile) -> f32 {
    match tile.faces.sort().0 {
        Sort::Playing | Sort::Bonus => tile.faces.top().1,
        Sort::Back | Sort::Nothing => 0.0,
    }
}

/// Returns whether an outline takes the place of another one.
fn covers(place: &Quad, other: &Quad) -> bool {
    place.overlap(other) > PARAMS.covers
}

/// Returns the shared area of two quads as a share of the area of both together.
fn agreement(a: &Quad, b: &Quad) -> f32 {
    let shared = a.intersection(b);
    shared / (a.area() + b.area() - shared)
}

/// Places that rows give to doubtful tiles.
#[derive(Default)]
struct Places {
    /// Indices of tiles that lie in such a place and have a name.
    fitting: Vec<usize>,
    /// Outlines that would replace others; no two have the same place.
    new: Vec<Detection>,
}

impl Places {
    /// Adds a place in which all outlines are doubtful.
    fn add(&mut self, place: Quad, tiles: &[SeenTile], standings: &[Standing]) {
        let covered: Vec<usize> =
            (0..tiles.len()).filter(|&i| covers(&place, &tiles[i].quad)).collect();
        if covered.is_empty() || covered.iter().any(|&i| standings[i] != Standing::Doubtful) {
            return;
        }
        let named: Vec<usize> = covered
            .iter()
            .copied()
            .filter(|&i| sureness(&tiles[i]) >= PARAMS.named_before)
            .collect();
        let fitting = named.iter().find(|&&i| agreement(&tiles[i].quad, &place) > PARAMS.fits);
        let is_in_front = named.iter().any(|&i| is_in_front(&tiles[i].quad, &place));
        if let Some(&fitting) = fitting {
            if !self.fitting.contains(&fitting) {
                self.fitting.push(fitting);
            }
        } else if !is_in_front && self.new.iter().all(|other| !covers(&place, &other.quad)) {
            let scores = covered.iter().map(|&i| tiles[i].score);
            let score = scores.fold(PARAMS.min_score, f32::max);
            self.new.push(Detection { quad: place, score, face_up: 1.0 });
        }
    }
}

/// Returns whether a tile lies in front of a place of the row: it is as large as the place, but
/// elsewhere.
fn is_in_front(tile: &Quad, place: &Quad) -> bool {
    tile.area() > PARAMS.whole * place.area() && agreement(tile, place) <= PARAMS.in_front
}

/// Returns the places that rows give to doubtful tiles; `is_outlined` tells which tiles have such
/// places already.
fn places(tiles: &[SeenTile], is_outlined: &[bool]) -> Places {
    let standings: Vec<Standing> = (0..tiles.len())
        .map(|i| if is_outlined[i] { Standing::Clear } else { Standing::new(tiles, i) })
        .collect();
    let clear: Vec<RowTile> = (0..tiles.len())
        .filter(|&i| standings[i] == Standing::Clear)
        .map(|i| RowTile::from_quad(tiles[i].printed_quad()))
        .collect();
    let mut places = Places::default();
    for tile in &clear {
        for tile in [*tile, tile.reversed()] {
            let outlines = match tile.next(&clear) {
                Some(next) => tile.outline_between(&next),
                None => tile.outline_beyond(&clear).into_iter().collect(),
            };
            for place in outlines {
                places.add(place, tiles, &standings);
            }
        }
    }
    places
}

/// Standing of an outline in its row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// Named with confidence and not overlapped, so that others can be compared with it.
    Clear,
    /// Without a name, dim, or overlapped.
    Doubtful,
    /// Neither: a back, or a tile that is named with confidence but that the photo's edge cuts.
    Other,
}

impl Standing {
    fn new(tiles: &[SeenTile], i: usize) -> Standing {
        let tile = &tiles[i];
        let is_dim = tile.score < VisibilityParams::DEFAULT.dim;
        if tile.faces.sort().0 == Sort::Back && tile.faces.top().1 >= PARAMS.named {
            Standing::Other
        } else if sureness(tile) < PARAMS.named || is_dim || is_overlapped(tiles, i) {
            Standing::Doubtful
        } else if tile.inside < 1.0 {
            Standing::Other
        } else {
            Standing::Clear
        }
    }
}

/// Returns whether the outline of another tile covers a part of a tile's.
fn is_overlapped(tiles: &[SeenTile], i: usize) -> bool {
    tiles.iter().enumerate().any(|(j, other)| {
        j != i
            && other.score >= PARAMS.min_overlapping
            && other.quad.overlap(&tiles[i].quad) > PARAMS.max_overlap
    })
}

/// A clear tile as it lies in its row, which runs along [`Quad::across`].
#[derive(Clone, Copy, PartialEq)]
struct RowTile {
    quad: Quad,
    /// Direction of the row, of length one.
    across: Point,
    width: f32,
    /// Distance between the row's edges.
    height: f32,
}

impl RowTile {
    fn from_quad(quad: Quad) -> RowTile {
        let across = quad.across().unit();
        RowTile { quad, across, width: quad.across().length(), height: across.cross(quad.down()) }
    }

    /// Returns the same tile with the row read the other way.
    fn reversed(&self) -> RowTile {
        RowTile::from_quad(self.quad.rotated(2))
    }

    /// Returns another tile with its corners in the order of this one, if it stands in the same
    /// row, and its distance along the row in widths.
    fn follow(&self, other: &RowTile) -> Option<(RowTile, f32)> {
        let from = other.quad.centre() - self.quad.centre();
        let along = from.dot(self.across) / self.width;
        let aside = self.across.cross(from).abs() / self.height;
        if along < PARAMS.min_step || aside > PARAMS.aside + PARAMS.bend * along {
            return None;
        }
        let turned = (0..4).map(|by| other.quad.rotated(by));
        let quad = turned.max_by(|a, b| self.aligns(a).total_cmp(&self.aligns(b)))?;
        let aligned = RowTile::from_quad(quad);
        let is_alike = edge_angle_between(&self.quad, &quad) < PARAMS.aligned
            && PARAMS.same_size.contains(&(aligned.height / self.height))
            && PARAMS.same_size.contains(&(aligned.width / self.width));
        is_alike.then_some((aligned, along))
    }

    /// Returns how well a quad's corners are in the order of this one's: the cosine of the angle
    /// between both.
    fn aligns(&self, quad: &Quad) -> f32 {
        quad.across().unit().dot(self.across)
    }

    /// Returns the next clear tile of the row.
    fn next(&self, clear: &[RowTile]) -> Option<RowTile> {
        let followers = clear.iter().filter_map(|other| self.follow(other));
        let next = followers.min_by(|a, b| a.1.total_cmp(&b.1))?;
        (next.1 < PARAMS.max_between + PARAMS.min_step + 1.0).then_some(next.0)
    }

    /// Returns the distance from this tile's edge to the next one's, in their mean widths.
    fn gap(&self, next: &RowTile) -> f32 {
        let [_, top, bottom, _] = self.quad.0;
        let [next_top, _, _, next_bottom] = next.quad.0;
        let span = (next_top + next_bottom - top - bottom) * 0.5;
        span.dot(self.across) / (0.5 * (self.width + next.width))
    }

    /// Returns the outlines of the tiles between this one and the next clear one, if these fill the
    /// gap.
    fn outline_between(&self, next: &RowTile) -> Vec<Quad> {
        let gap = self.gap(next);
        let count = gap.round();
        let is_filled = (gap - count).abs() <= PARAMS.uneven;
        if !is_filled || !(1.0..=PARAMS.max_between).contains(&count) {
            return Vec::new();
        }
        let [_, top, bottom, _] = self.quad.0;
        let [next_top, _, _, next_bottom] = next.quad.0;
        let mut outlines = Vec::new();
        for k in 0..count as u8 {
            let from = self.edge_share(next, f32::from(k), count);
            let to = self.edge_share(next, f32::from(k) + 1.0, count);
            outlines.push(Quad([
                top + (next_top - top) * from,
                top + (next_top - top) * to,
                bottom + (next_bottom - bottom) * to,
                bottom + (next_bottom - bottom) * from,
            ]));
        }
        outlines.retain(Quad::is_convex);
        outlines
    }

    /// Returns where edge `k` lies between this tile and the next clear one, with `count` tiles
    /// between both, as a share of the gap. Widths change evenly from one tile to the other, so the
    /// positions of their edges are quadratic.
    fn edge_share(&self, next: &RowTile, k: f32, count: f32) -> f32 {
        let growth = (next.width - self.width) / (count + 1.0);
        let at = k * (self.width + growth * (k + 1.0) / 2.0);
        let end = count * (self.width + growth * (count + 1.0) / 2.0);
        at / end
    }

    /// Returns the outline of the tile beside this one, the last clear one of its row, if others
    /// touch this one on its other side.
    fn outline_beyond(&self, clear: &[RowTile]) -> Option<Quad> {
        let mut last = self.reversed();
        let mut count = 1_u8;
        while count < PARAMS.compared {
            let next = last.next(clear).filter(|next| last.gap(next).abs() <= PARAMS.touching);
            let Some(next) = next else { break };
            last = next;
            count += 1;
        }
        if count < 2 {
            return None;
        }
        let [start, _, _, end] = last.reversed().quad.0;
        let whole = Quad([start, self.quad.0[1], self.quad.0[2], end]);
        if !whole.is_convex() {
            return None;
        }
        let frame = Projection::from_quad(&whole);
        let width = 1.0 / f64::from(count);
        let corners = [(1.0, 0.0), (1.0 + width, 0.0), (1.0 + width, 1.0), (1.0, 1.0)];
        let outline = Quad(corners.map(|(u, v)| frame.point_at(u, v)));
        outline.is_convex().then_some(outline)
    }
}

#[cfg(test)]
mod tests {
    use tilesight_core::tile::Face;

    use super::*;
    use crate::Faces;
    use crate::networks::fake::{PaintedTile, WatchedModel, paint};

    const WIDTH: f32 = 30.0;
    const HEIGHT: f32 = 40.0;
    const ROW: [&str; 8] = ["1m", "2m", "3m", "9s", "9s", "E", "7p", "8p"];
    /// Tile beside the row.
    const BESIDE: &str = "back";

    fn face(code: &str) -> Face {
        code.parse().expect("a code")
    }

    /// Returns the part of a row from one place to another, in tiles, turned by `angle` radians.
    fn part(from: f32, to: f32, angle: f32) -> Quad {
        let (sin, cos) = angle.sin_cos();
        let straight =
            Quad::rectangle(WIDTH * (from - 4.0), -HEIGHT / 2.0, WIDTH * (to - from), HEIGHT);
        straight.map(|p| Point::new(200.0 + cos * p.x - sin * p.y, 200.0 + sin * p.x + cos * p.y))
    }

    fn seen(quad: Quad, code: &str, p: f32) -> SeenTile {
        let other = if code == "9m" { "8m" } else { "9m" };
        let faces = Faces::from_weights([(Some(face(code)), p), (Some(face(other)), 1.0 - p)]);
        SeenTile {
            quad,
            score: 0.8,
            inside: 1.0,
            faces,
            turns: [1.0, 0.0, 0.0, 0.0],
            red: 0.0,
            likeness: None,
        }
    }

    /// Reads the row, in whose picture the tiles in `hidden` (from, to) are outlined as `pieces`.
    /// Returns the names from left to right, and the number of crops that the classifier got.
    fn read(
        angle: f32,
        hidden: std::ops::Range<usize>,
        pieces: &[(f32, f32, &str, f32)],
    ) -> (Vec<String>, usize) {
        let place = |n: usize| part(n as f32, n as f32 + 1.0, angle);
        let shown = ROW.iter().chain([&BESIDE]).enumerate();
        let painted: Vec<PaintedTile> =
            shown.map(|(n, code)| PaintedTile { quad: place(n), face: face(code) }).collect();
        let photo = Photo::from_rgb(paint(400, 400, &painted)).expect("large enough");
        let clear = (0..ROW.len()).filter(|n| !hidden.contains(n));
        let mut tiles: Vec<SeenTile> = clear.map(|n| seen(place(n), ROW[n], 0.99)).collect();
        tiles
            .extend(pieces.iter().map(|&(from, to, code, p)| seen(part(from, to, angle), code, p)));
        let model = WatchedModel::default();
        let mut tiles = outline_by_rows(&photo, tiles, &model).expect("it runs");
        let along = Point::new(angle.cos(), angle.sin());
        tiles.sort_by(|a, b| a.quad.centre().dot(along).total_cmp(&b.quad.centre().dot(along)));
        let names = tiles.iter().map(|tile| super::super::faces::name(tile.faces.best()));
        (names.collect(), model.crops())
    }

    #[test]
    fn doubtful_outlines_give_way_to_those_of_the_row() {
        let thirds = [(3.0, 3.4, "1s", 0.6), (3.3, 3.7, "4s", 0.95), (3.6, 4.0, "1s", 0.6)];
        let shifted = [(3.3, 4.2, "6s", 0.5), (4.1, 5.0, "7s", 0.6)];
        let both = [(3.0, 5.0, "2p", 0.6)];
        let at_the_end = [(6.0, 6.6, "4p", 0.6), (6.5, 7.5, "6p", 0.7), (7.4, 8.0, "4p", 0.6)];
        for angle in [0.0, 0.4, 1.7, 3.2, 4.5] {
            for (case, hidden, pieces) in [
                ("a tile in three pieces", 3..4, &thirds[..]),
                ("two outlines, both shifted", 3..5, &shifted[..]),
                ("one outline around two tiles", 3..5, &both[..]),
                ("the last two tiles of the row", 6..8, &at_the_end[..]),
            ] {
                let (names, crops) = read(angle, hidden.clone(), pieces);
                assert_eq!(names, ROW, "{case}, {angle}");
                assert_eq!(crops, hidden.len(), "{case}, {angle}");
            }
        }
    }

    #[test]
    fn clear_tiles_stay_and_nothing_is_looked_at() {
        let (names, crops) = read(0.0, 0..0, &[]);
        assert_eq!((names.as_slice(), crops), (ROW.map(str::to_owned).as_slice(), 0));
        let (names, crops) = read(0.0, 3..4, &[]);
        assert_eq!((names.len(), crops), (7, 0), "nothing was seen in a gap");
        // A claimed tile lies sideways in its meld, with other sides than the row.
        let (names, crops) = read(0.0, 7..8, &[(7.0, 8.35, "8p", 0.99)]);
        assert_eq!((names.as_slice(), crops), (ROW.map(str::to_owned).as_slice(), 0));
    }

    #[test]
    fn a_tile_in_front_of_the_row_stays() {
        let fitting = (3.0, 4.0, "9s", 0.97);
        let in_front = (3.55, 4.45, "f1", 0.9);
        let (names, crops) = read(0.0, 3..5, &[fitting, in_front, (4.0, 5.0, "9s", 0.97)]);
        assert_eq!(names, ["1m", "2m", "3m", "9s", "f1", "9s", "E", "7p", "8p"]);
        assert_eq!(crops, 0);
    }

    #[test]
    fn an_outline_that_gives_no_name_changes_nothing() {
        let (names, crops) = read(0.0, 8..8, &[(8.0, 9.0, "P", 0.6)]);
        assert_eq!((names.len(), names[8].as_str(), crops), (9, "P", 1));
    }
}
