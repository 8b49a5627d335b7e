//! A second, slow engine of MMM, written from the supplement alone: every decomposition, every set
//! that the winning tile may have completed, each line as a predicate on lists of tiles.
//!
//! The oracle shares only the types of tiles, hands and contexts with the engine, and takes
//! thousands of times as long.
#![allow(dead_code, missing_docs, unreachable_pub, reason = "each test binary uses a part")]

use std::collections::{BTreeMap, BTreeSet};

use tilesight_core::context::{Context, Feeder, WinSource};
use tilesight_core::hand::Hand;
use tilesight_core::meld::{Meld, Relation};
use tilesight_core::rules::mmm::{HalfSteps, Options};
use tilesight_core::tile::{Tile, Wind};

/// Result of the best decompositions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    pub value: u32,
    pub points: u32,
    pub doublings: u32,
    /// Twice the number of doublings with the extra score, before the cap.
    pub halves: u32,
    /// Lines of each best decomposition.
    pub lists: BTreeSet<Lines>,
    /// Payment of each seat, for the feeder that is assumed for the last set.
    pub payments: [i32; 4],
}

/// Count of each line.
pub type Lines = BTreeMap<&'static str, u32>;

/// Order of decompositions: value, column of the table, points, doublings.
type Key = (u32, u32, u32, u32);

#[derive(Debug, Clone)]
struct Set {
    tiles: Vec<Tile>,
    open: bool,
}

impl Set {
    fn is_chow(&self) -> bool {
        self.tiles.len() == 3 && self.tiles[0] != self.tiles[1]
    }

    fn is_pung(&self) -> bool {
        self.tiles.len() >= 3 && self.tiles[0] == self.tiles[1]
    }

    fn is_kong(&self) -> bool {
        self.tiles.len() == 4
    }

    fn is_pair(&self) -> bool {
        self.tiles.len() == 2
    }

    fn is_all(&self, kind: fn(Tile) -> bool) -> bool {
        self.tiles.iter().all(|&tile| kind(tile))
    }
}

fn officer(tile: Tile) -> bool {
    tile.is_terminal_or_honor()
}

fn dragon(tile: Tile) -> bool {
    tile.is_dragon()
}

fn wind(tile: Tile) -> bool {
    tile.is_wind()
}

/// Returns all decompositions of tiles into chows and pungs.
fn partitions(tiles: &[Tile]) -> Vec<Vec<Vec<Tile>>> {
    let Some(&first) = tiles.first() else { return vec![vec![]] };
    let mut found = Vec::new();
    let mut with = |set: Vec<Tile>| {
        let mut rest = tiles.to_vec();
        for tile in &set {
            match rest.iter().position(|other| other == tile) {
                Some(at) => drop(rest.remove(at)),
                None => return,
            }
        }
        for mut sets in partitions(&rest) {
            sets.push(set.clone());
            found.push(sets);
        }
    };
    with(vec![first; 3]);
    if let Some(second) = first.successor()
        && let Some(third) = second.successor()
    {
        with(vec![first, second, third]);
    }
    found
}

/// Returns every decomposition, with every set that the winning tile may have completed.
fn readings(hand: &Hand, context: &Context, options: &Options) -> Vec<Vec<Set>> {
    let melds: Vec<Set> = hand
        .melds()
        .map(|meld| Set { tiles: meld.tiles().collect(), open: !meld.is_concealed() })
        .collect();
    let mut hidden: Vec<Tile> = hand.concealed().iter().chain([hand.winning()]).collect();
    hidden.sort_unstable();
    let mut all = Vec::new();
    for at in 1..hidden.len() {
        if hidden[at] != hidden[at - 1] || at > 1 && hidden[at - 2] == hidden[at] {
            continue;
        }
        let mut rest = hidden.clone();
        rest.drain(at - 1..=at);
        for mut sets in partitions(&rest) {
            sets.push(vec![hidden[at]; 2]);
            for won in 0..sets.len() {
                if !sets[won].contains(&hand.winning()) {
                    continue;
                }
                let set = |(at, tiles): (usize, &Vec<Tile>)| Set {
                    tiles: tiles.clone(),
                    open: at == won && !context.win.is_self_drawn() && options.won_pung_is_open,
                };
                all.push([melds.clone(), sets.iter().enumerate().map(set).collect()].concat());
            }
        }
    }
    let twice = |pair: &[Tile]| pair[0] == pair[1];
    let hog = hidden.windows(4).any(|four| four[0] == four[3]);
    if hidden.len() == 14
        && hidden.chunks(2).all(twice)
        && (!hog || options.four_alike_are_two_pairs)
    {
        let pair = |pair: &[Tile]| Set { tiles: pair.to_vec(), open: false };
        all.push(hidden.chunks(2).map(pair).collect());
    }
    all
}

