//! A second, slow MCR engine, written from the rule texts alone and sharing no code with the first:
//! it tries every decomposition, every place of the winning tile and every subset of combinations,
//! and returns *all* best fan lists. Fans are numbers here, as in the published lists.
#![allow(dead_code, missing_docs, unreachable_pub, reason = "each test binary uses a part")]

use std::collections::{BTreeMap, BTreeSet};

use tilesight_core::context::{Context, WinSource};
use tilesight_core::hand::Hand;
use tilesight_core::meld::Meld;
use tilesight_core::rules::mcr::Options;
use tilesight_core::tile::{Dragon, Suit, Tile};

/// Fan number to how often it counts, without flowers.
pub type FanList = BTreeMap<u8, u32>;

/// Best total without flowers and every fan list that reaches it. [`judge`] returns `None` for a
/// hand that does not win.
#[derive(Debug, PartialEq, Eq)]
pub struct Verdict {
    pub total: u32,
    pub lists: BTreeSet<FanList>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Chow,
    Pung,
    Kong,
    Pair,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Set {
    kind: Kind,
    /// Lowest tile.
    tile: Tile,
    hidden: bool,
    /// Whether the winning tile completed it.
    wins: bool,
}

impl Set {
    fn new(kind: Kind, tile: Tile) -> Set {
        Set { kind, tile, hidden: true, wins: false }
    }

    fn tiles(&self) -> Vec<Tile> {
        match self.kind {
            Kind::Chow => (0..3).map(|step| up(self.tile, step).expect("a chow")).collect(),
            Kind::Pung => vec![self.tile; 3],
            Kind::Kong => vec![self.tile; 4],
            Kind::Pair => vec![self.tile; 2],
        }
    }

    fn is_pung(&self) -> bool {
        matches!(self.kind, Kind::Pung | Kind::Kong)
    }
}

fn up(tile: Tile, steps: u8) -> Option<Tile> {
    Tile::new(tile.suit()?, tile.number()? + steps)
}

/// Returns every way to take sets and exactly `pairs` pairs from sorted tiles.
fn splits(tiles: &[Tile], pairs: usize) -> Vec<Vec<Set>> {
    let Some(&first) = tiles.first() else {
        return if pairs == 0 { vec![vec![]] } else { vec![] };
    };
    let mut found = Vec::new();
    for kind in [Kind::Chow, Kind::Pung, Kind::Pair] {
        if kind == Kind::Pair && pairs == 0 || kind == Kind::Chow && up(first, 2).is_none() {
            continue;
        }
        let set = Set::new(kind, first);
        let Some(rest) = take(tiles, &set.tiles()) else { continue };
        let pairs = if kind == Kind::Pair { pairs - 1 } else { pairs };
        for mut split in splits(&rest, pairs) {
            split.push(set);
            found.push(split);
        }
    }
    found
}

/// Returns the tiles without some of them; `None` if one is missing.
fn take(tiles: &[Tile], taken: &[Tile]) -> Option<Vec<Tile>> {
    let mut rest = tiles.to_vec();
    for tile in taken {
        let at = rest.iter().position(|other| other == tile)?;
        rest.remove(at);
    }
    Some(rest)
}

fn knits() -> Vec<Vec<Tile>> {
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let knit = |order: [u8; 3]| {
        let suits = Suit::ALL.into_iter().zip(order);
        suits.flat_map(|(suit, low)| [1, 4, 7].map(|n| Tile::new(suit, n + low).expect("1 to 9")))
    };
    orders.into_iter().map(|order| knit(order).collect()).collect()
}

fn is_orphans(tiles: &[Tile]) -> bool {
    let kinds: BTreeSet<Tile> = tiles.iter().copied().collect();
    tiles.len() == 14 && kinds.len() == 13 && kinds.iter().all(|tile| tile.is_terminal_or_honor())
}

fn is_pairs(tiles: &[Tile]) -> bool {
    tiles.len() == 14 && tiles.iter().all(|tile| copies(tiles, *tile).is_multiple_of(2))
}

/// Returns the knitted straight that a hand of honors and knitted tiles belongs to.
fn honors_and_knitted(tiles: &[Tile]) -> Option<Vec<Tile>> {
    let kinds: BTreeSet<Tile> = tiles.iter().copied().collect();
    if tiles.len() != 14 || kinds.len() != 14 {
        return None;
    }
    let fits = |knit: &Vec<Tile>| kinds.iter().all(|tile| tile.is_honor() || knit.contains(tile));
    knits().into_iter().find(fits)
}

fn copies(tiles: &[Tile], tile: Tile) -> usize {
    tiles.iter().filter(|&&other| other == tile).count()
}

fn wins(tiles: &[Tile]) -> bool {
    let mut tiles = tiles.to_vec();
    tiles.sort_unstable();
    is_orphans(&tiles)
        || is_pairs(&tiles)
        || honors_and_knitted(&tiles).is_some()
        || !splits(&tiles, 1).is_empty()
        || knits().iter().any(|knit| take(&tiles, knit).is_some_and(|r| !splits(&r, 1).is_empty()))
}

struct Case<'a> {
    context: &'a Context,
    options: &'a Options,
    hidden: Vec<Tile>,
    all: Vec<Tile>,
    melds: Vec<Set>,
    winning: Tile,
}

