//! Parser from a text to a hand and its win context: one function for each part of the grammar in
//! the parent module.

use crate::context::{ContextSetup, WinKind};
use crate::hand::{Flowers, HandSize, Reds};
use crate::meld::{Chow, KongKind, Meld, Relation};
use crate::tile::{Bonus, PrintedTile, Suit, Tile, VARIATIONS, Wind};

use super::cursor::Cursor;
use super::error::{Expectation, FoundChar, MarkedSet, NotationError};
use super::letters::FLOWER_LETTERS;
use super::{Notation, chat, print};

/// Tiles of the smallest complete hand when every meld counts as three: from this number on, the
/// last tile is the winning one. A text names no rules, so a hand of sixteen tiles without the
/// winning one says so by `+?`.
const COMPLETE: usize = HandSize::Thirteen.tiles();
/// Room for the tiles of a hand and of a meld, and for those of [`plain_run`] behind its run.
const ROOM: usize = HandSize::MAX.tiles() + 4 + 8;

/// Winds of the win context by their letters, and that of an unknown one. A table has no branches,
/// which would be hard to predict.
static WINDS: [Option<Option<Wind>>; 128] = {
    let mut winds = [None; 128];
    winds[b'E' as usize] = Some(Some(Wind::East));
    winds[b'S' as usize] = Some(Some(Wind::South));
    winds[b'W' as usize] = Some(Some(Wind::West));
    winds[b'N' as usize] = Some(Some(Wind::North));
    winds[b'?' as usize] = Some(None);
    winds
};
/// Flags of the win context by their digits, and that of an unknown one.
static FLAGS: [Option<Option<bool>>; 128] = {
    let mut flags = [None; 128];
    flags[b'0' as usize] = Some(Some(false));
    flags[b'1' as usize] = Some(Some(true));
    flags[b'?' as usize] = Some(None);
    flags
};

type ParseResult<T> = Result<T, NotationError>;

/// Reads a text. The lists of `notation` are used again, everything else in it is replaced; after
/// an error there may be anything.
pub(super) fn notation(text: &str, notation: &mut Notation) -> ParseResult<()> {
    let mut cursor = Cursor::new(text);
    notation.context = ContextSetup::default();
    hand(&mut cursor, notation)?;
    if cursor.take('|') {
        let said = notation.context.win;
        let at = cursor;
        win_context(&mut cursor, &mut notation.context)?;
        agree(said, &mut notation.context.win, at)?;
        if cursor.take('|') {
            notation.hand.flowers = flowers(&mut cursor, notation.hand.flowers)?;
        }
    }
    match cursor.peek() {
        None => Ok(()),
        Some(_) => Err(cursor.error_expecting(Expectation::EndOfText)),
    }
}

/// Reads concealed tiles, melds and the winning tile, up to a `|` or the end.
fn hand(cursor: &mut Cursor<'_>, notation: &mut Notation) -> ParseResult<()> {
    let Notation { hand, context } = notation;
    hand.flowers = Flowers::NONE;
    // Tiles of a meld lie behind the concealed ones while it is read: one list is enough.
    let tiles = &mut hand.concealed;
    tiles.clear();
    tiles.reserve(ROOM);
    let melds = &mut hand.melds;
    melds.clear();
    let mut reds = [0; 3];
    let mut reds_of_melds = [0; 3];
    let mut last_is_red = false;
    let mut winner = None;
    let mut marked = false;
    // Number of tiles before the last run.
    let mut before = 0;
    chat::skip_label(cursor);
    while let Some(next) = cursor.peek().filter(|&next| next != '|') {
        match next {
            '0'..='9' | 'E' | 'S' | 'W' | 'N' | 'C' | 'F' | 'P' => {
                before = tiles.len();
                last_is_red = run(cursor, tiles, &mut reds, Expectation::InHand)?;
            }
            'x' | 'X' | '×' | '*' if take_times(cursor, tiles, before, last_is_red) => {
                before = tiles.len();
            }
            '[' | '(' | '{' | '<' => melds.push(meld(cursor, tiles, &mut reds_of_melds)?),
            '+' if !marked => {
                winner = winning(cursor, tiles)?;
                marked = true;
            }
            _ if chat::is_separator(next) => {
                cursor.next();
            }
            _ if take_note(cursor, &mut hand.flowers, &mut context.win)? => {}
            'r' if !marked && chat::take_red_mark_behind(cursor) => {
                last_is_red = redden_last(tiles, &mut reds, cursor)?;
            }
            _ => {
                before = tiles.len();
                last_is_red = run(cursor, tiles, &mut reds, Expectation::InHand)?;
            }
        }
    }
    if !marked && tiles.len() + 3 * melds.len() >= COMPLETE {
        winner = tiles.pop().map(|tile| PrintedTile { tile, red: last_is_red });
        if let Some(suit) = winner.filter(|tile| tile.red).and_then(|tile| tile.tile.suit()) {
            reds[suit as usize] -= 1;
        }
    }
    hand.reds = Reds::from_counts(reds, winner.is_some_and(|tile| tile.red), reds_of_melds);
    hand.winning = winner.map(|tile| tile.tile);
    Ok(())
}