/// A sheet that collects lines.
#[derive(Default)]
struct Sheet(Lines);

impl Sheet {
    fn note(&mut self, line: &'static str, counts: bool) {
        self.times(line, usize::from(counts));
    }

    fn times(&mut self, line: &'static str, count: usize) {
        if count > 0 {
            self.0.insert(line, count as u32);
        }
    }

    /// Removes all of these lines except the most valuable one, the first among equals.
    fn keep_best(&mut self, parts: &[&'static str]) {
        let there: Vec<&str> =
            parts.iter().copied().filter(|part| self.0.contains_key(part)).collect();
        let Some(&best) = there.iter().rev().max_by_key(|part| worth(part)) else { return };
        self.0.retain(|line, _| *line == best || !parts.contains(line));
    }

    fn doublings(&self) -> u32 {
        self.0.iter().map(|(line, count)| worth(line) * count).sum()
    }
}

fn worth(line: &str) -> u32 {
    match line {
        "only_pungs"
        | "same_pung_in_three_suits"
        | "three_kongs"
        | "three_concealed_pungs"
        | "small_dragons"
        | "one_suit" => 2,
        "one_suit_without_honours" | "seven_pairs" => 3,
        "big_dragons"
        | "small_winds"
        | "big_winds"
        | "only_ones_and_nines"
        | "only_honours"
        | "four_kongs"
        | "four_concealed_pungs"
        | "nine_lanterns"
        | "jade" => 12,
        _ => 1,
    }
}

struct Table<'a> {
    hand: &'a Hand,
    context: &'a Context,
    options: &'a Options,
    all: Vec<Tile>,
    /// Whether nothing was claimed except the winning tile.
    concealed: bool,
}

