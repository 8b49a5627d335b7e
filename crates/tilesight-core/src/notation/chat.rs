//! Notes around the tiles of a hand, as people write them in chats: how it was won, red fives, and
//! flowers among the tiles.
//!
//! Input: a cursor at something that is no number, letter or bracket of the grammar. Output: what
//! it means, and the cursor behind it; `None`, with the cursor where it was, if it means nothing
//! here.

use super::cursor::Cursor;
use super::error::{Expectation, NotationError};
use crate::context::WinKind;
use crate::tile::{Bonus, Suit, Tile};

/// Words for a win, in small letters. None is the beginning of an earlier one.
const WORDS: [(&str, WinKind); 16] = [
    ("tsumo", WinKind::SelfDrawn),
    ("zimo", WinKind::SelfDrawn),
    ("自摸", WinKind::SelfDrawn),
    ("ツモ", WinKind::SelfDrawn),
    ("つも", WinKind::SelfDrawn),
    ("ﾂﾓ", WinKind::SelfDrawn),
    ("ron", WinKind::Discard),
    ("ロン", WinKind::Discard),
    ("ろん", WinKind::Discard),
    ("ﾛﾝ", WinKind::Discard),
    ("榮和", WinKind::Discard),
    ("荣和", WinKind::Discard),
    ("栄和", WinKind::Discard),
    ("點炮", WinKind::Discard),
    ("点炮", WinKind::Discard),
    ("放銃", WinKind::Discard),
];

/// Words before a hand, in small letters and without white space. None is the beginning of an
/// earlier one.
const LABELS: [&str; 14] = [
    "myhand",
    "hand",
    "tiles",
    "mainblatt",
    "blatt",
    "ziegel",
    "hånd",
    "brikker",
    "brickor",
    "手牌",
    "牌姿",
    "牌型",
    "和牌",
    "胡牌",
];

/// First tile of Unicode's flowers and seasons: plum, orchid, bamboo, chrysanthemum, then spring to
/// winter.
const UNICODE_PLUM: u32 = 0x1f022;
/// Characters on the same tiles, some of which are written in two ways.
const BONUS_CHARACTERS: [&[char]; 8] =
    [&['梅'], &['蘭', '兰'], &['竹'], &['菊'], &['春'], &['夏'], &['秋'], &['冬']];
/// First of the numbers in circles, with which dots are written.
const CIRCLED_ONE: u32 = 0x2460;

/// Returns whether a character only separates tiles: punctuation, quotation marks and bullets.
pub(super) fn is_separator(character: char) -> bool {
    matches!(character, ',' | ';' | '.' | ':' | '!' | '/' | '-' | '*' | '~' | '`' | '"' | '\'')
        || matches!(character, '、' | '。' | '・' | '·' | '•' | '‧' | '‣' | '–' | '—' | '―' | '→')
        || matches!(character, '“' | '”' | '‘' | '’' | '…')
}

/// Takes a label before the hand, such as `Hand:` or `手牌：`.
#[inline]
pub(super) fn skip_label(cursor: &mut Cursor<'_>) {
    let may_begin = cursor.peek().is_some_and(|first| {
        !first.is_ascii() || matches!(first.to_ascii_lowercase(), 'b' | 'h' | 'm' | 't' | 'z')
    });
    if may_begin {
        take_label(cursor);
    }
}

#[cold]
fn take_label(cursor: &mut Cursor<'_>) {
    let labels = LABELS.into_iter().filter_map(|label| behind_word(*cursor, label));
    if let Some(after) = labels.filter_map(behind_colon).next() {
        *cursor = after;
    }
}

fn behind_colon(mut cursor: Cursor<'_>) -> Option<Cursor<'_>> {
    (cursor.take(':') || cursor.take('=')).then_some(cursor)
}

/// Returns the place behind a word in small letters, if the text has it here.
fn behind_word<'a>(mut cursor: Cursor<'a>, word: &str) -> Option<Cursor<'a>> {
    let is_written = word.chars().all(|wanted| {
        cursor.next().is_some_and(|next| next.to_lowercase().eq(wanted.to_lowercase()))
    });
    is_written.then_some(cursor)
}

/// Takes a word that says how the hand was won.
#[cold]
pub(super) fn take_win_word(cursor: &mut Cursor<'_>) -> Option<WinKind> {
    WORDS.into_iter().find_map(|(word, kind)| {
        let mut after = *cursor;
        let is_written = word
            .chars()
            .all(|wanted| after.next().is_some_and(|next| next.to_ascii_lowercase() == wanted));
        is_written.then(|| {
            *cursor = after;
            kind
        })
    })
}

/// Takes a flower or a season: a tile of Unicode, or the character on it.
#[cold]
pub(super) fn take_bonus(cursor: &mut Cursor<'_>) -> Option<Bonus> {
    let written = cursor.peek_written()?;
    let in_unicode = u32::from(written).checked_sub(UNICODE_PLUM).filter(|place| *place < 8);
    let printed = BONUS_CHARACTERS.iter().position(|printed| printed.contains(&written));
    let place = in_unicode.map(|place| place as usize).or(printed)?;
    cursor.next();
    Bonus::from_index(super::letters::FLOWER_LETTERS[place])
}

/// Takes a number of dots in a circle.
#[cold]
pub(super) fn take_circled(cursor: &mut Cursor<'_>) -> Option<Tile> {
    let place = u32::from(cursor.peek_written()?).checked_sub(CIRCLED_ONE)?;
    let number = u8::try_from(place).ok().filter(|place| *place < 9)? + 1;
    cursor.next();
    Tile::new(Suit::Dots, number)
}

/// Takes the mark of a red five that stands before it: `r5p`, `赤5p`, `红五筒`. Returns whether it is
/// there.
///
/// # Errors
/// [`NotationError::Unexpected`] if what follows is no five.
#[cold]
pub(super) fn take_red_mark(cursor: &mut Cursor<'_>) -> Result<bool, NotationError> {
    let mut after = *cursor;
    if !matches!(after.next(), Some('r' | 'R' | '赤' | '紅' | '红')) {
        return Ok(false);
    }
    match after.peek() {
        Some('5' | '0') => {
            *cursor = after;
            Ok(true)
        }
        Some('1'..='9') => Err(after.error_expecting(Expectation::RedFive)),
        _ => Ok(false),
    }
}

/// Takes the mark of a red five that stands right behind it, as in `5mr`, and before no letter or
/// number. Returns whether it is there.
#[cold]
pub(super) fn take_red_mark_behind(cursor: &mut Cursor<'_>) -> bool {
    let is_mark = cursor.peek() == Some('r') && cursor.stands_alone_behind_a_letter();
    if is_mark {
        cursor.next();
    }
    is_mark
}
