//! Tables as players leave them, calibrated on photos of clubs and tournaments.
//!
//! The owner of the hand sits below: x runs to the owner's right, y away from the owner, and the
//! open table is about 26 widths wide. Exposed sets lie in the right corner, on the rail, beside
//! the row, in front of it or thrown about; the winning tile lies up to six widths from the row, or
//! in place among the discards; concealed tiles are split into groups; backs may be as pale as a
//! white dragon. Around them lies what is usually on a table: four rivers in rows of six, walls, a
//! dead wall with its indicator, other hands, seat markers. Invariant: as in the parent module.

use tilesight_core::hand::{HandSetup, HandSize};
use tilesight_core::meld::{Meld, Relation};
use tilesight_core::tile::{Bonus, Face, Tile, Wind};
use tilesight_vision::SeenTile;
use tilesight_vision::pixels::detect::share_inside;

use super::{Camera, Dice, LENGTH, Noise, SEAM, Scene, Table, TableTile, row, untold};

/// Width and height of the picture, in pixels.
const PICTURE: (u32, u32) = (4000, 4000);

/// Left ends of the owner's flowers, more or less: before the row, behind it on the rail, and at
/// its left.
const FLOWER_PLACES: [(f32, f32); 7] =
    [(-2.0, 2.6), (3.0, 3.0), (1.0, -2.6), (5.0, 4.0), (0.0, 1.9), (8.0, 2.2), (-6.0, 0.3)];

/// Place of the exposed sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Corner,
    CornerTurned,
    Rail,
    Beside,
    Front,
    Thrown,
}

/// Place of the winning tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Winning {
    Gap,
    Far,
    Rail,
    Thrown,
    Turned,
    Unmarked,
}

/// Returns a random table as players leave it.
pub(crate) fn life(seed: u64, noise: Noise) -> Table {
    life_of(HandSize::Thirteen, seed, noise)
}

/// Returns a random table as players leave it, with a hand of a size.
pub(crate) fn life_of(size: HandSize, seed: u64, noise: Noise) -> Table {
    let mut dice = Dice(fastrand::Rng::with_seed(seed ^ 0x11fe));
    // Players leave mainly hands with claimed sets in corners, so most hands get some.
    let (hand, winning) = loop {
        let made = dice.hand(size);
        if !made.0.melds.is_empty() || dice.chance(0.5) {
            break made;
        }
    };
    let mut scene = Scene { dice, size, laid: Vec::new(), forms: Vec::new(), shown: hand.clone() };
    scene.lay_like_life(&hand, winning);
    let mut dice = Dice(scene.dice.0.clone());
    let camera = dice.player(&scene.laid);
    // The hand is always in view, as in a photo that is taken of it.
    let in_view = |seen: SeenTile, is_of_hand: bool| {
        let inside = if is_of_hand { 1.0 } else { share_inside(&seen.quad, PICTURE) };
        (inside >= 0.3).then_some(SeenTile { inside, ..seen })
    };
    let seen = dice.photograph(&camera, noise, &scene.laid, in_view);
    scene.seen_as(HandSetup { winning: Some(winning), ..hand }, seen)
}

impl Dice {
    /// Returns the camera of a phone held by a standing person: half of them frame the hand, the
    /// others a large part of the table.
    fn player(&mut self, laid: &[TableTile]) -> Camera {
        let hand = || laid.iter().filter(|tile| tile.of_hand);
        let (mut low, mut high) = ((f32::MAX, f32::MAX), (f32::MIN, f32::MIN));
        for tile in hand() {
            low = (low.0.min(tile.x), low.1.min(tile.y));
            high = (high.0.max(tile.x), high.1.max(tile.y));
        }
        let span = (high.0 - low.0).max(high.1 - low.1).max(8.0);
        let wide = self.one(&[1.15, 1.3, 1.5, 2.0, 2.6]);
        let rise = self.between(32.0, 90.0);
        Camera {
            aim: (
                (low.0 + high.0) / 2.0 + self.between(-0.1, 0.1) * span,
                (low.1 + high.1) / 2.0 + self.between(0.0, 0.3) * span * (wide - 1.0),
            ),
            around: self.between(-25.0, 25.0),
            rise,
            roll: self.one(&[0.0, 0.0, 0.0, 180.0, 90.0, 270.0]) + self.between(-10.0, 10.0),
            distance: span * wide,
            focus: 3200.0,
        }
    }
}