/// Scores a hand whose context does not contradict it.
pub fn judge(hand: &Hand, context: &Context, options: &Options) -> Option<Verdict> {
    let mut hidden: Vec<Tile> = hand.concealed().iter().chain([hand.winning()]).collect();
    hidden.sort_unstable();
    let of_meld = |meld: Meld| {
        let kind = match meld {
            Meld::Chow(_) => Kind::Chow,
            Meld::Pung { .. } => Kind::Pung,
            Meld::Kong { .. } => Kind::Kong,
        };
        Set { hidden: meld.is_concealed(), ..Set::new(kind, meld.first_tile()) }
    };
    let melds: Vec<Set> = hand.melds().map(of_meld).collect();
    let all = hand.all().iter().collect();
    Case { context, options, hidden, all, melds, winning: hand.winning() }.verdict()
}

impl Case<'_> {
    fn verdict(&self) -> Option<Verdict> {
        let mut lists = BTreeSet::new();
        self.regular(&mut lists);
        self.knitted(&mut lists);
        self.special(&mut lists);
        let worth = |list: &FanList| -> u32 {
            list.iter().map(|(&fan, &count)| self.points(fan) * count).sum()
        };
        let total = lists.iter().map(worth).max()?;
        lists.retain(|list| worth(list) == total);
        if total == 0 {
            return Some(Verdict { total: 8, lists: [FanList::from([(43, 1)])].into() });
        }
        Some(Verdict { total, lists })
    }

    fn points(&self, fan: u8) -> u32 {
        match fan {
            48 => self.options.two_concealed_kongs_points.into(),
            82 => self.options.melded_and_concealed_kong_points.into(),
            1..=7 => 88,
            8..=13 => 64,
            14..=15 => 48,
            16..=18 => 32,
            19..=27 => 24,
            28..=33 => 16,
            34..=38 => 12,
            39..=47 => 8,
            49..=54 => 6,
            55..=58 => 4,
            59..=68 => 2,
            _ => 1,
        }
    }

    fn self_drawn(&self) -> bool {
        matches!(self.context.win, WinSource::SelfDrawn | WinSource::KongReplacement)
    }

    fn regular(&self, lists: &mut BTreeSet<FanList>) {
        for split in splits(&self.hidden, 1) {
            for sets in self.placed(&split) {
                self.judge_sets(&sets, None, lists);
            }
        }
    }

    fn knitted(&self, lists: &mut BTreeSet<FanList>) {
        for knit in knits() {
            let Some(rest) = take(&self.hidden, &knit) else { continue };
            for split in splits(&rest, 1) {
                if knit.contains(&self.winning) {
                    let all = self.melds.iter().chain(&split).copied().collect::<Vec<_>>();
                    self.judge_sets(&all, Some(&knit), lists);
                }
                for sets in self.placed(&split) {
                    self.judge_sets(&sets, Some(&knit), lists);
                }
            }
        }
    }

    /// Returns the melds and the split, with the winning tile in every place it can take.
    fn placed(&self, split: &[Set]) -> Vec<Vec<Set>> {
        let places = (0..split.len()).filter(|&at| split[at].tiles().contains(&self.winning));
        let with_place = |at: usize| {
            let mut sets = split.to_vec();
            sets[at].wins = true;
            // A pung that a claimed tile completes is melded.
            sets[at].hidden = self.self_drawn() || sets[at].kind != Kind::Pung;
            self.melds.iter().copied().chain(sets).collect()
        };
        places.map(with_place).collect()
    }

    fn special(&self, lists: &mut BTreeSet<FanList>) {
        if !self.melds.is_empty() {
            return;
        }
        if is_orphans(&self.hidden) {
            self.finish(&[7], FanList::from([(7, 1)]), &[], lists);
        }
        if is_pairs(&self.hidden) {
            let numbers: BTreeSet<_> = self.hidden.iter().map(|tile| tile.number()).collect();
            let suits: BTreeSet<_> = self.hidden.iter().map(|tile| tile.suit()).collect();
            let kinds: BTreeSet<_> = self.hidden.iter().collect();
            let in_a_row = suits.len() == 1
                && !suits.contains(&None)
                && kinds.len() == 7
                && numbers.last().copied().flatten()
                    == numbers.first().copied().flatten().map(|n| n + 6);
            let mut fans = FanList::from([(19, 1)]);
            if in_a_row {
                fans.insert(6, 1);
            }
            self.finish(&[19], fans, &[], lists);
        }
        if let Some(knit) = honors_and_knitted(&self.hidden) {
            let honors = self.hidden.iter().filter(|tile| tile.is_honor()).count();
            let mut fans = FanList::from([(if honors == 7 { 20 } else { 34 }, 1)]);
            let whole = knit.iter().all(|tile| self.hidden.contains(tile));
            if whole && self.options.knitted_straight_in_lesser_honors {
                fans.insert(35, 1);
            }
            self.finish(&[20], fans, &[], lists);
        }
    }

    /// Adds all fan lists of sets and a pair, with or without a knitted straight.
    fn judge_sets(&self, sets: &[Set], knit: Option<&[Tile]>, lists: &mut BTreeSet<FanList>) {
        let chows: Vec<Set> = sets.iter().filter(|set| set.kind == Kind::Chow).copied().collect();
        let pungs: Vec<Set> = sets.iter().filter(|set| set.is_pung()).copied().collect();
        let pair = sets.iter().find(|set| set.kind == Kind::Pair).expect("a pair").tile;
        let mut fans = FanList::new();
        let mut add = |fan: u8, holds: bool| {
            if holds {
                fans.insert(fan, 1);
            }
        };

        let winds = pungs.iter().filter(|pung| pung.tile.is_wind()).count();
        let dragons = pungs.iter().filter(|pung| pung.tile.is_dragon()).count();
        add(1, winds == 4);
        add(9, winds == 3 && pair.is_wind());
        add(38, winds == 3 && !pair.is_wind());
        add(2, dragons == 3);
        add(10, dragons == 2 && pair.is_dragon());
        add(54, dragons == 2 && !pair.is_dragon());
        add(59, dragons == 1);
        add(60, pungs.iter().any(|pung| pung.tile == self.context.prevalent.tile()));
        add(61, pungs.iter().any(|pung| pung.tile == self.context.seat.tile()));

        let hidden_pungs = pungs.iter().filter(|pung| pung.hidden).count();
        add(12, hidden_pungs == 4);
        add(33, hidden_pungs == 3);
        add(66, hidden_pungs == 2);

        add(35, knit.is_some());
        let chow_like = chows.len() + if knit.is_some() { 3 } else { 0 };
        add(63, chow_like == 4 && !pair.is_honor());
        if knit.is_none() {
            let every =
                |test: fn(Tile) -> bool| sets.iter().all(|set| set.tiles().into_iter().any(test));
            add(55, every(Tile::is_terminal_or_honor));
            add(31, every(|tile| tile.number() == Some(5)));
            add(49, pungs.len() == 4);
            let even = |tile: Tile| tile.number().is_some_and(|number| number % 2 == 0);
            add(21, pungs.len() == 4 && self.all.iter().all(|&tile| even(tile)));
            let mut before = self.hidden.clone();
            before = take(&before, &[self.winning]).expect("the winning tile is hidden");
            add(4, self.melds.is_empty() && is_gates(&before));
        }
        let may_wait = knit
            .is_none_or(|knit| self.options.wait_on_knitted_tile || !knit.contains(&self.winning));
        if may_wait && let Some(wait) = self.wait(sets) {
            fans.insert(wait, 1);
        }
        let outer = self.outer_pungs(&pungs, &fans);
        if outer > 0 {
            fans.insert(73, outer);
        }
        let combined = combinations(&chows, &pungs, pair, knit.is_some());
        for combination in combined {
            let mut fans = fans.clone();
            for fan in combination {
                *fans.entry(fan).or_default() += 1;
            }
            self.finish(&[], fans, sets, lists);
        }
    }

    /// Returns the number of pungs of terminals or honors that no other fan uses.
    fn outer_pungs(&self, pungs: &[Set], fans: &FanList) -> u32 {
        let open = self.options.terminal_pungs_in_big_three_winds;
        let three_winds = fans.contains_key(&9) || fans.contains_key(&38) && !open;
        let counts = |pung: &&Set| {
            let tile = pung.tile;
            let own = tile == self.context.seat.tile() || tile == self.context.prevalent.tile();
            tile.is_terminal() || tile.is_wind() && !own && !three_winds
        };
        let outer = pungs.iter().filter(counts).count() as u32;
        match (fans.contains_key(&4), self.options.nine_gates_excludes_all_terminal_pungs) {
            (true, true) => 0,
            (true, false) => outer.saturating_sub(1),
            (false, _) => outer,
        }
    }

    /// Returns the wait that the completed set shows, if the hand waited for one kind only.
    fn wait(&self, sets: &[Set]) -> Option<u8> {
        let set = sets.iter().find(|set| set.wins)?;
        let number = self.winning.number();
        let fan = match set.kind {
            Kind::Pair => 79,
            Kind::Chow if Some(self.winning) == up(set.tile, 1) => 78,
            Kind::Chow if set.tile.number() == Some(1) && number == Some(3) => 77,
            Kind::Chow if set.tile.number() == Some(7) && number == Some(7) => 77,
            _ => return None,
        };
        let before = take(&self.hidden, &[self.winning]).expect("the winning tile is hidden");
        let completes = |tile: Tile| {
            let possible = self.options.formal_waits || copies(&self.all, tile) < 4;
            let mut tiles = before.clone();
            tiles.push(tile);
            tile != self.winning && possible && wins(&tiles)
        };
        (!Tile::ALL.into_iter().any(completes)).then_some(fan)
    }

    /// Adds the fans that do not depend on the decomposition, and removes excluded ones.
    fn finish(
        &self,
        special: &[u8],
        mut fans: FanList,
        sets: &[Set],
        lists: &mut BTreeSet<FanList>,
    ) {
        let orphans_or_knitted = special.iter().any(|fan| [7, 20].contains(fan));
        self.add_tiles(&mut fans, orphans_or_knitted);
        self.add_kongs(&mut fans);
        self.add_win(&mut fans, sets);
        let mut excluded = BTreeSet::new();
        for &fan in fans.keys() {
            excluded.extend(self.excluded_by(fan, &fans));
        }
        fans.retain(|fan, _| !excluded.contains(fan));
        lists.insert(fans);
    }

    fn add_tiles(&self, fans: &mut FanList, no_sets: bool) {
        let every = |test: &dyn Fn(Tile) -> bool| self.all.iter().all(|&tile| test(tile));
        let between = |low: u8, high: u8| {
            every(&|tile| tile.number().is_some_and(|number| (low..=high).contains(&number)))
        };
        let suits: BTreeSet<_> = self.all.iter().filter_map(|tile| tile.suit()).collect();
        let honors = self.all.iter().any(|tile| tile.is_honor());
        let winds = self.all.iter().any(|tile| tile.is_wind());
        let dragons = self.all.iter().any(|tile| tile.is_dragon());
        let green = |tile: Tile| match (tile.suit(), tile.number()) {
            (Some(Suit::Bamboo), Some(number)) => [2, 3, 4, 6, 8].contains(&number),
            _ => tile.dragon() == Some(Dragon::Green),
        };
        let reversible = |tile: Tile| match (tile.suit(), tile.number()) {
            (Some(Suit::Dots), Some(number)) => [1, 2, 3, 4, 5, 8, 9].contains(&number),
            (Some(Suit::Bamboo), Some(number)) => [2, 4, 5, 6, 8, 9].contains(&number),
            _ => tile.dragon() == Some(Dragon::White),
        };
        let mut add = |fan: u8, holds: bool| {
            if holds {
                fans.insert(fan, 1);
            }
        };
        add(3, every(&green));
        add(40, every(&reversible));
        add(8, every(&Tile::is_terminal));
        add(11, every(&Tile::is_honor));
        add(18, every(&Tile::is_terminal_or_honor));
        add(22, suits.len() == 1 && !honors);
        add(50, suits.len() == 1 && honors);
        add(25, between(7, 9));
        add(26, between(4, 6));
        add(27, between(1, 3));
        add(36, between(6, 9));
        add(37, between(1, 4));
        add(68, every(&Tile::is_simple));
        add(75, suits.len() == 2);
        add(76, !honors);
        add(52, suits.len() == 3 && winds && dragons && !no_sets);
        let hogs = Tile::ALL.into_iter().filter(|&tile| {
            let kong = self.melds.iter().any(|meld| meld.kind == Kind::Kong && meld.tile == tile);
            let honor = tile.is_honor() && !self.options.tile_hog_on_honors;
            copies(&self.all, tile) == 4 && !kong && !honor
        });
        let hogs = hogs.count() as u32;
        if hogs > 0 {
            fans.insert(64, hogs);
        }
    }

    fn add_kongs(&self, fans: &mut FanList) {
        let kongs = || self.melds.iter().filter(|meld| meld.kind == Kind::Kong);
        let hidden = kongs().filter(|kong| kong.hidden).count();
        let single = self.options.concealed_kong_beside_three_or_four_kongs && hidden == 1;
        let kong_fans: &[u8] = match (kongs().count(), hidden) {
            (4, _) if single => &[5, 67],
            (4, _) => &[5],
            (3, _) if single => &[17, 67],
            (3, _) => &[17],
            (2, 2) => &[48],
            (2, 1) => &[82],
            (2, _) => &[57],
            (1, 1) => &[67],
            (1, _) => &[74],
            _ => &[],
        };
        fans.extend(kong_fans.iter().map(|&fan| (fan, 1)));
    }

    fn add_win(&self, fans: &mut FanList, sets: &[Set]) {
        let drawn = self.self_drawn();
        let concealed = self.melds.iter().all(|meld| meld.hidden);
        let by_nature = [4, 6, 7, 12, 19, 20, 34].iter().any(|fan| fans.contains_key(fan));
        let fully = concealed && (!by_nature || self.options.fully_concealed_special_hands);
        let mut add = |fan: u8, holds: bool| {
            if holds {
                fans.insert(fan, 1);
            }
        };
        let replaced = self.context.win == WinSource::KongReplacement;
        let robbed = matches!(self.context.win, WinSource::RobbedKong { .. });
        add(44, drawn && self.context.last_wall_tile);
        add(45, !drawn && self.context.last_wall_tile);
        add(46, replaced);
        add(47, robbed);
        add(56, drawn && fully);
        add(80, drawn && !fully && !replaced && !self.context.last_wall_tile);
        add(62, !drawn && concealed && !by_nature);
        let open = self.melds.iter().filter(|meld| !meld.hidden).flat_map(Set::tiles);
        let shown = open.filter(|&tile| tile == self.winning).count();
        add(58, !robbed && (self.context.last_of_kind || shown == 3));
        let melded =
            sets.len() == 5 && self.melds.len() == 4 && self.melds.iter().all(|m| !m.hidden);
        add(53, melded && !drawn);
    }

    /// Returns the fans that a fan excludes according to the lists, and those that these exclude in
    /// turn.
    fn excluded_by(&self, fan: u8, fans: &FanList) -> Vec<u8> {
        let pairs = fans.contains_key(&19) || fans.contains_key(&6);
        let direct: &[u8] = match fan {
            1 => &[38, 49, 60, 61, 73],
            2 => &[54, 59],
            3 if !self.options.half_flush_with_green_dragon => &[50],
            4 => &[22, 62],
            5 => &[49, 74, 79],
            6 => &[19, 22, 63, 79],
            7 => &[18, 52, 62, 79],
            8 if !self.options.double_pung_in_all_terminals => &[18, 65, 76],
            8 => &[18, 76],
            9 => &[38],
            10 => &[54],
            11 => &[18],
            12 => &[49, 62],
            // The lists also name 19 here; but that is another decomposition, which excludes
            // nothing in this one.
            13 => &[22, 63, 69, 72],
            14 => &[23, 24, 64],
            15 => &[23, 24, 49],
            16 => &[71, 72],
            17 => &[74],
            18 => &[49, 55, 73],
            19 => &[62, 79],
            20 | 34 => &[52, 62],
            21 => &[49, 68],
            25 => &[36],
            27 => &[37],
            29 => &[63, 70, 72],
            26 | 31 => &[68],
            40 => &[75],
            48 => &[66],
            53 => &[79],
            54 => &[59],
            22 | 36 | 37 | 63 | 68 => &[76],
            _ => &[],
        };
        let in_turn = direct.iter().flat_map(|&other| self.excluded_by(other, fans));
        let hogs =
            matches!(fan, 3 | 8) && pairs && !self.options.tile_hog_in_green_or_terminal_pairs;
        direct.iter().copied().chain(in_turn).chain(hogs.then_some(64)).collect()
    }
}

