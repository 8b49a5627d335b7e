//! A second, slow engine for Hong Kong old style, written from the specification: it takes the
//! tiles apart by trying everything, and shares no code with the engine.
#![allow(missing_docs, unreachable_pub, reason = "each test binary uses a part")]

use std::collections::BTreeMap;

use tilesight_core::context::{Context, Declaration, WinSource};
use tilesight_core::hand::Hand;
use tilesight_core::meld::Meld;
use tilesight_core::rules::hongkong::{
    AllChowsPair, FaanValues, Line, LineValue, NineGatesWait, Options, PaymentTable,
    Responsibility, Ruling,
};
use tilesight_core::tile::{Tile, Wind};

/// Lines that count, with their counts.
pub type Lines = BTreeMap<&'static str, u32>;

/// Faan of a hand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    pub faan: u32,
    pub raw: u32,
    pub limit_hand: bool,
    /// Lists of lines that are worth this.
    pub lists: Vec<Lines>,
}

/// A set of three or four: whether it is a chow, and its lowest tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Set {
    chow: bool,
    tile: usize,
}

/// A way to take the concealed tiles apart.
enum Parts {
    Sets(Vec<Set>, usize),
    Pairs,
    Orphans,
}

/// Returns what a hand is worth; `None` if it does not win.
pub fn judge(
    hand: &Hand,
    context: &Context,
    options: &Options,
    values: &FaanValues,
) -> Option<Verdict> {
    let judge = Judge { hand, context, options, values };
    let mut all: Vec<(u32, u32, bool, Lines)> = Vec::new();
    for parts in judge.parts() {
        all.extend(judge.worth(&parts));
    }
    let (faan, raw, limit_hand) = all.iter().map(|one| (one.0, one.1, one.2)).max()?;
    let best = all.into_iter().filter(|one| (one.0, one.1, one.2) == (faan, raw, limit_hand));
    Some(Verdict { faan, raw, limit_hand, lists: best.map(|one| one.3).collect() })
}

/// Returns who gains and loses what by a legal hand.
pub fn payments(faan: u32, context: &Context, options: &Options) -> [i32; 4] {
    let unit = match (options.table, faan) {
        (PaymentTable::Spicy, faan) => 2_i32.pow(faan),
        (PaymentTable::HalfSpicy, 0..=4) | (PaymentTable::Tiers, 0..=3) => 2_i32.pow(faan),
        (PaymentTable::HalfSpicy, faan) if faan % 2 == 0 => 4 * 2_i32.pow(faan / 2),
        (PaymentTable::HalfSpicy, faan) => 6 * 2_i32.pow(faan / 2),
        (PaymentTable::Tiers, 4..=6) => 16,
        (PaymentTable::Tiers, 7..=9) => 32,
        (PaymentTable::Tiers, _) => 64,
    };
    let discarder = context.win.from().map(|from| context.seat.seat_of(from));
    let pays = |seat: Wind| match (discarder, options.responsibility) {
        _ if seat == context.seat => 0,
        (None, _) => 2,
        (Some(payer), Responsibility::Full) => 4 * i32::from(payer == seat),
        (Some(payer), Responsibility::Half) => 1 + i32::from(payer == seat),
    };
    let sum: i32 = Wind::ALL.into_iter().map(pays).sum();
    Wind::ALL.map(|seat| unit * if seat == context.seat { sum } else { -pays(seat) })
}

struct Judge<'a> {
    hand: &'a Hand,
    context: &'a Context,
    options: &'a Options,
    values: &'a FaanValues,
}

const fn is_outer(tile: usize) -> bool {
    tile >= 27 || matches!(tile % 9, 0 | 8)
}

const fn is_dragon(tile: usize) -> bool {
    tile >= 31
}

const fn is_wind(tile: usize) -> bool {
    tile >= 27 && tile < 31
}