impl Scene {
    fn lay_like_life(&mut self, hand: &HandSetup, winning: Tile) {
        let pale = self.dice.chance(0.4);
        let right = self.row_of_life(hand, winning);
        self.sets_of_life(right);
        self.flowers_of_life(hand);
        self.table_of_life(hand, winning);
        let is_back = |tile: &&mut TableTile| tile.face == Face::Back;
        self.laid.iter_mut().filter(is_back).for_each(|tile| tile.is_pale = pale);
        if pale && self.laid.iter().any(|tile| tile.of_hand && tile.is_pale) {
            self.forms.push("pale backs in a kong");
        }
    }

    /// Lays the concealed tiles, in one to three groups, and the winning tile; returns their right
    /// end.
    fn row_of_life(&mut self, hand: &HandSetup, winning: Tile) -> f32 {
        let mut tiles = hand.concealed.clone();
        self.shown.winning = Some(winning);
        let marked = self.form(&[
            ("winning after a gap", Winning::Gap),
            ("winning after a gap", Winning::Gap),
            ("winning far", Winning::Far),
            ("winning far", Winning::Far),
            ("winning on the rail", Winning::Rail),
            ("winning thrown", Winning::Thrown),
            ("winning turned", Winning::Turned),
            ("winning unmarked", Winning::Unmarked),
        ]);
        if marked == Winning::Unmarked {
            tiles.push(winning);
            tiles.sort();
            self.shown.concealed.clone_from(&tiles);
            self.shown.winning = None;
        }
        let groups = if tiles.len() >= 7 {
            self.form(&[("one group", 1), ("one group", 1), ("two groups", 2), ("three groups", 3)])
        } else {
            1
        };
        let cuts = self.cuts(tiles.len(), groups);
        let (mut end, mut y) = (0.0, 0.0);
        for (n, cut) in cuts.windows(2).enumerate() {
            if n > 0 {
                end += self.dice.between(0.5, 2.5);
                y = self.dice.between(-0.5, 0.5);
            }
            let part = &tiles[cut[0]..cut[1]];
            let bend = self.dice.one(&[0.0, 0.0, 0.04]) * part.len() as f32;
            let angle = self.dice.between(-3.0, 3.0);
            self.put(row(part, bend), end, y, angle);
            end += part.len() as f32 * (1.0 + SEAM);
        }
        let won = Face::Tile(winning);
        match marked {
            Winning::Unmarked => {}
            Winning::Gap => {
                end += self.dice.between(0.45, 1.2);
                self.put_single(won, end + 0.5, y, 6.0);
                end += 1.0;
            }
            Winning::Turned => {
                end += self.dice.between(0.03, 0.12);
                self.put(vec![TableTile::sideways(won, end + LENGTH / 2.0, y)], 0.0, 0.0, 0.0);
                end += LENGTH;
            }
            Winning::Far => {
                end += self.dice.between(1.2, 6.0);
                let y = y + self.dice.between(-0.8, 0.8);
                self.put_single(won, end + 0.5, y, 15.0);
                end += 1.0;
            }
            Winning::Rail => {
                let x = self.dice.between(0.0, end + 3.0);
                let y = -self.dice.between(LENGTH + 0.6, 3.0);
                self.put_single(won, x, y, 10.0);
            }
            Winning::Thrown => {
                let x = self.dice.between(-1.0, end + 4.0);
                let y = self.dice.between(LENGTH + 0.8, 5.0);
                self.put_single(won, x, y, 45.0);
            }
        }
        end
    }

    /// Returns places at which a row of `count` tiles is cut into groups.
    fn cuts(&mut self, count: usize, groups: usize) -> Vec<usize> {
        let mut cuts = vec![0, count];
        while cuts.len() < groups + 1 {
            let at = self.dice.0.usize(2..=count - 2);
            if cuts.iter().all(|cut| cut.abs_diff(at) >= 2) {
                cuts.push(at);
                cuts.sort_unstable();
            }
            if cuts.len() == 3 && count < 8 {
                break;
            }
        }
        cuts
    }

    /// Puts down a single tile, turned by at most `degrees`.
    fn put_single(&mut self, face: Face, x: f32, y: f32, degrees: f32) {
        let angle = self.dice.between(-degrees, degrees);
        self.put(vec![TableTile::new(face, 0.0, 0.0)], x, y, angle);
    }

