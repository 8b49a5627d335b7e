//! Parser from a text to a hand and its win context: one function for each part of the grammar in
//! the parent module.

use crate::context::{ContextSetup, WinKind};
use crate::hand::{Flowers, HandSetup, Reds};
use crate::meld::{Chow, KongKind, Meld, Relation};
use crate::tile::{Bonus, PrintedTile, Suit, Tile, Wind};

use super::Notation;
use super::cursor::Cursor;
use super::error::{Expectation, FoundChar, MarkedSet, NotationError};
use super::letters::FLOWER_LETTERS;
use super::print;

/// Tiles of a complete hand when every meld counts as three: from this number on, the last tile is
/// the winning one.
const COMPLETE: usize = 14;

type ParseResult<T> = Result<T, NotationError>;

pub(super) fn notation(text: &str) -> ParseResult<Notation> {
    let mut cursor = Cursor::new(text);
    let mut notation = Notation::from_hand(hand(&mut cursor)?);
    if cursor.take('|') {
        notation.context = win_context(&mut cursor)?;
        if cursor.take('|') {
            notation.hand.flowers = flowers(&mut cursor)?;
        }
    }
    match cursor.peek() {
        None => Ok(notation),
        Some(_) => Err(cursor.error_expecting(Expectation::EndOfText)),
    }
}

/// Reads concealed tiles, melds and the winning tile, up to a `|` or the end.
fn hand(cursor: &mut Cursor<'_>) -> ParseResult<HandSetup> {
    // Tiles of a meld lie behind the concealed ones while it is read: one list is enough.
    let (mut tiles, mut melds) = (Vec::with_capacity(COMPLETE + 4), Vec::new());
    let (mut reds, mut reds_of_melds) = ([0; 3], [0; 3]);
    let (mut last_is_red, mut winner, mut marked) = (false, None, false);
    while let Some(next) = cursor.peek().filter(|&next| next != '|') {
        match next {
            '[' => melds.push(meld(cursor, &mut tiles, &mut reds_of_melds)?),
            '+' if !marked => {
                winner = winning(cursor, &mut tiles)?;
                marked = true;
            }
            _ => last_is_red = run(cursor, &mut tiles, &mut reds, Expectation::InHand)?,
        }
    }
    if !marked && tiles.len() + 3 * melds.len() >= COMPLETE {
        winner = tiles.pop().map(|tile| PrintedTile { tile, red: last_is_red });
        if let Some(suit) = winner.filter(|tile| tile.red).and_then(|tile| tile.tile.suit()) {
            reds[suit as usize] -= 1;
        }
    }
    Ok(HandSetup {
        reds: Reds::from_counts(reds, winner.is_some_and(|tile| tile.red), reds_of_melds),
        concealed: tiles,
        winning: winner.map(|tile| tile.tile),
        melds,
        ..HandSetup::default()
    })
}

/// Reads `+5p`, or `+?` for an unknown winning tile.
fn winning(cursor: &mut Cursor<'_>, all: &mut Vec<Tile>) -> ParseResult<Option<PrintedTile>> {
    cursor.take('+');
    if cursor.take('?') {
        return Ok(None);
    }
    let (start, others) = (*cursor, all.len());
    let red = run(cursor, all, &mut [0; 3], Expectation::WinningTile)?;
    match all[others..] {
        [tile] => {
            all.truncate(others);
            Ok(Some(PrintedTile { tile, red }))
        }
        ref several => {
            let (at, tiles) = (start.position(), print::tiles(several));
            Err(NotationError::SeveralWinningTiles { at, tiles })
        }
    }
}

/// Reads one honor letter, or numbers and their suit; always at least one tile. Adds the tiles, and
/// the red fives of each suit to `reds`, and returns whether the last tile is one.
fn run(
    cursor: &mut Cursor<'_>,
    tiles: &mut Vec<Tile>,
    reds: &mut [u8; 3],
    expected: Expectation,
) -> ParseResult<bool> {
    let first = cursor.peek().ok_or_else(|| cursor.error_expecting(expected))?;
    if !first.is_ascii_digit() {
        tiles.push(cursor.read(expected, Tile::from_honor_letter)?);
        return Ok(false);
    }
    let mut numbers = *cursor;
    while next_number(cursor).is_some() {}
    let letter = cursor.read(Expectation::Suit, |letter| {
        matches!(letter, 'm' | 'p' | 's' | 'z').then_some(letter)
    })?;
    let mut red = false;
    while let Some((at, number)) = next_number(&mut numbers) {
        tiles.push(parse_suited(at, number, letter)?);
        red = number == 0;
        if let Some(suit) = Suit::from_letter(letter).filter(|_| red) {
            reds[suit as usize] = reds[suit as usize].saturating_add(1);
        }
    }
    Ok(red)
}

