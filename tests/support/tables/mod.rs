//! Random tables of winning hands in every form, as a detector and classifier would see them.
//!
//! Input: a seed and a [`Noise`]. Output: a [`Table`]: the seen tiles and the hand that was laid.
//! The tiles lie in a plane that a camera views in perspective; rows bend, sets are stacked or
//! scattered, kongs lie in every way, discards and walls lie around. Lengths are in tile widths,
//! except in the picture. Invariant: a table depends only on its seed and noise, and its hand wins.
#![allow(dead_code, unused_imports)] // Each user takes its own part of this.

mod crowd;
mod life;

use fastrand::Rng;
use tilesight_core::hand::{Flowers, HandSetup, HandSize};
use tilesight_core::meld::{Chow, KongKind, Meld, Relation};
use tilesight_core::tile::{Bonus, Dragon, Face, Tile};
use tilesight_vision::geometry::{Point, Quad};
use tilesight_vision::{Faces, SeenTile};

pub(crate) use crowd::{Kinds, Places, crowd};
pub(crate) use life::{life, life_of};

/// Length of a tile, and width of the seam that fingers leave between two tiles.
const LENGTH: f32 = 1.34;
const SEAM: f32 = 0.035;

/// Errors in the positions and in what is seen of the tiles.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Noise {
    /// Maximum displacement of a tile in each direction, in widths.
    pub(crate) place: f32,
    /// Maximum rotation of a tile, in degrees.
    pub(crate) degrees: f32,
    /// Standard deviation of each corner's position, in widths.
    pub(crate) corner: f32,
    /// Share of tiles that are named wrongly.
    pub(crate) wrong: f32,
    /// Share of tiles that are not seen at all.
    pub(crate) missing: f32,
}

impl Noise {
    /// No errors.
    pub(crate) const NONE: Noise =
        Noise { place: 0.0, degrees: 0.0, corner: 0.0, wrong: 0.0, missing: 0.0 };

    /// Noise of our detector and refiner on the sample scenes (`make evaluate`, 2026-11-21): the
    /// median error of corners is 0.028 of a width, one name in 70 is wrong, one tile in 500 is not
    /// found. The tables of the scenes themselves lie within 0.03 widths and two degrees of their
    /// places.
    pub(crate) const MEASURED: Noise =
        Noise { place: 0.05, degrees: 2.0, corner: 0.025, wrong: 0.02, missing: 0.01 };
}

/// A table as it is seen, and as it is.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub(crate) tiles: Vec<SeenTile>,
    /// The hand with everything that the table shows and nothing else: no winning tile if it is not
    /// marked, no sources if no tile is turned.
    pub(crate) shown: HandSetup,
    /// The hand with its winning tile.
    pub(crate) hand: HandSetup,
    /// Forms of the table, for the record of failures.
    pub(crate) forms: Vec<&'static str>,
    /// Number of tiles of the hand that the detector missed, and number of those that are named
    /// wrongly.
    pub(crate) missed: usize,
    pub(crate) misnamed: usize,
    /// Tiles that lie face up in a wall of which at least four backs are seen.
    pub(crate) indicators: Vec<Tile>,
}

/// A tile on the table.
#[derive(Debug, Clone, Copy)]
struct TableTile {
    face: Face,
    /// Center of the tile, and its elevation on top of another tile.
    x: f32,
    y: f32,
    level: f32,
    /// Angle counter-clockwise, in degrees.
    angle: f32,
    standing: bool,
    /// Whether it is a back of nearly the color of a face.
    is_pale: bool,
    of_hand: bool,
    /// Player before whom the wall lies that the tile is part of.
    wall: Option<usize>,
}

impl TableTile {
    fn new(face: Face, x: f32, y: f32) -> TableTile {
        TableTile {
            face,
            x,
            y,
            level: 0.0,
            angle: 0.0,
            standing: false,
            is_pale: false,
            of_hand: true,
            wall: None,
        }
    }

    fn sideways(face: Face, x: f32, y: f32) -> TableTile {
        TableTile { angle: 90.0, ..TableTile::new(face, x, y - (LENGTH - 1.0) / 2.0) }
    }
}

/// Returns a random table.
pub(crate) fn table(seed: u64, noise: Noise) -> Table {
    table_from(seed, seed ^ 0x5eed, noise)
}