fn is_gates(tiles: &[Tile]) -> bool {
    let Some(suit) = tiles.first().and_then(|tile| tile.suit()) else { return false };
    let gates = [1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9];
    let gates = gates.map(|number| Tile::new(suit, number).expect("1 to 9"));
    tiles == gates
}

/// Returns every choice of fans of two to four sets that follows the principles, each as its fan
/// numbers.
fn combinations(chows: &[Set], pungs: &[Set], pair: Tile, knit: bool) -> Vec<Vec<u8>> {
    if knit {
        return vec![vec![]];
    }
    let of_chows = choices(&groups(chows, &|sets| chow_fan(sets, pair)));
    let of_pungs = choices(&groups(pungs, &|sets| pung_fan(sets)));
    let both = |one: &Vec<u8>| {
        of_pungs.iter().map(|other| [one.as_slice(), other].concat()).collect::<Vec<_>>()
    };
    of_chows.iter().flat_map(both).collect()
}

/// A fan and the places of the sets that form it.
type Group = (u8, Vec<usize>);

fn groups(sets: &[Set], fan: &dyn Fn(&[Set]) -> Option<u8>) -> Vec<Group> {
    let mut found = Vec::new();
    for mask in 1..1 << sets.len() {
        let places: Vec<usize> = (0..sets.len()).filter(|at| mask >> at & 1 == 1).collect();
        let mut members: Vec<Set> = places.iter().map(|&at| sets[at]).collect();
        members.sort_by_key(|set| (set.tile.number(), set.tile));
        if let Some(fan) = fan(&members) {
            found.push((fan, places));
        }
    }
    found
}