impl Table<'_> {
    fn lines(&self, sets: &[Set]) -> Lines {
        let mut sheet = Sheet::default();
        let pairs = sets.len() == 7;
        let drawn = self.context.win.is_self_drawn();
        self.note_win(&mut sheet, pairs, drawn);
        if pairs {
            sheet.note("seven_pairs", true);
        } else {
            self.note_chows(&mut sheet, sets);
            self.note_pungs(&mut sheet, sets);
        }
        if !pairs || self.options.seven_pairs_combine {
            self.note_kinds(&mut sheet, sets);
        }
        sheet.note("nine_lanterns", self.is_lanterns());
        if !self.options.parts_add_up {
            sheet.keep_best(&[
                "identical_chows",
                "three_identical_chows",
                "two_sets_of_identical_chows",
            ]);
            sheet.keep_best(&["same_chow_in_three_suits", "same_chow_concealed"]);
            sheet.keep_best(&["straight", "straight_concealed"]);
            sheet.keep_best(&[
                "only_officers",
                "only_officers_concealed",
                "only_officers_without_chows",
                "only_officers_without_honours",
            ]);
            sheet.keep_best(&["one_suit", "one_suit_without_honours", "one_suit_concealed"]);
        }
        sheet.0
    }

    fn note_win(&self, sheet: &mut Sheet, pairs: bool, drawn: bool) {
        let (win, last) = (self.context.win, self.context.last_wall_tile);
        let replacement = win == WinSource::KongReplacement;
        let full = !pairs || self.options.seven_pairs_are_fully_concealed;
        let sea = !replacement || self.options.replacement_tile_can_be_the_last;
        let called = self.hand.melds().filter(|meld| !meld.is_concealed()).count();
        sheet.note("fully_concealed", self.concealed && drawn && full);
        sheet.note("under_the_sea", drawn && last && sea);
        sheet.note("under_the_river", !drawn && last);
        sheet.note("after_a_kong", replacement);
        sheet.note("robbing_a_kong", matches!(win, WinSource::RobbedKong { .. }));
        sheet.note("fully_open", called == 4 && !drawn);
    }

    fn note_chows(&self, sheet: &mut Sheet, sets: &[Set]) {
        let lows: Vec<Tile> = sets.iter().filter(|s| s.is_chow()).map(|s| s.tiles[0]).collect();
        let mut times: Vec<usize> = Tile::ALL
            .iter()
            .map(|low| lows.iter().filter(|other| other == &low).count())
            .filter(|&count| count > 1)
            .collect();
        times.sort_unstable();
        let concealed = self.concealed;
        let four = times == [4] && self.options.four_identical_chows_are_two_sets;
        sheet.note("identical_chows", concealed && !times.is_empty());
        sheet.note("three_identical_chows", concealed && times.last().is_some_and(|&n| n >= 3));
        sheet.note("two_sets_of_identical_chows", concealed && (times == [2, 2] || four));
        let only = lows.len() == 4 && (concealed || !self.options.only_chows_must_be_concealed);
        sheet.note("only_chows", only);
        let has = |suit: usize, number: usize| lows.contains(&Tile::ALL[9 * suit + number]);
        let same = (0..7).any(|number| (0..3).all(|suit| has(suit, number)));
        let straight = (0..3).any(|suit| [0, 3, 6].iter().all(|&number| has(suit, number)));
        sheet.note("same_chow_in_three_suits", same);
        sheet.note("same_chow_concealed", same && concealed);
        sheet.note("straight", straight);
        sheet.note("straight_concealed", straight && concealed);
    }

    fn note_pungs(&self, sheet: &mut Sheet, sets: &[Set]) {
        let pungs: Vec<&Set> = sets.iter().filter(|set| set.is_pung()).collect();
        let of = |kind: fn(Tile) -> bool| pungs.iter().filter(|set| set.is_all(kind)).count();
        let pair_of = |kind: fn(Tile) -> bool| sets.iter().any(|s| s.is_pair() && s.is_all(kind));
        let has = |tile: Tile| pungs.iter().any(|set| set.tiles[0] == tile);
        let hidden = pungs.iter().filter(|set| !set.open).count();
        let kongs = pungs.iter().filter(|set| set.is_kong()).count();
        sheet.times("dragons", of(dragon));
        sheet.note("own_wind", has(self.context.seat.tile()));
        sheet.note("round_wind", has(self.context.prevalent.tile()));
        sheet.note("only_pungs", pungs.len() == 4);
        let in_three =
            |n: &usize| has(Tile::ALL[*n]) && has(Tile::ALL[9 + n]) && has(Tile::ALL[18 + n]);
        sheet.note("same_pung_in_three_suits", (0..9).any(|n| in_three(&n)));
        sheet.note("three_kongs", kongs >= 3);
        sheet.note("four_kongs", kongs == 4);
        sheet.note("three_concealed_pungs", hidden >= 3);
        sheet.note("four_concealed_pungs", hidden == 4);
        sheet.note("small_dragons", of(dragon) == 2 && pair_of(dragon));
        sheet.note("big_dragons", of(dragon) == 3);
        sheet.note("small_winds", of(wind) == 3 && pair_of(wind));
        sheet.note("big_winds", of(wind) == 4);
    }

    /// Adds the lines for the kinds of tiles.
    fn note_kinds(&self, sheet: &mut Sheet, sets: &[Set]) {
        let only = |kind: &dyn Fn(Tile) -> bool| self.all.iter().all(|&tile| kind(tile));
        let suits: BTreeSet<usize> =
            self.all.iter().filter(|tile| !tile.is_honor()).map(|tile| tile.index() / 9).collect();
        let honours = self.all.iter().any(|tile| tile.is_honor());
        let held = |set: &Set| {
            set.tiles.iter().any(|&tile| officer(tile))
                || set.is_pair() && !self.options.officers_in_pair && sets.len() < 7
        };
        let officers = sets.iter().all(held);
        let chows = sets.iter().any(Set::is_chow);
        sheet.note("no_officers", only(&|tile| !officer(tile)));
        sheet.note("only_officers", officers);
        sheet.note("only_officers_concealed", officers && self.concealed);
        sheet.note("only_officers_without_chows", officers && !chows);
        sheet.note("only_officers_without_honours", officers && !honours);
        sheet.note("one_suit", suits.len() == 1);
        sheet.note("one_suit_without_honours", suits.len() == 1 && !honours);
        sheet.note("one_suit_concealed", suits.len() == 1 && self.concealed);
        sheet.note("only_ones_and_nines", only(&|tile| tile.is_terminal()));
        sheet.note("only_honours", only(&|tile| tile.is_honor()));
        let green = ["2s", "3s", "4s", "6s", "8s", "F"];
        sheet.note("jade", only(&|tile| green.contains(&tile.to_string().as_str())));
    }

    fn is_lanterns(&self) -> bool {
        let mut tiles: Vec<Tile> = self.hand.concealed().iter().collect();
        let pattern =
            |suit: usize| [0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8].map(|n| Tile::ALL[9 * suit + n]);
        if self.hand.melds().count() > 0 {
            return false;
        }
        if self.options.lanterns_before_the_winning_tile {
            tiles.sort_unstable();
            return (0..3).any(|suit| tiles == pattern(suit));
        }
        tiles.push(self.hand.winning());
        (0..3).any(|suit| {
            let mut left = tiles.clone();
            let taken = pattern(suit).iter().all(|tile| {
                left.iter().position(|other| other == tile).map(|at| left.remove(at)).is_some()
            });
            taken && left.iter().all(|tile| tile.index() / 9 == suit)
        })
    }

    fn points(&self, sets: &[Set], lines: &Lines) -> u32 {
        let of_set = |set: &Set| {
            let officers = officer(set.tiles[0]);
            match (set.is_pung(), set.is_kong(), set.open) {
                (true, false, true) => 2 + 2 * u32::from(officers),
                (true, false, false) => 4 + 2 * u32::from(officers),
                (true, true, true) => 8 + 8 * u32::from(officers),
                (true, true, false) => 16 + 8 * u32::from(officers),
                _ if set.is_pair() => self.points_of_pair(set.tiles[0], sets.len() == 7),
                _ => 0,
            }
        };
        let robbed = matches!(self.context.win, WinSource::RobbedKong { .. });
        let drawn = self.context.win.is_self_drawn() || robbed && self.options.robbing_is_self_draw;
        let counts = !lines.contains_key("fully_concealed")
            || self.options.self_draw_points_when_fully_concealed;
        let draw = if drawn && counts { 10 } else { 0 };
        sets.iter().map(of_set).sum::<u32>() + draw
    }

    fn points_of_pair(&self, tile: Tile, of_seven: bool) -> u32 {
        let (own, round) = (self.context.seat.tile(), self.context.prevalent.tile());
        if of_seven && !self.options.seven_pairs_have_points {
            return 0;
        }
        let twice = own == round && !self.options.double_wind_pair_counts_twice;
        let winds = u32::from(tile == own) + u32::from(tile == round && !twice);
        2 * (u32::from(tile.is_dragon()) + winds)
    }
}