/// Takes `x3` behind a run of one tile, which is there three times. Returns whether it was there.
#[cold]
fn take_times(cursor: &mut Cursor<'_>, tiles: &mut Vec<Tile>, before: usize, is_red: bool) -> bool {
    let &[.., tile] = tiles.as_slice() else { return false };
    let mut after = *cursor;
    after.next();
    let times = next_number(&mut after).map(|(_, times)| usize::from(times));
    // A number with a suit right behind it is a tile.
    let behind = after.peek().filter(|_| !after.is_behind_space());
    let is_tile = behind.is_some_and(|next| next.is_ascii_digit() || is_suit(next));
    let Some(times @ 2..=4) = times.filter(|_| tiles.len() == before + 1 && !is_red && !is_tile)
    else {
        return false;
    };
    tiles.extend(std::iter::repeat_n(tile, times - 1));
    *cursor = after;
    true
}

/// Returns whether this is the letter of a suit, or that of numbered honors.
const fn is_suit(letter: char) -> bool {
    matches!(letter, 'm' | 'p' | 's' | 'z')
}

/// Takes a flower, or a word for the win, that stands among the tiles. Returns whether there was
/// one.
fn take_note(
    cursor: &mut Cursor<'_>,
    flowers: &mut Flowers,
    win: &mut Option<WinKind>,
) -> ParseResult<bool> {
    let at = *cursor;
    if let Some(bonus) = chat::take_bonus(cursor) {
        skip_variations(cursor);
        *flowers = flowers.with(bonus).map_err(|_| surplus(at))?;
        return Ok(true);
    }
    let Some(said) = chat::take_win_word(cursor) else { return Ok(false) };
    agree(*win, &mut Some(said), at)?;
    *win = Some(said);
    Ok(true)
}

/// Checks that a later win is the one that was written before, or says more about it; takes the
/// earlier one where the later one is not known.
fn agree(before: Option<WinKind>, win: &mut Option<WinKind>, at: Cursor<'_>) -> ParseResult<()> {
    match (before, *win) {
        (None, _) => Ok(()),
        (before, None) => {
            *win = before;
            Ok(())
        }
        (Some(before), Some(later)) if is_drawn(before) == is_drawn(later) => Ok(()),
        _ => Err(NotationError::OtherWin { at: at.position() }),
    }
}

fn is_drawn(win: WinKind) -> bool {
    matches!(win, WinKind::SelfDrawn | WinKind::KongReplacement)
}

/// Makes the last tile a red five, whose mark was taken. Returns that it is one.
fn redden_last(tiles: &[Tile], reds: &mut [u8; 3], after: &Cursor<'_>) -> ParseResult<bool> {
    let five = tiles.last().filter(|tile| tile.number() == Some(5));
    let Some(suit) = five.and_then(|tile| tile.suit()) else {
        return Err(after.error_expecting(Expectation::RedFive));
    };
    reds[suit as usize] = reds[suit as usize].saturating_add(1);
    Ok(true)
}

fn skip_variations(cursor: &mut Cursor<'_>) {
    while VARIATIONS.into_iter().any(|variation| cursor.take(variation)) {}
}

/// Reads `+5p`, or `+?` for an unknown winning tile.
fn winning(cursor: &mut Cursor<'_>, all: &mut Vec<Tile>) -> ParseResult<Option<PrintedTile>> {
    cursor.take('+');
    if cursor.take('?') {
        return Ok(None);
    }
    let start = *cursor;
    let others = all.len();
    let red = run(cursor, all, &mut [0; 3], Expectation::WinningTile)?;
    match all[others..] {
        [tile] => {
            all.truncate(others);
            Ok(Some(PrintedTile { tile, red }))
        }
        ref several => Err(NotationError::SeveralWinningTiles {
            at: start.position(),
            tiles: print::tiles(several),
        }),
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
    let mut first_is_red = false;
    if !first.is_ascii_digit() {
        if is_suit(first)
            && let Some(numbers) = behind_letter(cursor)
        {
            return suited(numbers, first, tiles, reds, false);
        }
        first_is_red = chat::take_red_mark(cursor)?;
        if !first_is_red {
            tiles.push(symbol(cursor, first, expected)?);
            return Ok(false);
        }
    }
    if !first_is_red && plain_run(cursor, tiles) {
        return Ok(false);
    }
    let numbers = *cursor;
    while next_number(cursor).is_some() {}
    let letter = cursor.read(Expectation::Suit, |letter| is_suit(letter).then_some(letter))?;
    suited(numbers, letter, tiles, reds, first_is_red)
}

/// Takes a letter and the numbers behind it, as in `m123p456`, and returns the place of the
/// numbers. Takes nothing if they, or those of a later letter, may belong to the letter behind
/// them, as in `m123p456s`.
#[cold]
fn behind_letter<'a>(cursor: &mut Cursor<'a>) -> Option<Cursor<'a>> {
    let mut end = *cursor;
    let mut first = None;
    while end.peek().is_some_and(is_suit) && chat::take_win_word(&mut { end }).is_none() {
        end.next();
        let numbers = end;
        next_number(&mut end)?;
        while next_number(&mut end).is_some() {}
        first = first.or(Some((numbers, end)));
    }
    let (numbers, end) = first?;
    *cursor = end;
    Some(numbers)
}

