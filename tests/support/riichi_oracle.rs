//! A second, slow engine for riichi, which shares no code with the first: it tries every way to
//! take the tiles apart, one tile after the other, and asks each yaku about lists of tiles.
#![allow(dead_code, missing_docs, unreachable_pub, reason = "each test binary uses a part")]

use std::collections::BTreeMap;

use tilesight_core::context::{Context, Declaration, RiichiCall, WinSource};
use tilesight_core::hand::Hand;
use tilesight_core::meld::Meld;
use tilesight_core::rules::riichi::{Kazoe, MissingShare, Options};
use tilesight_core::rules::{Award, Score};
use tilesight_core::tile::{Tile, Wind};

/// Han, fu (0 for a yakuman) and lines of a reading.
pub type Worth = (u32, u32, BTreeMap<&'static str, u32>);

/// The worth of a hand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Sum of all payments, counters included; 0 without a yaku.
    pub total: u32,
    /// Worth of each of the best readings.
    pub best: Vec<Worth>,
}

/// Returns the worth that the tested engine explains.
pub fn read_worth(score: &Score) -> Worth {
    let figures = score.riichi.as_ref().expect("riichi");
    let han = |award: &Award| (award.rule.code, award.worth.han().unwrap_or(0));
    (figures.han, figures.fu.unwrap_or(0), score.awards.iter().map(han).collect())
}

/// A set of a reading.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Set {
    tiles: Vec<Tile>,
    /// Whether no tile of it was claimed, the winning tile included.
    concealed: bool,
    called: bool,
    won: bool,
}

impl Set {
    fn is_chow(&self) -> bool {
        self.tiles.len() == 3 && self.tiles[0] != self.tiles[1]
    }

    fn is_pair(&self) -> bool {
        self.tiles.len() == 2
    }

    fn is_pung(&self) -> bool {
        !self.is_chow() && !self.is_pair()
    }

    fn is_kong(&self) -> bool {
        self.tiles.len() == 4
    }
}

/// Facts of a hand beside its sets.
struct Facts<'a> {
    hand: &'a Hand,
    context: &'a Context,
    options: &'a Options,
    all: Vec<Tile>,
    closed: bool,
    drawn: bool,
}