    /// Lays the exposed sets and concealed kongs.
    fn sets_of_life(&mut self, right: f32) {
        if self.shown.melds.is_empty() {
            return;
        }
        if !self.dice.chance(0.8) {
            self.forms.push("nothing turned");
            self.shown.melds.iter_mut().for_each(|meld| *meld = untold(*meld));
        }
        let place = self.form(&[
            ("sets in the corner", Place::Corner),
            ("sets in the corner", Place::Corner),
            ("sets in the corner", Place::Corner),
            ("sets in the corner, turned", Place::CornerTurned),
            ("sets on the rail", Place::Rail),
            ("sets beside", Place::Beside),
            ("sets in front", Place::Front),
            ("sets thrown", Place::Thrown),
        ]);
        // Turned sets stack to the left.
        let room = 1.6 * self.shown.melds.len() as f32;
        let (x, y) = match place {
            Place::CornerTurned => {
                (right + room + self.dice.between(2.0, 6.0), self.dice.between(-2.0, 1.0))
            }
            Place::Corner => (right + self.dice.between(2.5, 9.0), self.dice.between(-2.0, 1.0)),
            Place::Rail => (right + self.dice.between(1.0, 3.0), -self.dice.between(1.5, 2.5)),
            Place::Beside => (right + self.dice.between(0.8, 2.5), self.dice.between(-0.4, 0.4)),
            Place::Front => (self.dice.between(0.0, 4.0), LENGTH + self.dice.between(0.7, 2.0)),
            Place::Thrown => (right + self.dice.between(1.5, 3.0), self.dice.between(-1.0, 1.0)),
        };
        let whole = match place {
            Place::CornerTurned => 90.0,
            _ => self.dice.between(-4.0, 4.0),
        };
        let before = self.laid.len();
        self.sets_in_place(place);
        let part: Vec<TableTile> = self.laid.drain(before..).collect();
        // `put` has turned tiles upside down already; turning the whole must not do so again.
        let (sin, cos) = f32::to_radians(whole).sin_cos();
        self.laid.extend(part.into_iter().map(|tile| TableTile {
            x: x + tile.x * cos - tile.y * sin,
            y: y + tile.x * sin + tile.y * cos,
            angle: tile.angle + whole,
            ..tile
        }));
    }

    /// Lays all sets around the left end of the first.
    fn sets_in_place(&mut self, place: Place) {
        let stacked = match place {
            Place::Corner | Place::CornerTurned => {
                self.form(&[("stacked", true), ("stacked", true), ("side by side", false)])
            }
            _ => false,
        };
        let (mut x, mut y) = (0.0, 0.0);
        for meld in self.shown.melds.clone() {
            let (part, width, height) = self.meld_of_life(meld);
            if place == Place::Thrown {
                let angle = self.dice.between(-50.0, 50.0);
                let lift = self.dice.between(-1.0, 1.5);
                self.put(part, x, y + lift, angle);
                x += width + self.dice.between(1.5, 2.5);
                if x > 9.0 {
                    (x, y) = (0.0, y + 5.5);
                }
            } else if stacked {
                let aside = self.dice.between(-0.15, 0.15);
                let angle = self.dice.between(-2.5, 2.5);
                self.put(part, x + aside, y, angle);
                y += LENGTH + height + self.dice.between(0.03, 0.3);
            } else {
                let angle = self.dice.between(-3.0, 3.0);
                self.put(part, x, y, angle);
                x += width + self.dice.between(0.25, 0.9);
            }
        }
    }

    /// Lays a set like [`Scene::meld`], repeatedly until a face is up by which it can be
    /// recognized.
    fn meld_of_life(&mut self, meld: Meld) -> (Vec<TableTile>, f32, f32) {
        loop {
            let forms = self.forms.len();
            let laid = self.meld(meld);
            let shows_sources = !self.forms.contains(&"nothing turned");
            let open = laid.0.iter().filter(|tile| tile.face != Face::Back).count();
            // If no tile is turned, an open kong may be either kind.
            let is_either = meld.is_concealed() && open == 4 && !shows_sources;
            if open > 0 && !is_either {
                return laid;
            }
            self.forms.truncate(forms);
        }
    }