/// Adds the tiles of numbers with their suit, and the red fives among them to `reds`; returns
/// whether the last tile is one.
fn suited(
    mut numbers: Cursor<'_>,
    letter: char,
    tiles: &mut Vec<Tile>,
    reds: &mut [u8; 3],
    mut first_is_red: bool,
) -> ParseResult<bool> {
    let mut red = false;
    while let Some((at, number)) = next_number(&mut numbers) {
        tiles.push(parse_suited(at, number, letter)?);
        red = number == 0 || first_is_red;
        first_is_red = false;
        if let Some(suit) = Suit::from_letter(letter).filter(|_| red) {
            reds[suit as usize] = reds[suit as usize].saturating_add(1);
        }
    }
    Ok(red)
}

/// Reads a tile that is written as one character, or as the name of an honor.
fn symbol(cursor: &mut Cursor<'_>, first: char, expected: Expectation) -> ParseResult<Tile> {
    if first.is_ascii() {
        return cursor.read(expected, Tile::from_symbol);
    }
    if let Some(tile) = chat::take_circled(cursor) {
        return Ok(tile);
    }
    skip_color(cursor);
    let tile = cursor.read(expected, Tile::from_symbol)?;
    skip_variations(cursor);
    skip_rest_of_name(cursor, first);
    Ok(tile)
}

/// Takes the first character of 紅中.
#[cold]
fn skip_color(cursor: &mut Cursor<'_>) {
    let mut after = *cursor;
    if matches!(after.next(), Some('紅' | '红')) && after.peek() == Some('中') {
        *cursor = after;
    }
}

/// Takes the second character of the name of an honor in Chinese, such as 東風, 發財 or 白板.
#[cold]
fn skip_rest_of_name(cursor: &mut Cursor<'_>, honor: char) {
    let rest: &[char] = match honor {
        '東' | '东' | '南' | '西' | '北' => &['風', '风'],
        '發' | '发' | '発' => &['財', '财'],
        '白' => &['板'],
        _ => &[],
    };
    if cursor.peek().is_some_and(|next| rest.contains(&next)) {
        cursor.next();
    }
}

/// Reads up to eight numbers of 1 to 9 and a suit with no white space between them, as most runs
/// are. Takes nothing else, and returns whether it did. There is no loop, whose end would be hard
/// to predict: eight characters are looked at, and eight tiles written, at once.
fn plain_run(cursor: &mut Cursor<'_>, tiles: &mut Vec<Tile>) -> bool {
    let rest = cursor.rest();
    let Some(eight) = rest.first_chunk() else { return false };
    let numbers = u64::from_le_bytes(*eight) ^ EIGHT_ZEROS;
    let count = leading_numbers(numbers);
    let letter = rest.get(count).map(|&letter| char::from(letter));
    let Some(suit) = letter.and_then(Suit::from_letter) else { return false };
    let length = tiles.len() + count;
    tiles.extend_from_slice(&Tile::run_of_eight(suit, numbers, count));
    tiles.truncate(length);
    cursor.advance(count + 1);
    true
}

/// The digit 0, eight times: without its bits a digit is its number.
const EIGHT_ZEROS: u64 = repeat(b'0');

/// Returns how many bytes, from the lowest on, are numbers of 1 to 9 one after the other.
fn leading_numbers(bytes: u64) -> usize {
    let above_0 = bytes.wrapping_add(repeat(0x7f));
    let above_9 = bytes.wrapping_add(repeat(0x80 - 10)) | bytes;
    // The highest bit of each byte; a sum carries over only behind the first other byte.
    let others = (!above_0 | above_9) & repeat(0x80);
    (others.trailing_zeros() / 8) as usize
}