/// Returns the value in the table of 1.3, which is computed: from 7 doublings on in steps of 20.
fn value(halves: u32, east: bool) -> u32 {
    let column = halves.min(24);
    let base = match column {
        2 => 20,
        3 => 28,
        4 => 40,
        5 => 60,
        6 => 80,
        7 => 120,
        8..=14 => 160 + 40 * (column - 8),
        15.. => 400 + 20 * (column - 14),
        _ => 0,
    };
    if east { base * 3 / 2 } else { base }
}

/// Returns the players who may have fed the last set, judged by the tiles on the table, including
/// whether it may have been nobody. Returns `None` if there is no such set.
pub fn feeders(hand: &Hand, context: &Context, options: &Options) -> Option<BTreeSet<Feeder>> {
    for (kind, count) in [(dragon as fn(Tile) -> bool, 3), (wind, 4)] {
        let of_kind = |meld: &Meld| !matches!(meld, Meld::Chow(_)) && kind(meld.first_tile());
        let melds: Vec<Meld> = hand.melds().filter(of_kind).collect();
        let hidden = |tile: Tile| {
            let won = u8::from(tile == hand.winning());
            hand.concealed().count(tile) + won == 3
        };
        let concealed: Vec<Tile> =
            Tile::ALL.into_iter().filter(|&tile| kind(tile) && hidden(tile)).collect();
        if melds.len() + concealed.len() < count {
            continue;
        }
        if concealed.contains(&hand.winning()) {
            let feeder = context.win.from().map_or(Feeder::Nobody, Feeder::from);
            return Some(BTreeSet::from([feeder]));
        }
        let drawn = !concealed.is_empty() || melds.iter().any(|meld| meld.is_concealed());
        if drawn && !options.liability_beside_concealed_sets {
            continue;
        }
        let mut possible: BTreeSet<Feeder> = BTreeSet::new();
        for meld in melds.iter().filter(|meld| !meld.is_concealed()) {
            match meld.from() {
                Some(from) => drop(possible.insert(Feeder::from(from))),
                None => possible.extend(Relation::ALL.map(Feeder::from)),
            }
        }
        possible.extend(drawn.then_some(Feeder::Nobody));
        return Some(possible);
    }
    None
}