/// Returns a random table with a hand of a size.
pub(crate) fn table_of(size: HandSize, seed: u64, noise: Noise) -> Table {
    seen_from(size, seed, seed ^ 0x5eed, noise)
}

/// Like [`table`], as a camera sees the same table from the position that `view` determines.
pub(crate) fn table_from(seed: u64, view: u64, noise: Noise) -> Table {
    seen_from(HandSize::Thirteen, seed, view, noise)
}

fn seen_from(size: HandSize, seed: u64, view: u64, noise: Noise) -> Table {
    let mut dice = Dice(Rng::with_seed(seed));
    let (hand, winning) = dice.hand(size);
    let mut scene = Scene { dice, size, laid: Vec::new(), forms: Vec::new(), shown: hand.clone() };
    scene.lay(&hand, winning);
    let mut dice = Dice(Rng::with_seed(view));
    let camera = dice.camera(&scene.laid);
    let seen = dice.photograph(&camera, noise, &scene.laid, |seen, _| Some(seen));
    scene.seen_as(HandSetup { winning: Some(winning), ..hand }, seen)
}

/// Tiles that a camera sees of a table, the numbers of the hand's tiles that it misses and
/// misnames, and the indicators in view.
type Sighting = (Vec<SeenTile>, usize, usize, Vec<Tile>);

impl Scene {
    /// Returns the table of which this was seen.
    fn seen_as(self, hand: HandSetup, (tiles, missed, misnamed, indicators): Sighting) -> Table {
        Table { tiles, shown: self.shown, hand, forms: self.forms, missed, misnamed, indicators }
    }
}

/// Returns the tiles that lie face up in walls of which at least four backs are seen.
fn indicators(walls: &[(usize, Face)]) -> Vec<Tile> {
    let backs = |wall: usize| walls.iter().filter(|tile| **tile == (wall, Face::Back)).count();
    let shown = walls.iter().filter(|(wall, _)| backs(*wall) >= 4);
    shown.filter_map(|(_, face)| face.tile()).collect()
}

/// Removes tiles below other tiles, which are not seen.
fn covered(laid: &[TableTile]) -> Vec<TableTile> {
    let tops: Vec<TableTile> = laid.iter().copied().filter(|tile| tile.level > 0.0).collect();
    let is_below = |tile: &TableTile| {
        tile.level == 0.0 && tops.iter().any(|top| (top.x - tile.x).hypot(top.y - tile.y) < 0.4)
    };
    laid.iter().copied().filter(|tile| !is_below(tile)).collect()
}

/// Random choices for a table.
struct Dice(Rng);

impl Dice {
    fn chance(&mut self, p: f32) -> bool {
        self.0.f32() < p
    }

    fn between(&mut self, low: f32, high: f32) -> f32 {
        low + self.0.f32() * (high - low)
    }