/// Returns the verdict on a hand; `None` if it does not win.
pub fn judge(hand: &Hand, context: &Context, options: &Options) -> Option<Verdict> {
    let facts = Facts {
        hand,
        context,
        options,
        all: hand.all().iter().collect(),
        closed: hand.melds().all(Meld::is_concealed),
        drawn: context.win.is_self_drawn(),
    };
    let mut tiles: Vec<Tile> = hand.concealed().iter().collect();
    tiles.push(hand.winning());
    tiles.sort_unstable();
    let mut readings: Vec<Vec<Set>> = Vec::new();
    for at in 0..tiles.len().saturating_sub(1) {
        if tiles[at] == tiles[at + 1] && (at == 0 || tiles[at - 1] != tiles[at]) {
            let mut left = tiles.clone();
            let pair = left.drain(at..at + 2).collect();
            take_apart(&left, &[pair], &mut |sets| readings.extend(won(&facts, sets)));
        }
    }
    let mut values: Vec<(u32, u32, u32, BTreeMap<&'static str, u32>)> = Vec::new();
    values.extend(readings.iter().filter_map(|sets| value(&facts, sets)));
    let mut wins = !readings.is_empty();
    if hand.melds().count() == 0 {
        let mut kinds = tiles.clone();
        kinds.dedup();
        if kinds.len() == 7
            && kinds.iter().all(|kind| tiles.iter().filter(|&tile| tile == kind).count() == 2)
        {
            wins = true;
            let sets: Vec<Set> = kinds.iter().map(|&kind| pair(kind)).collect();
            values.extend(value(&facts, &sets));
        }
        if kinds.len() == 13 && kinds.iter().all(|tile| tile.is_terminal_or_honor()) {
            wins = true;
            let twice = tiles.iter().filter(|&&tile| tile == hand.winning()).count() == 2;
            let name = if twice || takes_any_as_last(&facts) { "kokushi_13" } else { "kokushi" };
            values.push(finish(&facts, &[], &[name], BTreeMap::new()));
        }
    }
    if !wins {
        return None;
    }
    let highest = values.iter().map(|value| value.0).max();
    // At equal payments a yakuman before a counted one, then more han, then more fu.
    let key = |value: &(u32, u32, u32, BTreeMap<&'static str, u32>)| {
        (value.0, value.2 == 0, value.1, value.2)
    };
    let top = values.iter().map(key).max();
    let best = values.iter().filter(|value| Some(key(value)) == top);
    let best = best.map(|(_, han, fu, lines)| (*han, *fu, lines.clone())).collect();
    let counter = match (context.win.is_self_drawn(), options.players) {
        (true, players) => 100 * (u32::from(players) - 1),
        (false, _) => u32::from(options.honba_discard),
    };
    let honba = counter * u32::from(context.honba);
    Some(Verdict { total: highest.map_or(0, |highest| highest + honba), best })
}

fn pair(kind: Tile) -> Set {
    Set { tiles: vec![kind; 2], concealed: true, called: false, won: false }
}

/// Calls `found` with every way to take sorted tiles apart into sets of three.
fn take_apart(tiles: &[Tile], sets: &[Vec<Tile>], found: &mut dyn FnMut(&[Vec<Tile>])) {
    let Some(&first) = tiles.first() else { return found(sets) };
    let without = |wanted: &[Tile]| {
        let mut left = tiles.to_vec();
        for tile in wanted {
            let at = left.iter().position(|other| other == tile)?;
            left.remove(at);
        }
        Some(left)
    };
    let chow = first.successor().and_then(|second| Some(vec![first, second, second.successor()?]));
    for set in [Some(vec![first; 3]), chow].into_iter().flatten() {
        if let Some(left) = without(&set) {
            let mut sets = sets.to_vec();
            sets.push(set);
            take_apart(&left, &sets, found);
        }
    }
}

/// Returns a reading for each set that the winning tile can have completed.
fn won(facts: &Facts<'_>, sets: &[Vec<Tile>]) -> Vec<Vec<Set>> {
    let melds = facts.hand.melds().map(|meld| Set {
        tiles: meld.tiles().collect(),
        concealed: meld.is_concealed(),
        called: !meld.is_concealed(),
        won: false,
    });
    let melds: Vec<Set> = melds.collect();
    let holding = (0..sets.len()).filter(|&at| sets[at].contains(&facts.hand.winning()));
    let readings = holding.map(|won_at| {
        let own = sets.iter().enumerate().map(|(at, tiles)| Set {
            tiles: tiles.clone(),
            concealed: at != won_at || facts.drawn,
            called: false,
            won: at == won_at,
        });
        own.chain(melds.iter().cloned()).collect()
    });
    readings.collect()
}

/// Returns payment, han, fu and lines of a reading; `None` without a yaku.
fn value(facts: &Facts<'_>, sets: &[Set]) -> Option<(u32, u32, u32, BTreeMap<&'static str, u32>)> {
    let yakuman = yakuman(facts, sets);
    let yaku = yaku(facts, sets);
    if yakuman.is_empty() && yaku.is_empty() {
        return None;
    }
    Some(finish(facts, sets, &yakuman, yaku))
}

fn finish(
    facts: &Facts<'_>,
    sets: &[Set],
    of_tiles: &[&'static str],
    mut yaku: BTreeMap<&'static str, u32>,
) -> (u32, u32, u32, BTreeMap<&'static str, u32>) {
    let mut yakuman = of_tiles.to_vec();
    for (declared, name) in [(Declaration::Heaven, "tenhou"), (Declaration::Earth, "chiihou")] {
        if facts.context.declared.contains(declared) {
            yakuman.push(name);
        }
    }
    let east = facts.context.seat == Wind::East;
    let hundreds = |points: u32| points.div_ceil(100) * 100;
    let payment = |base: u32| {
        if !facts.drawn {
            return hundreds(if east { 6 * base } else { 4 * base });
        }
        // The payments of four players, of whom the last may be missing.
        let other = hundreds(if east { 2 * base } else { base });
        let paid = hundreds(2 * base) + other;
        match (facts.options.players, facts.options.missing_share) {
            (4, _) => paid + other,
            (_, MissingShare::Loss) => paid,
            (_, MissingShare::Split) => paid + 2 * hundreds(other / 2),
        }
    };
    if !yakuman.is_empty() {
        let double = ["kokushi_13", "suuankou_tanki", "junsei_chuuren", "daisuushii"];
        let worth = |name: &&'static str| {
            if facts.options.double_yakuman && double.contains(name) { 2 } else { 1 }
        };
        let worths = yakuman.iter().map(worth);
        let count =
            if facts.options.stacked_yakuman { worths.sum() } else { worths.max().unwrap_or(0) };
        let lines = yakuman.iter().map(|name| (*name, 13 * worth(name))).collect();
        return (payment(8000 * count), 13 * count, 0, lines);
    }
    for (name, han) in dora(facts) {
        if han > 0 {
            yaku.insert(name, han);
        }
    }
    let han: u32 = yaku.values().sum();
    let fu = fu(facts, sets, yaku.contains_key("pinfu"));
    let base = match han {
        0..=4 => {
            let base = fu * 2_u32.pow(2 + han);
            if facts.options.kiriage && base == 1920 { 2000 } else { base.min(2000) }
        }
        5 => 2000,
        6..=7 => 3000,
        8..=10 => 4000,
        11..=12 => 6000,
        _ if facts.options.kazoe == Kazoe::Yakuman => 8000,
        _ => 6000,
    };
    (payment(base), han, fu, yaku)
}

fn dora(facts: &Facts<'_>) -> [(&'static str, u32); 4] {
    let three = facts.options.players == 3;
    let norths = if facts.options.north_dora { u32::from(facts.context.norths) } else { 0 };
    let circle = |tiles: &[&str], indicator: &str| {
        let at = tiles.iter().position(|&tile| tile == indicator)?;
        Some(tiles[(at + 1) % tiles.len()].to_owned())
    };
    let named = |indicator: Tile| {
        let code = indicator.to_string();
        let next = circle(&["E", "S", "W", "N"], &code).or_else(|| circle(&["P", "F", "C"], &code));
        let next = next.unwrap_or_else(|| {
            let number = indicator.number().unwrap_or(0) % 9 + 1;
            format!("{number}{}", &code[1..])
        });
        let next = if three && code == "1m" { "9m".to_owned() } else { next };
        let dora: Tile = next.parse().expect("a tile");
        let set_aside = if next == "N" { norths } else { 0 };
        facts.all.iter().filter(|&&tile| tile == dora).count() as u32 + set_aside
    };
    let riichi = facts.context.riichi != RiichiCall::No;
    let ura = facts.context.ura_indicators.iter().filter(|_| riichi);
    [
        ("dora", facts.context.dora_indicators.iter().map(named).sum()),
        ("ura_dora", ura.map(named).sum()),
        ("red_dora", if facts.options.red_fives { red_fives(facts) } else { 0 }),
        ("north_dora", norths),
    ]
}