    fn flowers_of_life(&mut self, hand: &HandSetup) {
        let faces: Vec<Face> = hand.flowers.iter().map(Face::Bonus).collect();
        if faces.is_empty() {
            return;
        }
        let is_loose = self.dice.chance(0.3);
        let step = if is_loose { self.dice.between(1.1, 1.8) } else { 1.0 + SEAM };
        let mut place = |(n, &face): (usize, &Face)| {
            let mut tile = TableTile::new(face, (n as f32 + 0.5) * step, 0.0);
            if is_loose {
                tile.y = self.dice.between(-0.4, 0.4);
                tile.angle = self.dice.between(-15.0, 15.0);
            }
            tile
        };
        let part: Vec<TableTile> = faces.iter().enumerate().map(&mut place).collect();
        let (x, y) = loop {
            let at = self.dice.one(&FLOWER_PLACES);
            let at = (at.0 + self.dice.between(-1.0, 1.0), at.1 + self.dice.between(-0.9, 0.6));
            let size = (faces.len() as f32 * step + 1.0, LENGTH + 0.3);
            if self.is_free(at, size) || self.dice.chance(0.02) {
                break at;
            }
        };
        self.put(part, x, y, 0.0);
    }

    /// Lays the flowers of other players before their racks, whether their hands are open or not,
    /// and now and then one among the discards.
    fn other_flowers(&mut self, hand: &HandSetup, middle: (f32, f32)) -> Vec<TableTile> {
        let mut rest: Vec<Face> =
            Bonus::ALL.map(Face::Bonus).into_iter().filter(|&face| !has(hand, face)).collect();
        self.dice.0.shuffle(&mut rest);
        let mut tiles = Vec::new();
        for side in [1, 2, 3] {
            if !self.dice.chance(0.4) {
                continue;
            }
            self.forms.push("flowers of others");
            let (x, y) = (self.dice.between(-7.0, 6.0), -self.dice.between(8.5, 11.0));
            let place = |(n, face): (usize, Face)| TableTile::new(face, x + n as f32 * 1.04, y);
            let count = self.dice.0.usize(1..=3).min(rest.len());
            tiles.extend(around(
                rest.drain(..count).enumerate().map(place).collect(),
                side,
                middle,
            ));
        }
        if self.dice.chance(0.1)
            && let Some(face) = rest.pop()
        {
            let (x, y) = (self.dice.between(-3.0, 3.0), -self.dice.between(3.4, 6.2));
            tiles.extend(around(vec![TableTile::new(face, x, y)], self.dice.0.usize(0..4), middle));
        }
        tiles
    }

    /// Returns whether no tile of the hand lies in the box to the right of a place; `height`
    /// extends above and below it.
    fn is_free(&self, (x, y): (f32, f32), (width, height): (f32, f32)) -> bool {
        self.laid
            .iter()
            .all(|tile| tile.x < x - 1.0 || tile.x > x + width + 0.5 || (tile.y - y).abs() > height)
    }

    /// Lays everything that is not the hand.
    fn table_of_life(&mut self, hand: &HandSetup, winning: Tile) {
        let mut rest: Vec<Tile> = Vec::new();
        for tile in Tile::ALL {
            let used = hand.all().count(tile) + u8::from(tile == winning);
            rest.extend((used..4).map(|_| tile));
        }
        self.dice.0.shuffle(&mut rest);
        let middle = (6.0 + self.dice.between(-2.0, 2.0), 13.0 + self.dice.between(-1.0, 3.0));
        let mut others = Vec::new();
        if self.dice.chance(0.75) {
            self.forms.push("rivers");
            for side in 0..4 {
                let count = self.dice.0.usize(3..=15);
                others.extend(self.river(side, count, &mut rest, middle));
            }
        }
        if self.dice.chance(0.45) {
            self.forms.push("another hand");
            let side = self.dice.one(&[1, 2, 3]);
            others.extend(self.other_hand(side, &mut rest, middle));
        }
        if self.dice.chance(0.6) {
            self.forms.push("walls");
            for side in [1, 2, 3] {
                others.extend(self.wall(side, &mut rest, middle));
            }
        }
        others.extend(self.other_flowers(hand, middle));
        if self.dice.chance(0.2) {
            self.forms.push("seat marker");
            let wind = self.dice.one(&[Wind::East, Wind::South, Wind::West, Wind::North]).tile();
            let at = (self.dice.between(-4.0, -1.5), self.dice.between(-2.0, 4.0));
            others.push(TableTile::new(Face::Tile(wind), at.0, at.1));
        }
        // No other tile lies on the hand.
        let hand: Vec<TableTile> = self.laid.clone();
        others.retain(|other| {
            hand.iter().all(|tile| (tile.x - other.x).hypot(tile.y - other.y) > 2.0)
        });
        self.laid.extend(others.into_iter().map(|tile| TableTile { of_hand: false, ..tile }));
    }