/// Returns the payment of each seat, for a feeder of the last set or for none.
pub fn payments(
    hand: &Hand,
    context: &Context,
    options: &Options,
    value: u32,
    feeder: Option<Feeder>,
) -> [i32; 4] {
    let drawn = context.win.is_self_drawn();
    let chows = hand.melds().filter(|meld| matches!(meld, Meld::Chow(_))).count();
    let mut payer = match context.win {
        WinSource::RobbedKong { .. } if options.robbing_is_self_draw => None,
        win => win.from(),
    };
    if let Some(feeder) = feeder.and_then(Feeder::relation)
        && (!drawn || options.liability_on_self_draw)
    {
        payer = Some(feeder);
    }
    if chows == 4 && (!drawn || options.four_chows_liability_on_self_draw) {
        payer = Some(Relation::Left);
    }
    let mut paid = [0; 4];
    for seat in Wind::ALL {
        let share = match payer {
            _ if seat == context.seat => 0,
            Some(payer) if context.seat.seat_of(payer) == seat => value,
            Some(_) => 0,
            None if context.seat == Wind::East => value / 3,
            None if seat == Wind::East => value / 2,
            None => value / 4,
        };
        paid[seat as usize] -= share as i32;
        paid[context.seat as usize] += share as i32;
    }
    paid
}

/// Returns the best decompositions of a hand; `None` if it does not win in this game.
pub fn judge(hand: &Hand, context: &Context, options: &Options) -> Option<Verdict> {
    let concealed = hand.melds().all(Meld::is_concealed);
    let all = hand.all().iter().collect();
    let table = Table { hand, context, options, all, concealed };
    let mut best: Option<(Key, u32, BTreeSet<Lines>)> = None;
    for sets in readings(hand, context, options) {
        let lines = table.lines(&sets);
        let points = table.points(&sets, &lines);
        let doublings = Sheet(lines.clone()).doublings();
        let extra = match points {
            40.. => 2,
            20.. => 1,
            _ => 0,
        };
        let halves = 2 * doublings + extra;
        let stepped = match options.half_steps {
            HalfSteps::Column => halves,
            HalfSteps::Down => halves - halves % 2,
            HalfSteps::Up => halves + halves % 2,
        };
        let valid = doublings > 0 || options.extra_score_reaches_minimum && extra == 2;
        let value = if valid { value(stepped, context.seat == Wind::East) } else { 0 };
        let key = (value, stepped.min(24), points, doublings);
        match &mut best {
            Some((other, ..)) if *other > key => {}
            Some((other, _, lists)) if *other == key => drop(lists.insert(lines)),
            _ => best = Some((key, halves, BTreeSet::from([lines]))),
        }
    }
    let ((value, _, points, doublings), halves, lists) = best?;
    let feeder = context.feeder.or_else(|| match feeders(hand, context, options)? {
        only if only.len() == 1 => only.first().copied(),
        _ => None,
    });
    let payments = payments(hand, context, options, value, feeder);
    Some(Verdict { value, points, doublings, halves, lists, payments })
}
