//! A second, slow scorer of the classical game, written from the rules alone: it shares only the
//! types of tiles, melds and hands with the engine.
//!
//! The oracle tries every decomposition of the concealed tiles, and every set that contains the
//! winning tile as the one that it completed.
#![allow(dead_code, missing_docs, unreachable_pub, reason = "each test binary uses a part")]

use tilesight_core::context::{Context, Declaration, WinSource};
use tilesight_core::hand::{Hand, Holding};
use tilesight_core::meld::{Chow, KongKind, Meld};
use tilesight_core::rules::Halves;
use tilesight_core::rules::classical::Options;
use tilesight_core::tile::{Bonus, Tile, Wind};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Chow,
    Pung,
    Kong,
    Pair,
}

/// A set: `open` as its points count, `claimed` if a kong was made of a concealed pung.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Set {
    kind: Kind,
    low: Tile,
    open: bool,
    claimed: bool,
}

impl Set {
    fn hidden(kind: Kind, low: Tile) -> Set {
        Set { kind, low, open: false, claimed: false }
    }

    fn from_meld(meld: Meld) -> Set {
        let low = meld.first_tile();
        match meld {
            Meld::Chow(_) => Set { open: true, ..Set::hidden(Kind::Chow, low) },
            Meld::Pung { .. } => Set { open: true, ..Set::hidden(Kind::Pung, low) },
            Meld::Kong { kind, .. } => Set {
                open: kind != KongKind::Concealed,
                claimed: matches!(kind, KongKind::Exposed { from: Some(_) }),
                ..Set::hidden(Kind::Kong, low)
            },
        }
    }

    fn tiles(self) -> Vec<Tile> {
        match self.kind {
            Kind::Chow => Chow::new(self.low).expect("a chow").tiles().to_vec(),
            Kind::Pung => vec![self.low; 3],
            Kind::Kong => vec![self.low; 4],
            Kind::Pair => vec![self.low; 2],
        }
    }

    fn is_concealed(self, options: &Options) -> bool {
        !self.open || self.claimed && options.claimed_kong_stays_concealed
    }

    fn is_of_a_kind(self) -> bool {
        matches!(self.kind, Kind::Pung | Kind::Kong)
    }
}

/// Removes a set from the tiles; returns `None` if they do not contain it.
fn without(tiles: &[Tile], set: Set) -> Option<Vec<Tile>> {
    let mut left = tiles.to_vec();
    for tile in set.tiles() {
        let at = left.iter().position(|&other| other == tile)?;
        left.remove(at);
    }
    Some(left)
}

/// Returns all decompositions of tiles into sets and one pair.
fn partings(tiles: &[Tile], pair: bool) -> Vec<Vec<Set>> {
    let Some(&first) = tiles.iter().min() else {
        return if pair { vec![vec![]] } else { vec![] };
    };
    let mut all = Vec::new();
    for (kind, allowed) in
        [(Kind::Pung, true), (Kind::Chow, Chow::new(first).is_some()), (Kind::Pair, !pair)]
    {
        let set = Set::hidden(kind, first);
        let Some(left) = allowed.then(|| without(tiles, set)).flatten() else { continue };
        for mut parting in partings(&left, pair || kind == Kind::Pair) {
            parting.push(set);
            all.push(parting);
        }
    }
    all
}

fn is_outer(tile: Tile) -> bool {
    tile.is_terminal() || tile.is_honor()
}

fn is_seven_pairs(tiles: &[Tile], options: &Options) -> bool {
    let count = |tile: Tile| tiles.iter().filter(|&&other| other == tile).count();
    let once = |tile: &Tile| count(*tile) == 2;
    let even = tiles.iter().all(|&tile| count(tile) % 2 == 0);
    let played = options.seven_pairs_limits.0 > 0;
    played && tiles.len() == 14 && even && (options.same_pair_twice || tiles.iter().all(once))
}

fn is_orphans(tiles: &[Tile], options: &Options) -> bool {
    let all =
        Tile::ALL.into_iter().filter(|&tile| is_outer(tile)).all(|tile| tiles.contains(&tile));
    options.thirteen_orphans_limits.0 > 0
        && tiles.len() == 14
        && all
        && tiles.iter().all(|&t| is_outer(t))
}