/// Counts the red fives that were named, and the others of the set if the hand has all four fives.
fn red_fives(facts: &Facts<'_>) -> u32 {
    let named = facts.hand.reds().count_in_suits(facts.hand.winning());
    let suits = named.iter().zip(["5m", "5p", "5s"]).map(|(named, five)| {
        let fives = facts.all.iter().filter(|tile| tile.to_string() == five).count();
        let all = if five == "5p" { facts.options.red_fives_dots } else { 1 };
        u32::from(if fives == 4 { all.max(*named) } else { *named })
    });
    suits.sum()
}

fn fu(facts: &Facts<'_>, sets: &[Set], pinfu: bool) -> u32 {
    if sets.iter().all(Set::is_pair) {
        return 25;
    }
    let mut more = 0;
    for set in sets {
        let tile = set.tiles[0];
        if set.is_pung() {
            let mut fu = if set.is_kong() { 8 } else { 2 };
            fu *= if set.concealed { 2 } else { 1 };
            fu *= if tile.is_terminal_or_honor() { 2 } else { 1 };
            more += fu;
        }
        if set.is_pair() {
            let winds = [facts.context.seat, facts.context.prevalent];
            let both = winds.iter().filter(|wind| tile.wind() == Some(**wind)).count();
            more += match both {
                2 => u32::from(facts.options.double_wind_pair_fu),
                1 => 2,
                _ => u32::from(tile.is_dragon()) * 2,
            };
        }
        if set.won && (set.is_pair() || set.is_chow() && !is_open(set, facts.hand.winning())) {
            more += 2;
        }
    }
    let fu = if facts.drawn {
        20 + more + if pinfu { 0 } else { 2 }
    } else if facts.closed {
        30 + more
    } else if more == 0 {
        u32::from(facts.options.open_pinfu_shape_fu)
    } else {
        20 + more
    };
    fu.div_ceil(10) * 10
}