/// Takes a digit, and returns it with its place.
fn next_number<'a>(cursor: &mut Cursor<'a>) -> Option<(Cursor<'a>, u8)> {
    let digit = cursor.peek().filter(char::is_ascii_digit)?;
    let at = *cursor;
    cursor.next();
    Some((at, digit as u8 - b'0'))
}

fn parse_suited(at: Cursor<'_>, number: u8, letter: char) -> ParseResult<Tile> {
    let (tile, expected) = match Suit::from_letter(letter) {
        // Players of other games write red fives as 0.
        Some(suit) => {
            (Tile::new(suit, if number == 0 { 5 } else { number }), Expectation::NumberOfSuit)
        }
        None => (honor_at(number), Expectation::NumberOfHonor),
    };
    tile.ok_or_else(|| NotationError::NoSuchTile {
        at: at.position(),
        number,
        suit: letter,
        expected,
    })
}

/// Returns the honor of a number. `1z` to `7z` are E S W N C F P, as in China; riichi tools swap 5z
/// and 7z.
fn honor_at(number: u8) -> Option<Tile> {
    let index = Wind::East.tile().index() as u8 + number.checked_sub(1)?;
    Tile::from_index(index)
}

/// Reads a meld in brackets with its mark.
fn meld(cursor: &mut Cursor<'_>, all: &mut Vec<Tile>, reds: &mut [u8; 3]) -> ParseResult<Meld> {
    let (start, others) = (*cursor, all.len());
    cursor.take('[');
    run(cursor, all, reds, Expectation::Tile)?;
    while !matches!(cursor.peek(), Some(']' | ',')) {
        run(cursor, all, reds, Expectation::InMeld)?;
    }
    let tiles = &all[others..];
    let mark_at = *cursor;
    let mark = if cursor.take(',') { Some(MeldMark::read(cursor)?) } else { None };
    let meld = match set(tiles) {
        Some(Set::Chow(chow)) => claimed_chow(chow, tiles, mark, mark_at)?,
        Some(Set::Pung(tile)) => claimed_pung(tile, mark)?,
        Some(Set::Kong(tile)) => Meld::Kong { tile, kind: kong_kind(mark) },
        None => {
            let (at, tiles) = (start.position(), print::tiles(tiles));
            return Err(NotationError::NotASet { at, tiles });
        }
    };
    all.truncate(others);
    cursor.read(Expectation::EndOfMeld, |next| (next == ']').then_some(()))?;
    Ok(meld)
}

enum Set {
    Chow(Chow),
    Pung(Tile),
    Kong(Tile),
}

fn set(tiles: &[Tile]) -> Option<Set> {
    match *tiles {
        [a, b, c, d] => ([b, c, d] == [a; 3]).then_some(Set::Kong(a)),
        [a, b, c] => {
            let mut sorted = [a, b, c];
            sorted.sort_unstable();
            let [low, ..] = sorted;
            if sorted == [low; 3] {
                return Some(Set::Pung(low));
            }
            Chow::new(low).filter(|chow| chow.tiles() == sorted).map(Set::Chow)
        }
        _ => None,
    }
}

/// The mark after the comma in a meld.
#[derive(Clone, Copy)]
struct MeldMark<'a> {
    at: Cursor<'a>,
    letter: char,
}