    fn normal(&mut self) -> f32 {
        // The sum of twelve uniform numbers is close enough to normal (Irwin-Hall).
        (0..12).map(|_| self.0.f32()).sum::<f32>() - 6.0
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.0.usize(..of.len())]
    }

    /// Returns a winning hand of sets and a pair, or of seven pairs, and its winning tile.
    fn hand(&mut self, size: HandSize) -> (HandSetup, Tile) {
        loop {
            let has_pairs = size == HandSize::Thirteen && self.chance(0.05);
            let made = if has_pairs { self.seven_pairs() } else { self.sets(size) };
            if Tile::ALL
                .iter()
                .all(|&tile| made.0.all().count(tile) + u8::from(made.1 == tile) <= 4)
            {
                return made;
            }
        }
    }

    fn seven_pairs(&mut self) -> (HandSetup, Tile) {
        let mut kinds = Tile::ALL.to_vec();
        self.0.shuffle(&mut kinds);
        let mut concealed: Vec<Tile> = kinds[..7].iter().flat_map(|&kind| [kind; 2]).collect();
        let winning = concealed.swap_remove(self.0.usize(..14));
        concealed.sort();
        (HandSetup { concealed, flowers: self.flowers(), ..HandSetup::default() }, winning)
    }

    fn sets(&mut self, size: HandSize) -> (HandSetup, Tile) {
        let melds = match size {
            HandSize::Thirteen => self.one(&[0, 1, 1, 2, 2, 3, 4]),
            HandSize::Sixteen => self.one(&[0, 0, 1, 1, 2, 2, 3, 3, 4, 5]),
        };
        let mut setup = HandSetup { flowers: self.flowers(), ..HandSetup::default() };
        let any = |dice: &mut Dice| dice.one(&Tile::ALL);
        for set in 0..size.sets() {
            let chow = self.chance(0.5).then(|| Chow::new(any(self))).flatten();
            match (set < melds, chow) {
                (true, Some(chow)) => {
                    let claimed = self.one(&chow.tiles());
                    setup.melds.extend(chow.claiming(claimed).map(Meld::Chow));
                }
                (true, None) => {
                    let tile = any(self);
                    let meld = self.meld(tile);
                    setup.melds.push(meld);
                }
                (false, Some(chow)) => setup.concealed.extend(chow.tiles()),
                (false, None) => setup.concealed.extend([any(self); 3]),
            }
        }
        setup.concealed.extend([any(self); 2]);
        let at = self.0.usize(..setup.concealed.len());
        let winning = setup.concealed.swap_remove(at);
        setup.concealed.sort();
        if self.chance(0.15) {
            self.0.shuffle(&mut setup.concealed);
        }
        (setup, winning)
    }

    fn meld(&mut self, tile: Tile) -> Meld {
        let from = Some(self.one(&Relation::ALL));
        match self.0.usize(..10) {
            0..=5 => Meld::Pung { tile, from },
            6 => Meld::Kong { tile, kind: KongKind::Exposed { from } },
            7 => Meld::Kong { tile, kind: KongKind::Added { from } },
            _ => Meld::Kong { tile, kind: KongKind::Concealed },
        }
    }

    fn flowers(&mut self) -> Flowers {
        let mut all = Bonus::ALL;
        self.0.shuffle(&mut all);
        let count = self.one(&[0, 0, 0, 1, 2, 3, 8]);
        Flowers::from_named(all.into_iter().take(count)).expect("each once")
    }

    /// Returns a camera that has the hand in view, at any angle and from 40 to 90 degrees above the
    /// table.
    fn camera(&mut self, laid: &[TableTile]) -> Camera {
        let hand = laid.iter().filter(|tile| tile.of_hand);
        let (mut low, mut high) = ((f32::MAX, f32::MAX), (f32::MIN, f32::MIN));
        for tile in hand {
            low = (low.0.min(tile.x), low.1.min(tile.y));
            high = (high.0.max(tile.x), high.1.max(tile.y));
        }
        let span = (high.0 - low.0).max(high.1 - low.1).max(6.0);
        let standing = laid.iter().any(|tile| tile.standing);
        let rise = if standing { self.between(25.0, 50.0) } else { self.between(40.0, 90.0) };
        Camera {
            aim: ((low.0 + high.0) / 2.0, (low.1 + high.1) / 2.0),
            around: self.between(-20.0, 20.0),
            rise,
            roll: self.one(&[0.0, 0.0, 180.0, 90.0, 270.0, 33.0, 101.0]) + self.between(-8.0, 8.0),
            distance: span * self.between(1.1, 1.8),
            // Across 2,000 pixels the hand takes most of the picture.
            focus: 2000.0,
        }
    }

    /// Returns what the networks see of a table; `in_view` removes what the picture does not show.
    fn photograph(
        &mut self,
        camera: &Camera,
        noise: Noise,
        laid: &[TableTile],
        in_view: impl Fn(SeenTile, bool) -> Option<SeenTile>,
    ) -> Sighting {
        let (mut tiles, mut missed, mut misnamed) = (Vec::new(), 0, 0);
        let mut walls: Vec<(usize, Face)> = Vec::new();
        for tile in covered(laid) {
            let is_missing = self.chance(noise.missing);
            let (seen, is_misnamed) = self.see(camera, tile, noise);
            let Some(seen) = in_view(seen, tile.of_hand) else { continue };
            if tile.of_hand {
                missed += usize::from(is_missing);
                misnamed += usize::from(is_misnamed && !is_missing);
            }
            if !is_missing {
                let is_whole = seen.inside >= 1.0;
                walls.extend(tile.wall.filter(|_| is_whole).map(|wall| (wall, tile.face)));
                tiles.push(seen);
            }
        }
        self.0.shuffle(&mut tiles);
        (tiles, missed, misnamed, indicators(&walls))
    }

    /// Returns what the networks see of a tile, and whether they name it wrongly.
    fn see(&mut self, camera: &Camera, tile: TableTile, noise: Noise) -> (SeenTile, bool) {
        let tile = TableTile {
            x: tile.x + self.between(-noise.place, noise.place),
            y: tile.y + self.between(-noise.place, noise.place),
            angle: tile.angle + self.between(-noise.degrees, noise.degrees),
            ..tile
        };
        let outline = camera.outline(&tile);
        let width = outline.across().length().min(outline.down().length());
        let corner = noise.corner * width;
        let shaken =
            Quad(outline.0.map(|p| p + Point::new(self.normal() * corner, self.normal() * corner)));
        let quad = shaken.upright();
        let turn = (0..4).find(|&k| quad.rotated(k) == shaken).expect("the same corners");
        // Training accepts either half turn of faces that look the same upside down: the networks
        // return one or the other.
        let is_reversible = tile.face.tile().is_some_and(Tile::is_reversible);
        let turn = if is_reversible && self.chance(0.5) { (turn + 2) % 4 } else { turn };
        let mut turns = [0.0; 4];
        turns[turn] = 1.0;
        if tile.face == Face::Back {
            turns = [0.25; 4];
        }
        let (faces, is_misnamed) = if tile.is_pale {
            (self.pale_back(), false)
        } else {
            self.faces(tile.face, noise.wrong)
        };
        let score = self.between(0.6, 0.95);
        (SeenTile { quad, score, inside: 1.0, faces, turns, red: 0.0, likeness: None }, is_misnamed)
    }

    /// Returns the probabilities of a classifier. For correct names they are certain or nearly so;
    /// of wrongly named faces six in seven have their true face among the candidates.
    fn faces(&mut self, face: Face, wrong: f32) -> (Faces, bool) {
        let Face::Tile(tile) = face else { return (Faces::certain(face), false) };
        let other = self.rival(tile);
        let surely = Faces::from_weights([(Some(face), 0.97), (Some(other), 0.03)]);
        if !self.chance(wrong) {
            let doubtful = self.chance(0.02);
            let p = if doubtful { self.between(0.5, 0.97) } else { self.between(0.97, 0.999) };
            let weights = [(Some(face), p), (Some(other), 1.0 - p)];
            return (if p > 0.97 { surely } else { Faces::from_weights(weights) }, false);
        }
        let p = self.between(0.5, 0.95);
        let known = if self.chance(6.0 / 7.0) { 0.9 } else { 0.0 };
        let spread =
            Tile::ALL.map(|tile| (Some(Face::Tile(tile)), (1.0 - known) * (1.0 - p) / 34.0));
        let weights = [(Some(other), p), (Some(face), known * (1.0 - p))];
        (Faces::from_weights(weights.into_iter().chain(spread)), true)
    }

    /// Returns the faces for a pale back, which looks like a white dragon if only its face is seen.
    fn pale_back(&mut self) -> Faces {
        let p = self.between(0.15, 0.85);
        let dragon = Tile::ALL
            .into_iter()
            .find(|tile| tile.dragon() == Some(Dragon::White))
            .expect("a white dragon");
        Faces::from_weights([(Some(Face::Back), p), (Some(Face::Tile(dragon)), 1.0 - p)])
    }

    /// Returns a face that this one may be mistaken for: a neighbor of its suit, or another honor.
    fn rival(&mut self, tile: Tile) -> Face {
        loop {
            let other = self.one(&Tile::ALL);
            if other != tile && other.suit() == tile.suit() {
                return Face::Tile(other);
            }
        }
    }
}

