//! Printer of the canonical form: melds in their order, the concealed tiles sorted, the winning
//! tile last. Hands that GB-Mahjong can express are printed in its form.

use std::fmt;

use crate::context::{ContextSetup, WinKind};
use crate::hand::{Flowers, HandSetup, HandSize};
use crate::meld::{KongKind, Meld, Relation};
use crate::tile::{PrintedTile, Tile, Wind};

use super::Notation;
use super::letters::FLOWER_LETTERS;

/// Tiles of the smallest hand without the winning one when every meld counts as three.
const WAITING: usize = HandSize::Thirteen.waiting();

impl fmt::Display for Notation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        hand(out, &self.hand)?;
        let flowers = self.hand.flowers;
        if self.context != ContextSetup::default() {
            out.write_str("|")?;
            win_context(out, &self.context)?;
        } else if flowers.count() > 0 {
            out.write_str("|")?;
        }
        if flowers.count() > 0 {
            out.write_str("|")?;
            print_flowers(out, flowers)?;
        }
        Ok(())
    }
}

/// Prints tiles in the given order; consecutive numbers of one suit share its letter.
pub(super) fn tiles(tiles: &[Tile]) -> String {
    let plain: Vec<PrintedTile> = tiles.iter().copied().map(PrintedTile::plain).collect();
    Run(&plain).to_string()
}

struct Run<'a>(&'a [PrintedTile]);

impl fmt::Display for Run<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, &PrintedTile { tile, red }) in self.0.iter().enumerate() {
            let (Some(number), Some(suit)) = (tile.number(), tile.suit()) else {
                write!(out, "{tile}")?;
                continue;
            };
            write!(out, "{}", if red { 0 } else { number })?;
            if self.0.get(place + 1).and_then(|next| next.tile.suit()) != Some(suit) {
                write!(out, "{}", suit.letter())?;
            }
        }
        Ok(())
    }
}

fn hand(out: &mut fmt::Formatter<'_>, hand: &HandSetup) -> fmt::Result {
    for (meld, tiles) in hand.melds.iter().zip(hand.reds.print_melds(&hand.melds)) {
        print_meld(out, *meld, &tiles)?;
    }
    let mut concealed = hand.concealed.clone();
    concealed.sort_unstable();
    write!(out, "{}", Run(&hand.reds.print_concealed(&concealed)))?;
    // The parser takes the last tile of a complete hand as the winning one: every other case needs
    // a mark.
    let room = concealed.len() + 3 * hand.melds.len();
    match hand.winning.map(|tile| hand.reds.print_winning(tile)) {
        Some(tile) if room >= WAITING => write!(out, "{tile}"),
        Some(tile) => write!(out, "+{tile}"),
        None if room > WAITING => out.write_str("+?"),
        None => Ok(()),
    }
}

fn print_meld(out: &mut fmt::Formatter<'_>, meld: Meld, tiles: &[PrintedTile]) -> fmt::Result {
    write!(out, "[{}", Run(tiles))?;
    let mark = match meld {
        Meld::Chow(chow) => chow
            .claimed_tile()
            .and_then(|claimed| chow.tiles().iter().position(|&tile| tile == claimed))
            .map(|place| place + 1),
        Meld::Pung { from, .. } => from.map(place),
        Meld::Kong { kind: KongKind::Concealed, .. } => None,
        Meld::Kong { kind: KongKind::Exposed { from }, .. } => match from {
            Some(from) => Some(place(from)),
            None => return out.write_str(",?]"),
        },
        Meld::Kong { kind: KongKind::Added { from }, .. } => match from {
            Some(from) => Some(place(from) + 4),
            None => return out.write_str(",+]"),
        },
    };
    match mark {
        Some(mark) => write!(out, ",{mark}]"),
        None => out.write_str("]"),
    }
}

/// Returns 1 for the left player, 2 for across and 3 for the right player.
fn place(from: Relation) -> usize {
    from as usize + 1
}

fn win_context(out: &mut fmt::Formatter<'_>, context: &ContextSetup) -> fmt::Result {
    let (self_drawn, kong) = match context.win {
        None => ('?', '?'),
        Some(WinKind::SelfDrawn) => ('1', '0'),
        Some(WinKind::KongReplacement) => ('1', '1'),
        Some(WinKind::Discard) => ('0', '0'),
        Some(WinKind::RobbedKong) => ('0', '1'),
    };
    let prevalent = wind(context.prevalent);
    let seat = wind(context.seat);
    let of_kind = flag(context.last_of_kind);
    let of_wall = flag(context.last_wall_tile);
    write!(out, "{prevalent}{seat}{self_drawn}{of_kind}{of_wall}{kong}")?;
    match context.from {
        Some(from) => write!(out, ",{}", place(from)),
        None => Ok(()),
    }
}

fn wind(wind: Option<Wind>) -> String {
    wind.map_or_else(|| "?".to_owned(), |wind| wind.to_string())
}

fn flag(flag: Option<bool>) -> char {
    match flag {
        None => '?',
        Some(false) => '0',
        Some(true) => '1',
    }
}

/// Prints the count first, so that a letter is never followed by a digit.
fn print_flowers(out: &mut fmt::Formatter<'_>, flowers: Flowers) -> fmt::Result {
    if flowers.unnamed_count() > 0 {
        write!(out, "{}", flowers.unnamed_count())?;
    }
    for (letter, index) in ('a'..).zip(FLOWER_LETTERS) {
        if flowers.iter().any(|flower| flower.index() == usize::from(index)) {
            write!(out, "{letter}")?;
        }
    }
    Ok(())
}