    /// Returns discards in rows of six before a player; side 0 is the owner's, 1 the right
    /// neighbor's.
    fn river(
        &mut self,
        side: usize,
        count: usize,
        rest: &mut Vec<Tile>,
        middle: (f32, f32),
    ) -> Vec<TableTile> {
        let (step, sloppy) = (self.dice.between(1.02, 1.2), self.dice.between(0.5, 6.0));
        let mut tiles = Vec::new();
        for place in 0..count {
            let Some(face) = rest.pop() else { break };
            let (x, y) = ((place % 6) as f32 * step - 3.0, -3.4 - (place / 6) as f32 * 1.42);
            let mut tile = TableTile::new(Face::Tile(face), x, y);
            tile.angle = self.dice.normal() * sloppy + self.dice.one(&[0.0, 0.0, 0.0, 180.0]);
            tiles.push(tile);
        }
        around(tiles, side, middle)
    }

    /// Returns another player's shown hand: a row and, in half of the cases, sets in that player's
    /// corner.
    fn other_hand(
        &mut self,
        side: usize,
        rest: &mut Vec<Tile>,
        middle: (f32, f32),
    ) -> Vec<TableTile> {
        let sets = self.dice.one(&[0, 0, 1, 2]);
        let mut tiles = Vec::new();
        let count = self.size.waiting() - 3 * sets;
        let mut faces: Vec<Tile> = (0..count).filter_map(|_| rest.pop()).collect();
        faces.sort();
        tiles.extend(row(&faces, 0.0).into_iter().map(|tile| TableTile {
            x: tile.x - 7.0,
            y: -12.0,
            ..tile
        }));
        for set in 0..sets {
            let Some(at) =
                rest.iter().position(|tile| rest.iter().filter(|t| *t == tile).count() >= 3)
            else {
                break;
            };
            let tile = rest[at];
            let meld = Meld::Pung { tile, from: Some(Relation::Left) };
            (0..3).for_each(|_| {
                if let Some(at) = rest.iter().position(|&other| other == tile) {
                    rest.swap_remove(at);
                }
            });
            let (part, ..) = self.meld(meld);
            tiles.extend(part.into_iter().map(|tile| TableTile {
                x: tile.x + 8.0,
                y: tile.y - 12.5 + set as f32 * 1.5,
                ..tile
            }));
        }
        around(tiles, side, middle)
    }

    /// Returns a row of backs, one of which may be turned over as the indicator.
    fn wall(&mut self, side: usize, rest: &mut Vec<Tile>, middle: (f32, f32)) -> Vec<TableTile> {
        let count = self.dice.0.usize(4..=16);
        let shown = self.dice.chance(0.4).then(|| self.dice.0.usize(..count));
        let start = self.dice.between(-8.0, 0.0);
        let tiles = (0..count).map(|place| {
            let face = match shown {
                Some(at) if at == place => rest.pop().map_or(Face::Back, Face::Tile),
                _ => Face::Back,
            };
            let tile = TableTile::new(face, start + place as f32 * 1.02, -9.0);
            TableTile { wall: Some(side), ..tile }
        });
        around(tiles.collect(), side, middle)
    }
}

/// Returns whether a hand has a flower.
fn has(hand: &HandSetup, face: Face) -> bool {
    hand.flowers.iter().any(|flower| Face::Bonus(flower) == face)
}

/// Returns tiles of a player who sits at the origin's side, turned to another side of the table
/// about its middle.
fn around(tiles: Vec<TableTile>, side: usize, middle: (f32, f32)) -> Vec<TableTile> {
    let angle = 90.0 * side as f32;
    let (sin, cos) = angle.to_radians().sin_cos();
    let turn = |tile: TableTile| TableTile {
        x: middle.0 + tile.x * cos - tile.y * sin,
        y: middle.1 + tile.x * sin + tile.y * cos,
        angle: tile.angle + angle,
        ..tile
    };
    tiles.into_iter().map(turn).collect()
}