/// Returns the score of a hand that has not won.
pub fn other(holding: &Holding, seat: Wind, prevalent: Wind, options: &Options) -> u32 {
    let mut sets: Vec<Set> = holding.melds().map(Set::from_meld).collect();
    for tile in Tile::ALL {
        match holding.concealed().count(tile) {
            2 => sets.push(Set::hidden(Kind::Pair, tile)),
            3 | 4 => sets.push(Set::hidden(Kind::Pung, tile)),
            _ => {}
        }
    }
    let bonus: Vec<Bonus> = holding.flowers().iter().collect();
    let unnamed = u32::from(holding.flowers().unnamed_count());
    let (points, doubles) = everybody(&sets, (&bonus, unnamed), (seat, prevalent), options);
    let total = points << doubles;
    let long = holding.concealed().total() + 3 * holding.melds().count() > 13;
    match (long && options.long_hand_counts_nothing, options.roof_off) {
        (true, _) => 0,
        (false, true) => total,
        (false, false) => total.min(options.limit),
    }
}

/// Returns the points and doubles that every hand can have.
fn everybody(
    sets: &[Set],
    (bonus, unnamed): (&[Bonus], u32),
    (seat, prevalent): (Wind, Wind),
    options: &Options,
) -> (u32, u32) {
    let (own, round) = (seat.tile(), prevalent.tile());
    let mut points = 4 * (bonus.len() as u32 + unnamed);
    let mut doubles = 0;
    for set in sets {
        let outer = u32::from(is_outer(set.low)) + 1;
        let hidden = u32::from(!set.open) + 1;
        let wind = u32::from(set.low == own) + u32::from(set.low == round);
        match set.kind {
            Kind::Chow => {}
            Kind::Pung => points += 2 * outer * hidden,
            Kind::Kong => points += 8 * outer * hidden,
            Kind::Pair => points += 2 * (u32::from(set.low.is_dragon()) + wind),
        }
        if set.is_of_a_kind() {
            doubles += u32::from(set.low.is_dragon()) + wind;
        }
    }
    let seat_number = seat as u8 + 1;
    let of_seat = bonus.iter().filter(|one| one.number() == seat_number).count();
    let seasons = bonus.iter().filter(|one| one.is_season()).count();
    let flowers = bonus.len() - seasons;
    let pungs = |wanted: fn(Tile) -> bool| {
        sets.iter().filter(|set| set.is_of_a_kind() && wanted(set.low)).count()
    };
    let paired =
        |wanted: fn(Tile) -> bool| sets.iter().any(|set| set.kind == Kind::Pair && wanted(set.low));
    let hidden = sets.iter().filter(|set| set.is_of_a_kind() && set.is_concealed(options)).count();
    doubles += u32::from(of_seat == 2) + u32::from(flowers == 4) + u32::from(seasons == 4);
    doubles += u32::from(hidden >= 3);
    doubles += match (pungs(Tile::is_dragon), paired(Tile::is_dragon)) {
        (3, _) => 2,
        (2, true) => 1,
        _ => 0,
    };
    doubles += match (pungs(Tile::is_wind), paired(Tile::is_wind)) {
        (4, _) => 2,
        (3, true) => 1,
        _ => 0,
    };
    (points, doubles)
}

/// A hand that won, with all its tiles.
struct Judge<'a> {
    melds: Vec<Set>,
    hidden: Vec<Tile>,
    all: Vec<Tile>,
    winning: Tile,
    bonus: Vec<Bonus>,
    unnamed: u32,
    context: &'a Context,
    options: &'a Options,
}

/// Returns the total of a hand that won; `None` if the tiles do not win.
pub fn judge(hand: &Hand, context: &Context, options: &Options) -> Option<u32> {
    let mut hidden: Vec<Tile> = hand.concealed().iter().collect();
    hidden.push(hand.winning());
    let judge = Judge {
        melds: hand.melds().map(Set::from_meld).collect(),
        hidden,
        all: hand.all().iter().collect(),
        winning: hand.winning(),
        bonus: hand.flowers().iter().collect(),
        unnamed: u32::from(hand.flowers().unnamed_count()),
        context,
        options,
    };
    let special = judge.wins_without_sets(&judge.hidden).then(|| judge.without_sets());
    let regular = partings(&judge.hidden, false).into_iter().flat_map(|parting| {
        let lasts = (0..parting.len()).filter(|&at| parting[at].tiles().contains(&judge.winning));
        lasts.map(|last| judge.total(&parting, last)).collect::<Vec<_>>()
    });
    regular.chain(special).max()
}

