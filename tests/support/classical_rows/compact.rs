//! Parses hands as the scorer writes them: `b1b1b1 c4c5c6 RC2C3C4S5S5 ye md Lb1b1b1b1`.
//!
//! Suits: `s` circles, `b` bamboo, `c` characters, `w` winds `e s w n`, `d` dragons `b g r`. Sets
//! in lower case are exposed, in upper case concealed; `b1B1B1b1` is a concealed kong, `b1b1b1B1`
//! one claimed onto a concealed pung. `R...` are the tiles outside sets; `m` says how the hand was
//! won, `L` has the last tile and the set that it completed.

use serde::Deserialize;
use tilesight_core::context::{CompletedSet, Context, Declaration, WinSource};
use tilesight_core::hand::{Hand, HandSetup, Holding};
use tilesight_core::meld::{Chow, KongKind, Meld, Relation};
use tilesight_core::tile::{Tile, Wind};

use super::{ScorerLine, declared, flowers, scorer_line, sorted};

/// A hand-picked hand, with the result of the scorer.
#[derive(Debug, Deserialize)]
pub struct HandPicked {
    pub id: String,
    hand: String,
    my: Wind,
    round: Wind,
    pub roof_off: bool,
    pub won: bool,
    pub points: u32,
    pub doubles: u32,
    pub limits: f64,
    pub total: u32,
    lines: Vec<Line>,
}

#[derive(Debug, Deserialize)]
struct Line {
    rule: String,
    points: u32,
    doubles: u32,
    limits: f64,
}

impl HandPicked {
    /// Returns every line by our code, in our order.
    pub fn lines(&self) -> Vec<ScorerLine> {
        let each = self.lines.iter();
        sorted(each.map(|line| scorer_line(&line.rule, line.points, line.doubles, line.limits)))
    }

    /// Returns the hand and its context.
    pub fn compact(&self) -> Compact {
        Compact::read(&self.hand, self.my, self.round)
    }
}

/// A parsed compact hand.
#[derive(Debug)]
pub struct Compact {
    setup: HandSetup,
    context: Context,
}

impl Compact {
    fn read(text: &str, seat: Wind, prevalent: Wind) -> Compact {
        let mut setup = HandSetup::default();
        let mut context = Context { seat, prevalent, ..Context::PLAIN };
        let mut bonus = Vec::new();
        let (mut last, mut claimed) = (None, None);
        for word in text.split_whitespace() {
            match &word[..1] {
                "R" => setup.concealed.extend(tiles(&word[1..])),
                "f" | "y" => bonus.push(word),
                "m" => read_win(&word[1..], &mut context),
                "L" => {
                    last = Some(tiles(&word[1..3])[0]);
                    let is_claimed = word[1..2].chars().all(char::is_lowercase);
                    claimed = is_claimed.then(|| completed(&tiles(&word[3..])));
                }
                // The set that a claimed tile completed, and a claimed pair, are in the hand.
                _ => match meld(word) {
                    Some(meld) => setup.melds.push(meld),
                    None => setup.concealed.extend(tiles(word)),
                },
            }
        }
        context.completes = claimed;
        let the_set = |meld: &Meld| claimed.is_some_and(|set| is_the_set(*meld, set));
        if let Some(at) = setup.melds.iter().position(the_set) {
            setup.concealed.extend(setup.melds.remove(at).tiles());
        }
        if let Some(last) = last {
            let at = setup.concealed.iter().position(|&tile| tile == last);
            setup.winning = at.map(|at| setup.concealed.remove(at));
        }
        setup.flowers = flowers(bonus.into_iter());
        Compact { setup, context }
    }

    /// Returns the hand, if it won.
    pub fn hand(&self) -> Hand {
        self.setup.clone().into_hand().expect("a legal hand")
    }

    /// Returns the hand, if it did not win.
    pub fn holding(&self) -> Holding {
        self.setup.clone().into_holding().expect("a holding")
    }

    /// Returns the win context.
    pub const fn context(&self) -> &Context {
        &self.context
    }
}

/// Parses how the hand was won: `w`, `Za`, `1` and so on.
fn read_win(letters: &str, context: &mut Context) {
    let from = Relation::Left;
    let (source, announced) = letters.split_at(1);
    let is_east = context.seat == Wind::East;
    (context.win, context.last_wall_tile) = match source {
        "1" if is_east => (WinSource::SelfDrawn, false),
        "w" => (WinSource::SelfDrawn, false),
        "z" => (WinSource::SelfDrawn, true),
        "d" | "1" => (WinSource::Discard { from }, false),
        "Z" => (WinSource::Discard { from }, true),
        "e" => (WinSource::KongReplacement, false),
        "k" => (WinSource::RobbedKong { from }, false),
        other => panic!("won by {other}"),
    };
    let first = if is_east { Declaration::Heaven } else { Declaration::Earth };
    let at_once = (source == "1").then_some(first);
    context.declared = announced.chars().filter_map(declared).chain(at_once).collect();
}

/// Returns the tiles of a word with two letters per tile.
fn tiles(word: &str) -> Vec<Tile> {
    let letters: Vec<char> = word.to_lowercase().chars().collect();
    letters.chunks(2).map(|code| tile(code[0], code[1])).collect()
}

fn tile(suit: char, value: char) -> Tile {
    let code = match (suit, value) {
        ('c', number) => format!("{number}m"),
        ('s', number) => format!("{number}p"),
        ('b', number) => format!("{number}s"),
        ('w', wind) => wind.to_uppercase().to_string(),
        ('d', 'r') => "C".to_owned(),
        ('d', 'g') => "F".to_owned(),
        ('d', 'b') => "P".to_owned(),
        other => panic!("no tile {other:?}"),
    };
    code.parse().expect("a tile")
}

/// Returns a meld; `None` for a claimed pair, which is not a meld.
fn meld(word: &str) -> Option<Meld> {
    let all = tiles(word);
    let tile = all[0];
    match all.len() {
        2 => None,
        3 if all[1] != tile => Some(Meld::Chow(Chow::new(tile).expect("a chow"))),
        3 => Some(Meld::Pung { tile, from: None }),
        4 => {
            let concealed = word.chars().step_by(2).filter(|suit| suit.is_uppercase()).count();
            let kind = match concealed {
                2 => KongKind::Concealed,
                1 => KongKind::Exposed { from: Some(Relation::Left) },
                0 => KongKind::Added { from: None },
                other => panic!("a kong with {other} concealed tiles"),
            };
            Some(Meld::Kong { tile, kind })
        }
        other => panic!("a meld of {other} tiles"),
    }
}

fn completed(tiles: &[Tile]) -> CompletedSet {
    let text: Vec<String> = tiles.iter().map(ToString::to_string).collect();
    text.concat().parse().expect("a set")
}

fn is_the_set(meld: Meld, set: CompletedSet) -> bool {
    match (meld, set) {
        (Meld::Chow(chow), CompletedSet::Chow(other)) => chow.low() == other.low(),
        (Meld::Pung { tile, .. }, CompletedSet::Pung(other)) => tile == other,
        _ => false,
    }
}