/// Returns all subsets of groups that form a forest and use no set twice for one fan.
fn choices(groups: &[Group]) -> Vec<Vec<u8>> {
    let mut found = BTreeSet::new();
    for mask in 0..1u32 << groups.len() {
        let chosen: Vec<&Group> =
            (0..groups.len()).filter(|at| mask >> at & 1 == 1).map(|at| &groups[at]).collect();
        if is_forest(&chosen) && !reuses(&chosen) {
            let mut fans: Vec<u8> = chosen.iter().map(|group| group.0).collect();
            fans.sort_unstable();
            found.insert(fans);
        }
    }
    found.into_iter().collect()
}

/// Returns whether fans and sets form a forest: each fan of n sets must join n trees into one.
fn is_forest(groups: &[&Group]) -> bool {
    let mut tree: Vec<usize> = (0..4).collect();
    for (_, sets) in groups {
        let joined: BTreeSet<usize> = sets.iter().map(|&set| tree[set]).collect();
        if joined.len() < sets.len() {
            return false;
        }
        for place in &mut tree {
            if joined.contains(place) {
                *place = *joined.first().expect("a group has sets");
            }
        }
    }
    true
}

fn reuses(groups: &[&Group]) -> bool {
    groups.iter().enumerate().any(|(at, (fan, sets))| {
        let earlier = groups[..at].iter().filter(|(other, _)| other == fan);
        earlier.into_iter().any(|(_, others)| others.iter().any(|set| sets.contains(set)))
    })
}