/// A hand as it is laid out.
struct Scene {
    dice: Dice,
    size: HandSize,
    laid: Vec<TableTile>,
    forms: Vec<&'static str>,
    shown: HandSetup,
}

impl Scene {
    fn form<T: Copy>(&mut self, of: &[(&'static str, T)]) -> T {
        let (name, form) = self.dice.one(of);
        self.forms.push(name);
        form
    }

    /// Lays the whole table.
    fn lay(&mut self, hand: &HandSetup, winning: Tile) {
        let standing = self.dice.chance(0.1);
        if standing {
            self.forms.push("standing");
        }
        let (right, top) = self.concealed(hand, winning, standing);
        let top = self.melds(hand, right, top);
        let top = self.flowers(hand, top);
        self.clutter(hand, winning, top);
    }

    /// Puts a part down, turned about its own origin by `angle`.
    fn put(&mut self, part: Vec<TableTile>, x: f32, y: f32, angle: f32) {
        let (sin, cos) = angle.to_radians().sin_cos();
        for tile in part {
            let flip = self.dice.chance(0.12) && matches!(tile.face, Face::Tile(_));
            self.laid.push(TableTile {
                x: x + tile.x * cos - tile.y * sin,
                y: y + tile.x * sin + tile.y * cos,
                angle: tile.angle + angle + if flip { 180.0 } else { 0.0 },
                ..tile
            });
        }
    }

    /// Lays the concealed tiles and the winning one; returns their right and top ends.
    fn concealed(&mut self, hand: &HandSetup, winning: Tile, standing: bool) -> (f32, f32) {
        let mut tiles = hand.concealed.clone();
        self.shown.winning = Some(winning);
        let mut marked = self.form(&[
            ("winning after a gap", 0),
            ("winning after a gap", 0),
            ("winning after a gap", 0),
            ("winning turned", 1),
            ("winning turned", 1),
            ("winning above", 2),
            ("winning unmarked", 3),
        ]);
        if marked == 2 && (standing || tiles.len() < 4) {
            marked = 0;
        }
        if marked == 3 {
            tiles.push(winning);
            tiles.sort();
            self.shown.concealed.clone_from(&tiles);
            self.shown.winning = None;
        }
        let rows = if standing {
            0
        } else {
            self.form(&[("one row", 0), ("one row", 0), ("bent row", 1), ("two rows", 2)])
        };
        let split = if rows == 2 && tiles.len() >= 8 && marked != 2 {
            tiles.len().div_ceil(2)
        } else {
            tiles.len()
        };
        let bend = if rows == 1 { self.dice.between(0.02, 0.06) * tiles.len() as f32 } else { 0.0 };
        let mut top = bend;
        if split < tiles.len() {
            top = LENGTH + self.dice.between(0.05, 0.3);
            let upper = row(&tiles[..split], 0.0);
            let x = self.dice.between(0.0, 0.5);
            self.put(upper, x, top, 0.0);
        }
        let lower = if split < tiles.len() { &tiles[split..] } else { &tiles[..] };
        let mut part = row(lower, bend);
        part.iter_mut().for_each(|tile| tile.standing = standing);
        let mut end = lower.len() as f32 * (1.0 + SEAM);
        let (last_y, last_angle) = part.last().map_or((0.0, 0.0), |tile| (tile.y, tile.angle));
        let won = Face::Tile(winning);
        if marked == 1 {
            end += self.dice.between(0.03, 0.12);
            let mut tile = TableTile::sideways(won, end + LENGTH / 2.0, last_y);
            tile.angle += last_angle;
            part.push(tile);
            end += LENGTH;
        }
        self.put(part, 0.0, 0.0, 0.0);
        if marked == 0 {
            end += self.dice.between(0.45, 0.9);
            self.put(vec![TableTile::new(won, 0.5, 0.0)], end, last_y, last_angle * 0.7);
            end += 1.0;
        }
        if marked == 2 {
            top = LENGTH + self.dice.between(0.02, 0.12);
            let x = self.dice.between(1.5, lower.len() as f32 - 1.5);
            let place = row(lower, bend).iter().map(|tile| tile.y).fold(0.0, f32::max);
            self.put(vec![TableTile::new(won, x, 0.0)], 0.0, top + place, 0.0);
            top += place;
        }
        (end.max(split as f32 * (1.0 + SEAM)), top)
    }

    /// Lays the melds; returns the highest y.
    fn melds(&mut self, hand: &HandSetup, right: f32, top: f32) -> f32 {
        if hand.melds.is_empty() {
            return top;
        }
        let is_turned = self.dice.chance(0.88);
        if !is_turned {
            self.forms.push("nothing turned");
            self.shown.melds.iter_mut().for_each(|meld| *meld = untold(*meld));
        }
        let style = self.form(&[
            ("melds right", 0),
            ("melds in front", 1),
            ("melds stacked", 2),
            ("melds scattered", 3),
        ]);
        let mut x = if style == 0 || style == 2 {
            right + self.dice.between(0.8, 1.3)
        } else {
            self.dice.between(0.0, 2.0)
        };
        let mut y =
            if style == 0 || style == 2 { 0.0 } else { top + LENGTH + self.dice.between(0.6, 1.1) };
        let mut highest = top.max(y);
        for meld in self.shown.melds.clone() {
            let (part, width, height) = self.meld(meld);
            let angle = if style == 3 { self.dice.between(-12.0, 12.0) } else { 0.0 };
            let lift = if style == 3 {
                (-angle.to_radians().sin() * width).max(0.0) + self.dice.between(0.1, 0.6)
            } else {
                0.0
            };
            self.put(part, x, y + lift, angle);
            highest = highest.max(y + lift + height);
            if style == 2 {
                y += LENGTH + height + self.dice.between(0.08, 0.3);
            } else {
                x += width
                    + if style == 3 {
                        self.dice.between(0.9, 1.4)
                    } else {
                        self.dice.between(0.5, 0.9)
                    };
            }
        }
        highest
    }

    /// Returns a set around its own left end, its width, and its height above a row.
    fn meld(&mut self, meld: Meld) -> (Vec<TableTile>, f32, f32) {
        let mut tiles: Vec<Tile> = meld.tiles().collect();
        let added = matches!(meld, Meld::Kong { kind: KongKind::Added { .. }, .. });
        let count = if added { 3 } else { tiles.len() };
        let turned = meld.from().map(|from| match from {
            Relation::Left => 0,
            Relation::Across if count == 4 => self.dice.one(&[1, 2]),
            Relation::Across => 1,
            Relation::Right => count - 1,
        });
        if let (Meld::Chow(_), Some(claimed)) = (meld, meld.claimed_tile()) {
            tiles.retain(|&tile| tile != claimed);
            tiles.insert(0, claimed);
        }
        let hidden: &[usize] = if meld.is_concealed() {
            self.form(&[
                ("concealed kong, outer down", [0, 3].as_slice()),
                ("concealed kong, inner down", &[1, 2]),
                ("concealed kong, all down", &[0, 1, 2, 3]),
                ("concealed kong, all up", &[]),
            ])
        } else {
            &[]
        };
        let (mut part, mut x) = (Vec::new(), 0.0);
        for (place, &tile) in tiles.iter().take(count).enumerate() {
            let face = if hidden.contains(&place) { Face::Back } else { Face::Tile(tile) };
            if turned == Some(place) {
                part.push(TableTile::sideways(face, x + LENGTH / 2.0, 0.0));
                x += LENGTH + SEAM;
            } else {
                part.push(TableTile::new(face, x + 0.5, 0.0));
                x += 1.0 + SEAM;
            }
        }
        let mut height = 0.0;
        if added {
            let beside = turned.is_some()
                && self.form(&[("added kong, beside", true), ("added kong, on top", false)]);
            let below = part[if beside { turned.unwrap_or(1) } else { 1 }];
            let mut fourth = TableTile { face: below.face, ..below };
            if beside {
                fourth.y += 1.03;
                height = 1.0;
            } else {
                fourth.level = 1.0;
            }
            part.push(fourth);
        }
        (part, x, height)
    }

    /// Lays the flowers in front of the hand, and those of sixteen tiles also to the left of it;
    /// returns the highest y.
    fn flowers(&mut self, hand: &HandSetup, top: f32) -> f32 {
        let faces: Vec<Face> = hand.flowers.iter().map(Face::Bonus).collect();
        if faces.is_empty() {
            return top;
        }
        let part = faces
            .iter()
            .enumerate()
            .map(|(n, &face)| TableTile::new(face, (n as f32 + 0.5) * (1.0 + SEAM), 0.0))
            .collect();
        let is_beside = self.size == HandSize::Sixteen
            && self.form(&[("flowers above", false), ("flowers beside", true)]);
        if is_beside {
            let width = faces.len() as f32 * (1.0 + SEAM);
            let x = -width - self.dice.between(0.5, 2.0);
            self.put(part, x, 0.0, 0.0);
            return top;
        }
        let (x, y) = (self.dice.between(0.0, 6.0), top + LENGTH + self.dice.between(0.9, 1.8));
        self.put(part, x, y, 0.0);
        y
    }

    /// Lays discards in rows of six, and a face-down wall.
    fn clutter(&mut self, hand: &HandSetup, winning: Tile, top: f32) {
        let mut rest: Vec<Tile> = Vec::new();
        for tile in Tile::ALL {
            let used = hand.all().count(tile) + u8::from(tile == winning);
            rest.extend((used..4).map(|_| tile));
        }
        self.dice.0.shuffle(&mut rest);
        if self.dice.chance(0.7) {
            self.forms.push("discards");
            let (x, y) = (
                self.dice.between(0.0, 7.0),
                top + LENGTH + self.dice.between(1.6, 2.6) + LENGTH / 2.0,
            );
            for place in 0..self.dice.0.usize(4..=16) {
                let face = rest.pop().map_or(Face::Back, Face::Tile);
                let mut tile = TableTile::new(
                    face,
                    x + (place % 6) as f32 * 1.25,
                    y + (place / 6) as f32 * 1.7,
                );
                tile.angle = self.dice.normal() * 6.0 + self.dice.one(&[0.0, 0.0, 0.0, 180.0]);
                tile.of_hand = false;
                self.laid.push(tile);
            }
        }
        if self.dice.chance(0.5) {
            self.forms.push("wall");
            let (x, y) =
                (self.dice.between(-1.0, 5.0), top + LENGTH + self.dice.between(8.0, 10.0));
            for place in 0..self.dice.0.usize(4..=11) {
                let tile = TableTile::new(Face::Back, x + place as f32 * 1.03, y);
                self.laid.push(TableTile { of_hand: false, ..tile });
            }
        }
    }
}

/// Returns tiles side by side from the origin on; `bend` is the height of the ends above the
/// middle.
fn row(tiles: &[Tile], bend: f32) -> Vec<TableTile> {
    let (step, count) = (1.0 + SEAM, tiles.len() as f32);
    let place = |(n, &tile): (usize, &Tile)| {
        let off = (n as f32 + 0.5) / count * 2.0 - 1.0;
        let mut laid = TableTile::new(Face::Tile(tile), (n as f32 + 0.5) * step, bend * off * off);
        laid.angle = (4.0 * bend * off / (count * step)).atan().to_degrees();
        laid
    };
    tiles.iter().enumerate().map(place).collect()
}

/// Returns a set without its source, and without the mark of an added fourth tile.
fn untold(meld: Meld) -> Meld {
    match meld {
        Meld::Chow(chow) => Meld::Chow(Chow::new(chow.low()).expect("a chow")),
        Meld::Pung { tile, .. } => Meld::Pung { tile, from: None },
        Meld::Kong { kind: KongKind::Concealed, .. } => meld,
        Meld::Kong { tile, .. } => Meld::Kong { tile, kind: KongKind::Exposed { from: None } },
    }
}

/// A pinhole camera above the table.
struct Camera {
    aim: (f32, f32),
    around: f32,
    rise: f32,
    roll: f32,
    distance: f32,
    focus: f32,
}

impl Camera {
    /// Returns the outline of a tile's face in pixels, its own top left corner first.
    fn outline(&self, tile: &TableTile) -> Quad {
        let (sin, cos) = tile.angle.to_radians().sin_cos();
        let corner = |u: f32, v: f32| {
            if tile.standing {
                // The face looks at the player; its lower edge is where the tile stands.
                let flipped = if cos < 0.0 { -1.0 } else { 1.0 };
                return self.project(tile.x + u * flipped, tile.y, LENGTH / 2.0 + v * flipped);
            }
            let (x, y) = (tile.x + u * cos - v * sin, tile.y + u * sin + v * cos);
            self.project(x, y, 0.75 * (1.0 + tile.level))
        };
        let (w, h) = (0.5, LENGTH / 2.0);
        Quad([corner(-w, h), corner(w, h), corner(w, -h), corner(-w, -h)])
    }

    fn project(&self, x: f32, y: f32, z: f32) -> Point {
        let (sin, cos) = self.around.to_radians().sin_cos();
        let (dx, dy) = (x - self.aim.0, y - self.aim.1);
        let (x, y) = (dx * cos + dy * sin, dy * cos - dx * sin);
        let (up, flat) = self.rise.to_radians().sin_cos();
        // Towards the camera, and upwards in the picture.
        let (near, high) = (z * up - y * flat, y * up + z * flat);
        let scale = self.focus / (self.distance - near);
        let (sin, cos) = self.roll.to_radians().sin_cos();
        let (x, y) = (x * scale, -high * scale);
        Point::new(2000.0 + x * cos - y * sin, 2000.0 + x * sin + y * cos)
    }
}