impl Judge<'_> {
    fn concealed(&self) -> [u8; 34] {
        let mut counts = *self.hand.concealed().as_array();
        counts[self.hand.winning().index()] += 1;
        counts
    }

    fn melds(&self) -> Vec<Meld> {
        self.hand.melds().collect()
    }

    fn all(&self) -> Vec<usize> {
        self.hand.all().iter().map(Tile::index).collect()
    }

    /// Returns every way to take the hand apart.
    fn parts(&self) -> Vec<Parts> {
        let counts = self.concealed();
        let mut all = Vec::new();
        if self.melds().is_empty() {
            let pairs = counts.iter().filter(|&&count| count == 2).count() == 7;
            if pairs && self.options.seven_pairs && self.is_worth(Line::SevenPairs) {
                all.push(Parts::Pairs);
            }
            let orphans = (0..34).all(|tile| (counts[tile] > 0) == is_outer(tile));
            if orphans && self.is_worth(Line::ThirteenOrphans) {
                all.push(Parts::Orphans);
            }
        }
        for pair in (0..34).filter(|&pair| counts[pair] >= 2) {
            let mut left = counts;
            left[pair] -= 2;
            let mut found = Vec::new();
            take_apart(&mut left, 0, &mut Vec::new(), &mut found);
            all.extend(found.into_iter().map(|sets| Parts::Sets(sets, pair)));
        }
        all
    }

    fn is_worth(&self, line: Line) -> bool {
        self.values.value(line) != LineValue::Faan(0)
    }

    /// Returns faan, faan before the cut, whether it is a limit hand, and the lines.
    fn worth(&self, parts: &Parts) -> Option<(u32, u32, bool, Lines)> {
        let mut shown: Vec<(Line, u32)> = self.win_lines();
        shown.extend(self.flower_lines());
        match parts {
            Parts::Orphans => shown.push((Line::ThirteenOrphans, 1)),
            Parts::Pairs => {
                shown.push((Line::SevenPairs, 1));
                shown.extend(self.suit_line());
            }
            Parts::Sets(sets, pair) => shown.extend(self.set_lines(sets, *pair)),
        }
        shown.retain(|(line, count)| *count > 0 && self.is_worth(*line));
        let there: Vec<Line> = shown.iter().map(|(line, _)| *line).collect();
        shown.retain(|(line, _)| !self.is_replaced(*line, &there));
        let is_limit = |line: &Line| self.values.value(*line) == LineValue::Limit;
        let limit = self.options.limit;
        let limits: Vec<(Line, u32)> =
            shown.iter().filter(|(line, _)| is_limit(line)).copied().collect();
        let lines = |lines: Vec<(Line, u32)>| {
            lines.into_iter().map(|(line, count)| (line.rule().code, count)).collect()
        };
        if !limits.is_empty() {
            return Some((limit, limit, true, lines(limits)));
        }
        let raw = shown.iter().map(|(line, count)| match self.values.value(*line) {
            LineValue::Faan(faan) => u32::from(faan) * count,
            LineValue::Limit => 0,
        });
        let raw: u32 = raw.sum();
        Some((raw.min(limit), raw, false, lines(shown)))
    }

    fn is_replaced(&self, line: Line, there: &[Line]) -> bool {
        use Line::*;
        let has = |other| there.contains(&other);
        let included = |ruling| ruling == Ruling::Included;
        let options = self.options;
        match line {
            Dragon => {
                has(BigThreeDragons)
                    || has(SmallThreeDragons) && included(options.small_dragons_pungs)
            }
            SeatWind | PrevalentWind => {
                has(BigFourWinds) || has(SmallFourWinds) && included(options.small_winds_pungs)
            }
            AllPungs => {
                has(FourConcealedPungs)
                    || has(AllKongs)
                    || has(AllHonors) && included(options.honors_pungs)
                    || has(AllTerminals) && included(options.terminals_pungs)
            }
            FullFlush | AllChows => has(NineGates),
            ConcealedHand => has(SevenPairs) && included(options.seven_pairs_concealed),
            KongReplacement => has(DoubleKong),
            OwnFlower => has(AllFlowers) && !options.own_flower_in_set,
            OwnSeason => has(AllSeasons) && !options.own_flower_in_set,
            _ => false,
        }
    }

    fn is_self_drawn(&self) -> bool {
        matches!(self.context.win, WinSource::SelfDrawn | WinSource::KongReplacement)
    }

    fn is_called(&self) -> bool {
        self.melds().iter().any(|meld| !meld.is_concealed())
    }

    fn win_lines(&self) -> Vec<(Line, u32)> {
        use Line::*;
        let context = self.context;
        let declared = |one| u32::from(context.declared.contains(one));
        vec![
            (SelfDraw, u32::from(self.is_self_drawn())),
            (ConcealedHand, u32::from(!self.is_called())),
            (RobbingKong, u32::from(matches!(context.win, WinSource::RobbedKong { .. }))),
            (KongReplacement, u32::from(context.win == WinSource::KongReplacement)),
            (LastTile, u32::from(context.last_wall_tile)),
            (DoubleKong, declared(Declaration::TwofoldFortune)),
            (HeavenlyHand, declared(Declaration::Heaven)),
            (EarthlyHand, declared(Declaration::Earth)),
        ]
    }

    /// Returns the lines of bonus tiles, all of which are known by name.
    fn flower_lines(&self) -> Vec<(Line, u32)> {
        use Line::*;
        if !self.options.flowers {
            return Vec::new();
        }
        let all: Vec<String> = self.hand.flowers().iter().map(|bonus| bonus.to_string()).collect();
        let number = self.context.seat as usize + 1;
        let has = |code: String| u32::from(all.contains(&code));
        let four = |kind: char| u32::from((1..=4).all(|at| all.contains(&format!("{kind}{at}"))));
        vec![
            (NoFlowers, u32::from(all.is_empty() && self.options.no_flowers_counts)),
            (OwnFlower, has(format!("f{number}"))),
            (OwnSeason, has(format!("s{number}"))),
            (AllFlowers, four('f')),
            (AllSeasons, four('s')),
        ]
    }

    fn suit_line(&self) -> Option<(Line, u32)> {
        let all = self.all();
        let honors = all.iter().any(|&tile| tile >= 27);
        let mut suits: Vec<usize> =
            all.iter().filter(|&&tile| tile < 27).map(|tile| tile / 9).collect();
        suits.sort_unstable();
        suits.dedup();
        match (suits.len(), honors) {
            (0, _) => Some((Line::AllHonors, 1)),
            (1, true) => Some((Line::HalfFlush, 1)),
            (1, false) => Some((Line::FullFlush, 1)),
            _ => None,
        }
    }

    fn set_lines(&self, in_hand: &[Set], pair: usize) -> Vec<(Line, u32)> {
        use Line::*;
        let melds = self.melds();
        let mut sets = in_hand.to_vec();
        sets.extend(melds.iter().map(|meld| Set {
            chow: matches!(meld, Meld::Chow(_)),
            tile: meld.first_tile().index(),
        }));
        let kongs = melds.iter().filter(|meld| matches!(meld, Meld::Kong { .. })).count();
        let chows = sets.iter().filter(|set| set.chow).count();
        let pungs: Vec<usize> = sets.iter().filter(|set| !set.chow).map(|set| set.tile).collect();
        let number = |kind: fn(usize) -> bool| pungs.iter().filter(|&&tile| kind(tile)).count();
        let (dragons, winds) = (number(is_dragon), number(is_wind));
        let all = self.all();
        let only_pungs = chows == 0;
        let outer = all.iter().all(|&tile| is_outer(tile));
        let honors = all.iter().filter(|&&tile| tile >= 27).count();
        let wind = |wind: Wind| u32::from(pungs.contains(&(27 + wind as usize)));
        let hidden = self.is_self_drawn()
            && !self.is_called()
            && (kongs == 0 || self.options.hidden_kongs_in_four);
        let flag = |line, condition: bool| (line, u32::from(condition));
        let suited = pair < 27 || self.options.all_chows_pair == AllChowsPair::Any;
        let mixed = only_pungs && outer && (1..all.len()).contains(&honors);
        let mut lines = vec![
            flag(AllChows, chows == 4 && suited),
            flag(AllPungs, only_pungs),
            flag(AllTerminals, only_pungs && outer && honors == 0),
            flag(MixedTerminals, mixed && self.options.mixed_terminals),
            flag(FourConcealedPungs, only_pungs && hidden),
            flag(AllKongs, kongs == 4),
            (Dragon, dragons as u32),
            (SeatWind, wind(self.context.seat)),
            (PrevalentWind, wind(self.context.prevalent)),
            flag(SmallThreeDragons, dragons == 2 && is_dragon(pair)),
            flag(BigThreeDragons, dragons == 3),
            flag(SmallFourWinds, winds == 3 && is_wind(pair)),
            flag(BigFourWinds, winds == 4),
            flag(NineGates, self.is_nine_gates()),
        ];
        lines.extend(self.suit_line());
        lines
    }

    fn is_nine_gates(&self) -> bool {
        let counts = self.concealed();
        let winning = self.hand.winning().index();
        let first = winning / 9 * 9;
        if winning >= 27 || counts[first..first + 9].iter().sum::<u8>() != 14 {
            return false;
        }
        let surplus =
            (0..9).all(|at| counts[first + at] >= if matches!(at, 0 | 8) { 3 } else { 1 });
        let extra = winning - first;
        let nine_sided = counts[winning] == if matches!(extra, 0 | 8) { 4 } else { 2 };
        surplus && (self.options.nine_gates_wait == NineGatesWait::Any || nine_sided)
    }
}

/// Finds every way to take tiles apart into pungs and chows.
fn take_apart(left: &mut [u8; 34], from: usize, taken: &mut Vec<Set>, found: &mut Vec<Vec<Set>>) {
    let Some(tile) = (from..34).find(|&tile| left[tile] > 0) else {
        found.push(taken.clone());
        return;
    };
    if left[tile] >= 3 {
        left[tile] -= 3;
        taken.push(Set { chow: false, tile });
        take_apart(left, tile, taken, found);
        taken.pop();
        left[tile] += 3;
    }
    if tile < 27 && tile % 9 < 7 && left[tile + 1] > 0 && left[tile + 2] > 0 {
        (tile..tile + 3).for_each(|at| left[at] -= 1);
        taken.push(Set { chow: true, tile });
        take_apart(left, tile, taken, found);
        taken.pop();
        (tile..tile + 3).for_each(|at| left[at] += 1);
    }
}