impl<'a> MeldMark<'a> {
    fn read(cursor: &mut Cursor<'a>) -> ParseResult<MeldMark<'a>> {
        let at = *cursor;
        let letter = cursor.read(Expectation::Mark, |mark| {
            matches!(mark, '0'..='3' | '5'..='7' | '?' | '+').then_some(mark)
        })?;
        Ok(MeldMark { at, letter })
    }

    fn wrong(self, kind: MarkedSet) -> NotationError {
        NotationError::WrongMark {
            at: self.at.position(),
            found: FoundChar(Some(self.letter)),
            kind,
        }
    }
}

/// Applies the mark of a chow, which says which of its tiles was claimed: 1 to 3, from the lowest.
fn claimed_chow(
    chow: Chow,
    written: &[Tile],
    mark: Option<MeldMark<'_>>,
    mark_at: Cursor<'_>,
) -> ParseResult<Meld> {
    let Some(mark) = mark.filter(|mark| mark.letter != '?') else {
        return Ok(Meld::Chow(chow));
    };
    if *written != chow.tiles() {
        let rising = print::tiles(&chow.tiles());
        return Err(NotationError::MarkOnUnsortedChow { at: mark_at.position(), rising });
    }
    let place = relation(mark.letter).map(|relation| relation as usize);
    place
        .and_then(|place| chow.claiming(chow.tiles()[place]))
        .map(Meld::Chow)
        .ok_or_else(|| mark.wrong(MarkedSet::Chow))
}

/// Applies the mark of a pung, which says from whom the tile was claimed.
fn claimed_pung(tile: Tile, mark: Option<MeldMark<'_>>) -> ParseResult<Meld> {
    let from = match mark {
        None | Some(MeldMark { letter: '?', .. }) => None,
        Some(mark) => match relation(mark.letter) {
            Some(from) => Some(from),
            None => {
                return Err(mark.wrong(MarkedSet::Pung));
            }
        },
    };
    Ok(Meld::Pung { tile, from })
}

/// Returns the kind of a kong from its mark, which says from whom the tile was claimed, plus 4 if
/// it was added to a pung. Without a mark, or with 0, the kong is concealed.
fn kong_kind(mark: Option<MeldMark<'_>>) -> KongKind {
    match mark.map(|mark| mark.letter) {
        None | Some('0') => KongKind::Concealed,
        Some('+') => KongKind::Added { from: None },
        Some('5') => KongKind::Added { from: Some(Relation::Left) },
        Some('6') => KongKind::Added { from: Some(Relation::Across) },
        Some('7') => KongKind::Added { from: Some(Relation::Right) },
        Some(letter) => KongKind::Exposed { from: relation(letter) },
    }
}

fn relation(mark: char) -> Option<Relation> {
    match mark {
        '1' => Some(Relation::Left),
        '2' => Some(Relation::Across),
        '3' => Some(Relation::Right),
        _ => None,
    }
}

/// Reads winds, flags and the discarder; an empty part leaves all of them unknown.
fn win_context(cursor: &mut Cursor<'_>) -> ParseResult<ContextSetup> {
    if matches!(cursor.peek(), None | Some('|')) {
        return Ok(ContextSetup::default());
    }
    let prevalent = cursor.read(Expectation::Wind, wind)?;
    let seat = cursor.read(Expectation::Wind, wind)?;
    let self_drawn = cursor.read(Expectation::Flag, flag)?;
    let last_of_kind = cursor.read(Expectation::Flag, flag)?;
    let last_wall_tile = cursor.read(Expectation::Flag, flag)?;
    let kong = *cursor;
    let win = match (self_drawn, cursor.read(Expectation::Flag, flag)?) {
        (None, None) => None,
        (Some(true), Some(false)) => Some(WinKind::SelfDrawn),
        (Some(true), Some(true)) => Some(WinKind::KongReplacement),
        (Some(false), Some(false)) => Some(WinKind::Discard),
        (Some(false), Some(true)) => Some(WinKind::RobbedKong),
        _ => {
            let (at, found) = (kong.position(), FoundChar(kong.peek()));
            return Err(NotationError::HalfKnownWin { at, found });
        }
    };
    let from =
        if cursor.take(',') { Some(cursor.read(Expectation::From, relation)?) } else { None };
    Ok(ContextSetup {
        seat,
        prevalent,
        win,
        from,
        last_wall_tile,
        last_of_kind,
        ..ContextSetup::default()
    })
}

fn wind(letter: char) -> Option<Option<Wind>> {
    match letter {
        '?' => Some(None),
        _ => Tile::from_honor_letter(letter)?.wind().map(Some),
    }
}

fn flag(digit: char) -> Option<Option<bool>> {
    match digit {
        '?' => Some(None),
        '0' => Some(Some(false)),
        '1' => Some(Some(true)),
        _ => None,
    }
}

/// Reads a count of flowers without names, then the named flowers.
fn flowers(cursor: &mut Cursor<'_>) -> ParseResult<Flowers> {
    let surplus =
        |at: Cursor<'_>| NotationError::Flowers { at: at.position(), found: FoundChar(at.peek()) };
    let mut flowers = Flowers::NONE;
    if let Some(digit @ '0'..='9') = cursor.peek() {
        flowers = Flowers::from_unnamed_count(digit as u8 - b'0').map_err(|_| surplus(*cursor))?;
        cursor.next();
    }
    while cursor.peek().is_some() {
        let at = *cursor;
        flowers = flowers.with(flower(cursor)?).map_err(|_| surplus(at))?;
    }
    Ok(flowers)
}

/// Reads a letter from a to h, or `f` or `s` with a number; `f` alone is the sixth letter.
fn flower(cursor: &mut Cursor<'_>) -> ParseResult<Bonus> {
    let letter = cursor
        .read(Expectation::Flower, |letter| matches!(letter, 'a'..='h' | 's').then_some(letter))?;
    let group = match letter {
        's' => Some(4),
        'f' if cursor.peek().is_some_and(|next| next.is_ascii_digit()) => Some(0),
        _ => None,
    };
    let index = match group {
        Some(group) => cursor.read(Expectation::NumberOfFlower, |digit| match digit {
            '1'..='4' => Some(group + digit as u8 - b'1'),
            _ => None,
        })?,
        None => FLOWER_LETTERS[usize::from(letter as u8 - b'a')],
    };
    Bonus::from_index(index).ok_or_else(|| cursor.error_expecting(Expectation::Flower))
}