const fn repeat(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
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
        None => (Tile::from_honor_number(number), Expectation::NumberOfHonor),
    };
    tile.ok_or_else(|| NotationError::NoSuchTile {
        at: at.position(),
        number,
        suit: letter,
        expected,
    })
}

/// Reads a meld in brackets with its mark.
fn meld(cursor: &mut Cursor<'_>, all: &mut Vec<Tile>, reds: &mut [u8; 3]) -> ParseResult<Meld> {
    let start = *cursor;
    let others = all.len();
    cursor.next();
    run(cursor, all, reds, Expectation::Tile)?;
    while !matches!(cursor.peek(), Some(']' | ')' | '}' | '>' | ',')) {
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
            let tiles = print::tiles(tiles);
            return Err(NotationError::NotASet { at: start.position(), tiles });
        }
    };
    all.truncate(others);
    cursor
        .read(Expectation::EndOfMeld, |next| matches!(next, ']' | ')' | '}' | '>').then_some(()))?;
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
fn win_context(cursor: &mut Cursor<'_>, context: &mut ContextSetup) -> ParseResult<()> {
    if matches!(cursor.peek(), None | Some('|')) {
        return Ok(());
    }
    if plain_context(cursor, context).is_none() {
        spaced_context(cursor, context)?;
    }
    if cursor.take(',') {
        context.from = Some(cursor.read(Expectation::From, relation)?);
    }
    Ok(())
}

/// Reads winds and flags with no white space between them, as in most contexts. Takes nothing else.
fn plain_context(cursor: &mut Cursor<'_>, context: &mut ContextSetup) -> Option<()> {
    let letters = cursor.rest().first_chunk::<6>()?;
    let [prevalent, seat, self_drawn, last_of_kind, last_wall_tile, kong] = letters.map(char::from);
    context.prevalent = wind(prevalent)?;
    context.seat = wind(seat)?;
    context.win = win_kind(flag(self_drawn)?, flag(kong)?)?;
    context.last_of_kind = flag(last_of_kind)?;
    context.last_wall_tile = flag(last_wall_tile)?;
    cursor.advance(letters.len());
    Some(())
}

/// Reads winds and flags, or finds what is wrong with them.
fn spaced_context(cursor: &mut Cursor<'_>, context: &mut ContextSetup) -> ParseResult<()> {
    let prevalent = cursor.read(Expectation::Wind, wind)?;
    let seat = cursor.read(Expectation::Wind, wind)?;
    let self_drawn = cursor.read(Expectation::Flag, flag)?;
    let last_of_kind = cursor.read(Expectation::Flag, flag)?;
    let last_wall_tile = cursor.read(Expectation::Flag, flag)?;
    let at_kong = *cursor;
    let kong = cursor.read(Expectation::Flag, flag)?;
    let win = win_kind(self_drawn, kong).ok_or_else(|| NotationError::HalfKnownWin {
        at: at_kong.position(),
        found: FoundChar(at_kong.peek_written()),
    })?;
    context.win = win;
    context.seat = seat;
    context.prevalent = prevalent;
    context.last_wall_tile = last_wall_tile;
    context.last_of_kind = last_of_kind;
    Ok(())
}

/// Returns the kind of a win, or that it is not known; `None` if one of the flags alone is known.
fn win_kind(self_drawn: Option<bool>, kong: Option<bool>) -> Option<Option<WinKind>> {
    const CLAIMED: [WinKind; 2] = [WinKind::Discard, WinKind::RobbedKong];
    const DRAWN: [WinKind; 2] = [WinKind::SelfDrawn, WinKind::KongReplacement];
    match (self_drawn, kong) {
        (None, None) => Some(None),
        (Some(drawn), Some(kong)) => Some(Some([CLAIMED, DRAWN][drawn as usize][kong as usize])),
        _ => None,
    }
}

fn wind(letter: char) -> Option<Option<Wind>> {
    *WINDS.get(letter as usize)?
}

fn flag(digit: char) -> Option<Option<bool>> {
    *FLAGS.get(digit as usize)?
}

/// Reads a count of flowers without names, then the named flowers, beside those among the tiles.
fn flowers(cursor: &mut Cursor<'_>, before: Flowers) -> ParseResult<Flowers> {
    let mut flowers = before;
    if let Some(digit @ '0'..='9') = cursor.peek() {
        flowers = flowers.with_unnamed(digit as u8 - b'0').map_err(|_| surplus(*cursor))?;
        cursor.next();
    }
    while cursor.peek().is_some() {
        let at = *cursor;
        flowers = flowers.with(flower(cursor)?).map_err(|_| surplus(at))?;
    }
    Ok(flowers)
}

fn surplus(at: Cursor<'_>) -> NotationError {
    NotationError::Flowers { at: at.position(), found: FoundChar(at.peek_written()) }
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