impl Judge<'_> {
    fn drawn(&self) -> bool {
        self.context.win.is_self_drawn()
    }

    fn wins_without_sets(&self, tiles: &[Tile]) -> bool {
        is_seven_pairs(tiles, self.options) || is_orphans(tiles, self.options)
    }

    fn declared(&self, one: Declaration) -> bool {
        self.context.declared.contains(one)
    }

    fn is_from_dead_wall(&self) -> bool {
        self.context.win == WinSource::KongReplacement
            || self.declared(Declaration::FlowerReplacement)
    }

    /// Returns whether nothing was claimed except kongs that leave a hand concealed, and the last
    /// tile was drawn.
    fn is_concealed(&self) -> bool {
        self.drawn() && self.melds.iter().all(|set| set.is_concealed(self.options))
    }

    fn is_one_suit(&self) -> bool {
        self.all.iter().all(|tile| tile.suit().is_some() && tile.suit() == self.all[0].suit())
    }

    fn limit_value(&self, halves: Halves) -> u32 {
        (self.options.limit * halves.0).div_ceil(2)
    }

    /// Returns the best value of a special hand.
    fn special_of_any(&self) -> Halves {
        let options = self.options;
        let green =
            ["2s", "3s", "4s", "6s", "8s", "F"].map(|code| code.parse::<Tile>().expect(code));
        let all = |wanted: &dyn Fn(&Tile) -> bool| self.all.iter().all(wanted);
        let won_on = |code: &str| self.winning.to_string() == code;
        let last_drawn = self.drawn() && self.context.last_wall_tile;
        let robbed = matches!(self.context.win, WinSource::RobbedKong { .. });
        let shown = [
            (self.is_one_suit() && self.is_concealed(), options.concealed_one_suit_limits),
            (all(&|tile| tile.is_honor()), options.only_honors_limits),
            (all(&|tile| tile.is_terminal()), options.only_terminals_limits),
            (all(&|tile| green.contains(tile)), options.imperial_jade_limits),
            (self.declared(Declaration::TwofoldFortune), options.twofold_fortune_limits),
            (self.declared(Declaration::Heaven), options.blessing_of_heaven_limits),
            (self.declared(Declaration::Earth), options.blessing_of_earth_limits),
            (self.declared(Declaration::NinthEastWin), options.ninth_east_win_limits),
            (won_on("5p") && self.is_from_dead_wall(), options.plum_blossom_limits),
            (won_on("1p") && last_drawn, options.moon_from_the_sea_limits),
            (won_on("2s") && robbed, options.carrying_pole_limits),
        ];
        max_limits(&shown)
    }

    fn without_sets(&self) -> u32 {
        let shown = [
            (is_seven_pairs(&self.hidden, self.options), self.options.seven_pairs_limits),
            (is_orphans(&self.hidden, self.options), self.options.thirteen_orphans_limits),
        ];
        self.limit_value(max_limits(&shown).max(self.special_of_any()))
    }

    fn total(&self, parting: &[Set], last: usize) -> u32 {
        let mut sets = self.melds.clone();
        sets.extend(
            parting
                .iter()
                .enumerate()
                .map(|(at, &set)| Set { open: at == last && !self.drawn(), ..set }),
        );
        let limits = self.special_of_sets(&sets).max(self.special_of_any());
        if limits >= Halves::whole(1) {
            return self.limit_value(limits);
        }
        let seats = (self.context.seat, self.context.prevalent);
        let (points, doubles) = everybody(&sets, (&self.bonus, self.unnamed), seats, self.options);
        let (more_points, more_doubles) = self.winner(&sets, parting[last]);
        let total = (points + more_points) << (doubles + more_doubles);
        let total = if self.options.roof_off { total } else { total.min(self.options.limit) };
        total.max(self.limit_value(limits))
    }

    fn special_of_sets(&self, sets: &[Set]) -> Halves {
        let options = self.options;
        let count = |wanted: &dyn Fn(&Set) -> bool| sets.iter().filter(|set| wanted(set)).count();
        let kongs = count(&|set| set.kind == Kind::Kong);
        let dragons = count(&|set| set.is_of_a_kind() && set.low.is_dragon());
        let winds = count(&|set| set.is_of_a_kind() && set.low.is_wind());
        let hidden = count(&|set| set.is_of_a_kind() && set.is_concealed(options));
        let number = |tile: &Tile| tile.number().unwrap_or(0);
        let mut numbers: Vec<u8> = self.all.iter().map(number).collect();
        numbers.sort_unstable();
        let gates = |extra: u8| {
            let mut wanted = vec![1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9, extra];
            wanted.sort_unstable();
            self.is_one_suit() && numbers == wanted
        };
        let nine = self.melds.is_empty() && gates(number(&self.winning));
        let shown = [
            (kongs == 4, options.four_kongs_limits),
            (dragons == 3, options.three_dragon_pungs_limits),
            (winds == 4, options.four_wind_pungs_limits),
            (hidden == 4 && self.drawn(), options.four_concealed_pungs_limits),
            (nine, options.nine_gates_limits),
            (gates(2) || gates(5) || gates(8), options.squirming_snake_limits),
        ];
        max_limits(&shown)
    }

    /// Returns the points and doubles that only the winner can have.
    fn winner(&self, sets: &[Set], last: Set) -> (u32, u32) {
        let (context, options) = (self.context, self.options);
        let mut points = 20;
        points += if self.drawn() { 2 } else { 0 };
        if last.kind == Kind::Pair {
            points += if is_outer(last.low) { 4 } else { 2 };
        }
        points += if self.is_only_wait() { 2 } else { 0 };

        let pair = sets.iter().find(|set| set.kind == Kind::Pair).expect("a pair").low;
        let worthless =
            !pair.is_dragon() && pair != context.seat.tile() && pair != context.prevalent.tile();
        let bonus = !self.bonus.is_empty() || self.unnamed > 0;
        let chows = sets.iter().filter(|set| set.kind == Kind::Chow).count();
        let zero = chows == 4 && worthless && (!bonus || options.zero_point_hand_with_bonus_tiles);
        let suits = [0, 1, 2].map(|suit| self.all.iter().any(|tile| tile.index() / 9 == suit));
        let one_suit = suits.iter().filter(|there| **there).count() == 1;
        let honors = self.all.iter().any(|tile| tile.is_honor());
        let discarded = matches!(context.win, WinSource::Discard { .. });
        let doubles = [
            zero,
            chows == 0,
            self.is_concealed(),
            one_suit && honors,
            self.all.iter().all(|&tile| is_outer(tile)),
            self.drawn() && context.last_wall_tile,
            discarded && context.last_wall_tile,
            self.is_from_dead_wall(),
            matches!(context.win, WinSource::RobbedKong { .. }),
            self.declared(Declaration::OriginalCall),
        ];
        let counted = doubles.into_iter().filter(|holds| *holds).count() as u32;
        (points, counted + if one_suit && !honors { 3 } else { 0 })
    }

    fn is_only_wait(&self) -> bool {
        let at =
            self.hidden.iter().position(|&tile| tile == self.winning).expect("the winning tile");
        let mut waiting = self.hidden.clone();
        waiting.remove(at);
        // The whole hand, including kongs, without the winning tile.
        let held = |tile: Tile| {
            let all = self.all.iter().filter(|&&other| other == tile).count();
            if tile == self.winning { all - 1 } else { all }
        };
        let wins = |tile: &Tile| {
            let mut tiles = waiting.clone();
            tiles.push(*tile);
            let pairs = is_seven_pairs(&tiles, self.options);
            pairs || !partings(&tiles, false).is_empty()
        };
        let could = |tile: &Tile| self.options.formal_waits || held(*tile) < 4;
        Tile::ALL.into_iter().filter(could).filter(wins).all(|tile| tile == self.winning)
    }
}

fn max_limits(shown: &[(bool, Halves)]) -> Halves {
    let shown = shown.iter().filter(|(shown, _)| *shown).map(|(_, limits)| *limits);
    shown.max().unwrap_or_default()
}
