//! Letters of flowers and seasons, which the parser reads and the printer writes, and the other
//! ways in which people write numbers and suits.

/// Bonus tiles for GB-Mahjong's letters a to h: plum, orchid, bamboo, chrysanthemum, then spring to
/// winter. Bamboo and chrysanthemum are the other way round than on numbered tiles.
pub(super) const FLOWER_LETTERS: [u8; 8] = [0, 1, 3, 2, 4, 5, 6, 7];

/// Offset from a full-width character to the one of ASCII that it stands for.
const FULL_WIDTH: u32 = 0xff01 - 0x21;

/// Returns the character of the grammar that another one stands for: `5` for `五` and `５`, `m` for
/// `萬`, `[` for `【`. Chinese and Japanese players write numbers, suits and melds like that; their
/// keyboards write full-width digits and letters. Any other character is returned as it is.
pub(super) fn to_plain(character: char) -> char {
    match character {
        '一' => '1',
        '二' => '2',
        '三' => '3',
        '四' => '4',
        '五' | '伍' => '5',
        '六' => '6',
        '七' => '7',
        '八' => '8',
        '九' => '9',
        '萬' | '万' => 'm',
        '筒' | '餅' | '饼' => 'p',
        '索' | '條' | '条' | '竹' => 's',
        '【' | '〔' | '「' | '『' | '〈' | '《' | '〖' => '[',
        '】' | '〕' | '」' | '』' | '〉' | '》' | '〗' => ']',
        '\u{ff01}'..='\u{ff5e}' => {
            char::from_u32(u32::from(character) - FULL_WIDTH).unwrap_or(character)
        }
        _ => character,
    }
}

/// Returns whether a character is invisible. Messengers add some to a text that is copied.
pub(super) fn is_invisible(character: char) -> bool {
    character.is_whitespace()
        || matches!(character, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}