/// Returns whether the winning tile completed a chow from an end that had another one.
fn is_open(chow: &Set, winning: Tile) -> bool {
    let numbers: Vec<u8> = chow.tiles.iter().filter_map(|tile| tile.number()).collect();
    winning == chow.tiles[0] && numbers[2] != 9 || winning == chow.tiles[2] && numbers[0] != 1
}

fn yakuman(facts: &Facts<'_>, sets: &[Set]) -> Vec<&'static str> {
    let pungs: Vec<&Set> = sets.iter().filter(|set| set.is_pung()).collect();
    let count = |wanted: fn(Tile) -> bool| pungs.iter().filter(|set| wanted(set.tiles[0])).count();
    let has_pair =
        |wanted: fn(Tile) -> bool| sets.iter().any(|set| set.is_pair() && wanted(set.tiles[0]));
    let all = |wanted: &dyn Fn(Tile) -> bool| facts.all.iter().all(|&tile| wanted(tile));
    let green =
        |tile: Tile| ["2s", "3s", "4s", "6s", "8s", "F"].contains(&tile.to_string().as_str());
    let tanki = takes_any_as_last(facts) || sets.iter().any(|set| set.won && set.is_pair());
    let concealed = pungs.iter().filter(|set| set.concealed).count();
    let regular = sets.len() == 5;
    let gates = nine_gates(facts);
    [
        (regular && concealed == 4 && tanki, "suuankou_tanki"),
        (regular && concealed == 4 && !tanki, "suuankou"),
        (count(Tile::is_dragon) == 3, "daisangen"),
        (count(Tile::is_wind) == 3 && regular && has_pair(Tile::is_wind), "shousuushii"),
        (count(Tile::is_wind) == 4, "daisuushii"),
        (all(&Tile::is_honor), "tsuuiisou"),
        (all(&Tile::is_terminal), "chinroutou"),
        (all(&green), "ryuuiisou"),
        (gates == Some(false), "chuuren"),
        (gates == Some(true), "junsei_chuuren"),
        (sets.iter().filter(|set| set.is_kong()).count() == 4, "suukantsu"),
    ]
    .into_iter()
    .filter_map(|(holds, name)| holds.then_some(name))
    .collect()
}

/// Returns whether the nine gates were complete before the winning tile; `None` if it is no such
/// hand.
fn nine_gates(facts: &Facts<'_>) -> Option<bool> {
    let suit = facts.all[0].suit()?;
    let same = facts.all.iter().all(|tile| tile.suit() == Some(suit));
    if !same || facts.hand.melds().count() > 0 {
        return None;
    }
    let mut numbers: Vec<u8> = facts.all.iter().filter_map(|tile| tile.number()).collect();
    for number in [1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9] {
        let at = numbers.iter().position(|&other| other == number)?;
        numbers.remove(at);
    }
    Some(takes_any_as_last(facts) || numbers.first().copied() == facts.hand.winning().number())
}

/// Returns whether the tiles that East was dealt count in the best order.
fn takes_any_as_last(facts: &Facts<'_>) -> bool {
    facts.options.heaven_any_last_tile && facts.context.declared.contains(Declaration::Heaven)
}

fn yaku(facts: &Facts<'_>, sets: &[Set]) -> BTreeMap<&'static str, u32> {
    let (context, closed) = (facts.context, facts.closed);
    let pairs = sets.iter().all(Set::is_pair);
    let chows: Vec<&Set> = sets.iter().filter(|set| set.is_chow()).collect();
    let pungs: Vec<&Set> = sets.iter().filter(|set| set.is_pung()).collect();
    let pair = sets.iter().find(|set| set.is_pair()).expect("a pair").tiles[0];
    let all = |wanted: &dyn Fn(Tile) -> bool| facts.all.iter().all(|&tile| wanted(tile));
    let pung_of = |code: &str| pungs.iter().any(|set| set.tiles[0].to_string() == code);
    let valued = |tile: Tile| {
        tile.is_dragon()
            || [context.seat, context.prevalent].iter().any(|&wind| tile.wind() == Some(wind))
    };
    let won = sets.iter().find(|set| set.won);
    let open_chow = won.is_some_and(|set| set.is_chow() && is_open(set, facts.hand.winning()));
    let mut left: Vec<&[Tile]> = chows.iter().map(|set| set.tiles.as_slice()).collect();
    let mut twins = 0;
    while let Some(first) = left.pop() {
        if let Some(at) = left.iter().position(|&other| other == first) {
            left.remove(at);
            twins += 1;
        }
    }
    let same_in_suits = |sets: &[&Set]| {
        (1..=9).any(|number| {
            "mps".chars().all(|suit| {
                sets.iter().any(|set| set.tiles[0].to_string() == format!("{number}{suit}"))
            })
        })
    };
    let straight = "mps".chars().any(|suit| {
        [1, 4, 7]
            .iter()
            .all(|low| chows.iter().any(|set| set.tiles[0].to_string() == format!("{low}{suit}")))
    });
    let outside = |wanted: &dyn Fn(Tile) -> bool| {
        sets.iter().all(|set| set.tiles.iter().any(|&tile| wanted(tile)))
    };
    let suits: std::collections::BTreeSet<_> =
        facts.all.iter().filter_map(|tile| tile.suit()).collect();
    let honors = facts.all.iter().any(|tile| tile.is_honor());
    let kongs = sets.iter().filter(|set| set.is_kong()).count();
    let concealed = pungs.iter().filter(|set| set.concealed).count();
    let dragons = pungs.iter().filter(|set| set.tiles[0].is_dragon()).count();
    let last = context.last_wall_tile;
    let wind = |wind: Wind| pungs.iter().any(|set| set.tiles[0].wind() == Some(wind));
    let junchan = !chows.is_empty() && outside(&Tile::is_terminal);
    // Name, whether it holds, han in a closed and in an open hand.
    let table: [(&'static str, bool, u32, u32); 30] = [
        ("riichi", context.riichi == RiichiCall::Riichi, 1, 0),
        ("double_riichi", context.riichi == RiichiCall::Double, 2, 0),
        ("ippatsu", context.ippatsu, 1, 0),
        ("menzen_tsumo", facts.drawn, 1, 0),
        ("pinfu", chows.len() == 4 && !valued(pair) && open_chow, 1, 0),
        ("tanyao", all(&Tile::is_simple) && (closed || facts.options.open_tanyao), 1, 1),
        ("iipeikou", twins == 1, 1, 0),
        ("white_dragon", pung_of("P"), 1, 1),
        ("green_dragon", pung_of("F"), 1, 1),
        ("red_dragon", pung_of("C"), 1, 1),
        ("seat_wind", wind(context.seat), 1, 1),
        ("prevalent_wind", wind(context.prevalent), 1, 1),
        ("haitei", last && facts.drawn, 1, 1),
        ("houtei", last && !facts.drawn, 1, 1),
        ("rinshan", context.win == WinSource::KongReplacement, 1, 1),
        ("chankan", matches!(context.win, WinSource::RobbedKong { .. }), 1, 1),
        ("sanshoku_doujun", same_in_suits(&chows), 2, 1),
        ("ittsu", straight, 2, 1),
        ("chanta", !chows.is_empty() && honors && outside(&Tile::is_terminal_or_honor), 2, 1),
        ("chiitoitsu", pairs, 2, 0),
        ("toitoi", pungs.len() == 4, 2, 2),
        ("sanankou", concealed == 3, 2, 2),
        ("sanshoku_doukou", same_in_suits(&pungs), 2, 2),
        ("sankantsu", kongs == 3, 2, 2),
        ("honroutou", all(&Tile::is_terminal_or_honor), 2, 2),
        ("shousangen", dragons == 2 && pair.is_dragon() && !pairs, 2, 2),
        ("junchan", junchan, 3, 2),
        ("honitsu", suits.len() == 1 && honors, 3, 2),
        ("ryanpeikou", twins == 2, 3, 0),
        ("chinitsu", suits.len() == 1 && !honors, 6, 5),
    ];
    let rows = table.into_iter().filter(|(_, holds, ..)| *holds);
    let rows = rows.map(|(name, _, one, other)| (name, if closed { one } else { other }));
    rows.filter(|(_, han)| *han > 0).collect()
}