/// Returns suits and numbers of sets sorted by number.
fn places(sets: &[Set]) -> (Vec<Suit>, Vec<u8>) {
    let suits = sets.iter().filter_map(|set| set.tile.suit()).collect();
    (suits, sets.iter().filter_map(|set| set.tile.number()).collect())
}

fn chow_fan(sets: &[Set], pair: Tile) -> Option<u8> {
    let (suits, numbers) = places(sets);
    let kinds: BTreeSet<Suit> = suits.iter().copied().collect();
    let pure = kinds.len() == 1;
    let mixed = kinds.len() == 3;
    let five_of = |suit: Suit| pair == Tile::new(suit, 5).expect("five");
    let steps: Vec<u8> = numbers.windows(2).map(|pair| pair[1] - pair[0]).collect();
    match (numbers.as_slice(), steps.as_slice()) {
        ([1, 1, 7, 7], _) if pure && five_of(suits[0]) => Some(13),
        ([1, 1, 7, 7], _) => {
            let low: BTreeSet<Suit> = suits[..2].iter().copied().collect();
            let high: BTreeSet<Suit> = suits[2..].iter().copied().collect();
            let third = Suit::ALL.into_iter().find(|suit| !low.contains(suit))?;
            (low.len() == 2 && low == high && five_of(third)).then_some(29)
        }
        (_, [0, 0, 0]) if pure => Some(14),
        (_, [1, 1, 1] | [2, 2, 2]) if pure => Some(16),
        ([1, 4, 7], _) if pure => Some(28),
        ([1, 4, 7], _) if mixed => Some(39),
        (_, [0, 0]) if pure => Some(23),
        (_, [0, 0]) if mixed => Some(41),
        (_, [1, 1] | [2, 2]) if pure => Some(30),
        (_, [1, 1]) if mixed => Some(51),
        (_, [0]) if pure => Some(69),
        (_, [0]) => Some(70),
        (_, [3]) if pure => Some(71),
        (_, [6]) if pure => Some(72),
        _ => None,
    }
}

fn pung_fan(sets: &[Set]) -> Option<u8> {
    let (suits, numbers) = places(sets);
    if numbers.len() != sets.len() {
        return None;
    }
    let kinds: BTreeSet<Suit> = suits.iter().copied().collect();
    let steps: Vec<u8> = numbers.windows(2).map(|pair| pair[1] - pair[0]).collect();
    match (steps.as_slice(), kinds.len()) {
        ([1, 1, 1], 1) => Some(15),
        ([1, 1], 1) => Some(24),
        ([0, 0], 3) => Some(32),
        ([1, 1], 3) => Some(42),
        ([0], 2) => Some(65),
        _ => None,
    }
}
