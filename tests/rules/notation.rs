//! The text notation: it parses what MCR tools write, parses what it prints, and points at errors.

use proptest::prelude::*;
use tilesight_core::context::{ContextSetup, WinKind};
use tilesight_core::contract::HandDto;
use tilesight_core::hand::{Flowers, HandSetup};
use tilesight_core::meld::{Chow, KongKind, Meld, Relation};
use tilesight_core::notation::{Notation, NotationError};
use tilesight_core::tile::{Bonus, Tile, Wind};

/// Texts and their canonical form. The first block is from the unit tests of GB-Mahjong; if its own
/// canonical form differs, the reason is in a comment.
const CANONICAL: &[(&str, &str)] = &[
    ("[CCCC][FFFF][PPPP][NNNN]EE", "[CCCC][FFFF][PPPP][NNNN]EE"),
    ("[345s,2]34555567p[789m,1]", "[345s,2][789m,1]3455556p7p"),
    ("345s3555567p[789m,1]4p", "[789m,1]3555567p345s4p"), // tiles in the order m p s
    (" 345 s3pFF5 567p[789m,1]4p ", "[789m,1]35567p345sFF4p"),
    ("345s345m55567p[789m,1]|NE1010", "[789m,1]345m5556p345s7p|NE1010"),
    ("345s345m55567p[789m,1]|NE1010|5", "[789m,1]345m5556p345s7p|NE1010|5"), // five, not a to e
    ("345s345m55567p[789m,1]|NE1010|cbaghd", "[789m,1]345m5556p345s7p|NE1010|abcdgh"),
    ("345s[777m,3]345m55567p|NE1010|0", "[777m,3]345m5556p345s7p|NE1010"),
    ("345s3p55p5567p[7777s,1]4p", "[7777s,1]3555567p345s4p"),
    ("345s3p55p5567p[7777s,7]4p", "[7777s,7]3555567p345s4p"),
    ("345s3p55p5567p[7777s]4p|EE0100|cbaghdfe", "[7777s]3555567p345s4p|EE0100|abcdefgh"),
    ("345s3pFF5567p[3333m,6]", "[3333m,6]35567p345sFF"), // thirteen tiles: none has won
    (
        "[1111s,1][2222m,2][3333p,7][4444p]88s|EE0000|2",
        "[1111s,1][2222m,2][3333p,7][4444p]8s8s|EE0000|2",
    ),
    // Honors by number, in China's order; red fives.
    ("1234567z", "ESWNCFP"),
    ("[777z,3]0m0p0s", "[PPP,3]0m0p0s"),
    // Features of this notation only.
    ("[EEE][WWWW,?][NNNN,+][CCCC,0]", "[EEE][WWWW,?][NNNN,+][CCCC]"),
    ("[243m]", "[234m]"),
    ("123m+5p", "123m+5p"),
    ("123456789m12345p+?", "123456789m12345p+?"),
    ("123456789m1234p+5p", "123456789m1234p5p"),
    ("123456789m12345p+6p", "123456789m12345p6p"),
    ("1m|?S????", "1m|?S????"),
    ("1m|EE0001,3", "1m|EE0001,3"),
    ("1m||s2f1", "1m||af"),
    ("1m||1f", "1m||1f"),
    ("|", ""),
    // As players write: characters for numbers and suits, full-width keyboards, chats.
    ("一二三萬 四五六筒 七八九索 東東東 白白", "123m456p789sEEEPP"),
    ("一万二万三万伍萬", "1235m"),
    ("1萬2萬3萬 4筒 5餅 6饼 7索 8條 9条", "123m456p789s"),
    ("［ＥＥＥ，２］１２３ｍ｜ＮＥ１０１０", "[EEE,2]123m|NE1010"),
    ("123m, 456p、789s・中\u{fe0f}中", "123m456p789sCC"),
    ("\u{200b}🀇🀈🀉\u{feff} 🀄\u{fe0f}🀄\u{fe0f}\u{200f}", "123mCC"),
    ("东东南南西北 红中 发财 發財 白板", "EESSWNCFFP"),
    ("東風東風 紅中紅中 北风", "EENCC"),
    ("１２３萬，四五六筒，789索\r\n東南西北白發中", "123m456p789sESWNFPC"),
    ("🀀🀁🀂🀃🀄🀅🀆\u{3000}１１ｚ", "EEESWNCFP"),
    // Tiles as they are copied out of chats: Unicode with the marks that choose how it is drawn.
    ("🀇\u{fe0e}🀈\u{fe0e}🀉\u{fe0e}🀄\u{fe0f}🀄\u{fe0f}", "123mCC"),
    ("🀙🀚🀛 🀐🀑🀒\n🀀🀀🀀", "123p123sEEE"),
    ("🀢🀇🀈🀉🀩🀦", "123m||aeh"),
    ("🀥\u{fe0e}🀤\u{fe0f}🀀", "E||cd"),
    // Suits as each region writes them, mixed.
    ("１２３萬４５６万７筒８餅９饼", "123456m789p"),
    ("1索2條3条4竹", "1234s"),
    ("1萬1万 2筒2餅2饼 3索3條3条3竹", "11m222p3333s"),
    ("一萬二萬三萬四筒五筒六筒七索八索九索", "123m456p789s"),
    ("①②③④⑤⑥⑦⑧⑨", "123456789p"),
    ("123m①②③東", "123m123pE"),
    ("1 2 3 m　4 5 6 p", "123m456p"),
    ("发发 発発 發發 Ｐ", "FFFFFFP"),
    // Red fives.
    ("r5m 赤5p 红五条", "0m0p0s"),
    ("赤五萬 紅5筒 55s", "0m0p55s"),
    ("r567p", "067p"),
    ("5mr 6p 5p", "0m56p"),
    ("5mr5p", "5m0p"),
    ("55pr", "05p"),
    ("123m+r5p", "123m+0p"),
    ("(r567s)0p", "[067s]0p"),
    // Melds in the brackets of each keyboard.
    ("(123m)（東東東）【456p】", "[123m][EEE][456p]"),
    ("「789s」『中中中』〔111m〕", "[789s][CCC][111m]"),
    ("{234p}<999s>《白白白》〖7777m〗", "[234p][999s][PPP][7777m]"),
    ("〈發發發〉", "[FFF]"),
    ("(EEE,2)", "[EEE,2]"),
    // Bullets, line breaks, punctuation, quotation marks.
    ("- 123m\n- 456p\r\n- 789s", "123m456p789s"),
    ("• 123m\n• 456p\n• EEE", "123m456pEEE"),
    ("* 123m * 456p", "123m456p"),
    ("123m; 456p; 789s.", "123m456p789s"),
    ("123m／456p／789s", "123m456p789s"),
    ("123m-456p–789s", "123m456p789s"),
    ("123m　456p、789s。", "123m456p789s"),
    ("“123m456p” `EE`！", "123m456pEE"),
    ("123m → 4p", "123m4p"),
    // Suits before their numbers, several of one tile, and labels.
    ("m123p456s789z11222", "123m456p789sEESSS"),
    ("m123 p4560 s789 東東", "123m4056p789sEE"),
    ("123m p456 EE", "123m456pEE"),
    ("萬123 筒456 索789", "123m456p789s"),
    ("z1122 zimo", "EESS|??1??0"),
    ("m123 tsumo p5", "123m5p|??1??0"),
    ("[m123][z222]p5+m4", "[123m][SSS]5p+4m"),
    ("東x3 白×2 1m*4", "1111mEEEPP"),
    ("東ｘ3、白X2 * 3m * 2m", "23mEEEPP"),
    ("123m 5px2 456s", "123m55p456s"),
    ("手牌：123m456p", "123m456p"),
    ("手牌: 東x3 123m", "123mEEE"),
    ("Hand: 123m\n", "123m"),
    ("My hand = m123", "123m"),
    ("牌姿：1m", "1m"),
    ("Blatt: 123m 11p", "123m11p"),
    ("HÅND: EE", "EE"),
    // How it was won.
    ("123m456p789sEEEPP tsumo", "123m456p789sEEEPP|??1??0"),
    ("123m456p789sEEEP Tsumo: P", "123m456p789sEEEPP|??1??0"),
    ("123m456p789sEEEPP ロン", "123m456p789sEEEPP|??0??0"),
    ("自摸 123m456p789sEEEPP", "123m456p789sEEEPP|??1??0"),
    ("123m RON!", "123m|??0??0"),
    ("55p ron", "55p|??0??0"),
    ("123m 荣和", "123m|??0??0"),
    ("123m 点炮|SE????", "123m|SE0??0"),
    ("123m zimo|SE1001", "123m|SE1001"),
    ("11m tsumo tsumo||2ah", "11m|??1??0|2ah"),
    // Flowers as characters, and beside those that are named at the end.
    ("春123m夏", "123m||ef"),
    ("梅兰竹菊11m", "11m||abcd"),
    ("1竹竹", "1s||c"),
    ("蘭11m||1a", "11m||1ab"),
];

#[test]
fn texts_have_one_canonical_form() {
    let wrong: Vec<String> = CANONICAL
        .iter()
        .filter_map(|(text, canonical)| {
            let printed = match text.parse::<Notation>() {
                Ok(notation) => notation.to_string(),
                Err(error) => error.to_string(),
            };
            (printed != *canonical).then(|| format!("{text}: {printed}, expected {canonical}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn an_error_shows_what_was_understood_before_it() {
    for (text, understood) in [
        ("123m45x", "123m"),
        ("東東東一二三萬５５q", "123mEEE"),
        ("[EEE,2]12m[34", "[EEE,2]12m"),
        ("[346m]11p", ""),
        ("1m+5p+6p", "1m+5p"),
        ("1m|NE1000|aa", "1m|NE1000|a"),
        ("1m|N1011", "1m"),
        ("紅", ""),
        ("手牌：東x3 宝牌：3m", "EEE"),
    ] {
        let error = text.parse::<Notation>().expect_err(text);
        let before = Notation::read_before(text, error.position());
        assert_eq!(before.to_string(), understood, "{text}");
    }
}

#[test]
fn a_text_expresses_every_hand() {
    let text = "[234m,2][EEE,3][5555p,6][CCCC]9s9s|SN0011,2|1af";
    let Notation { hand, context } = text.parse().expect("a text");
    let tile = |code: &str| code.parse::<Tile>().expect(code);
    let chow = Chow::new(tile("2m")).and_then(|chow| chow.claiming(tile("3m"))).expect("a chow");
    let melds = vec![
        Meld::Chow(chow),
        Meld::Pung { tile: tile("E"), from: Some(Relation::Right) },
        Meld::Kong { tile: tile("5p"), kind: KongKind::Added { from: Some(Relation::Across) } },
        Meld::Kong { tile: tile("C"), kind: KongKind::Concealed },
    ];
    assert_eq!(hand.melds, melds);
    assert_eq!((hand.concealed, hand.winning), (vec![tile("9s")], Some(tile("9s"))));
    assert_eq!(hand.flowers.unnamed_count(), 1);
    assert_eq!(hand.flowers.iter().collect::<Vec<_>>(), [Bonus::ALL[0], Bonus::ALL[5]]);
    let expected = ContextSetup {
        prevalent: Some(Wind::South),
        seat: Some(Wind::North),
        win: Some(WinKind::RobbedKong),
        from: Some(Relation::Across),
        last_wall_tile: Some(true),
        last_of_kind: Some(false),
        ..ContextSetup::default()
    };
    assert_eq!(context, expected);
}

/// Wrong texts, the index (from 0) of the faulty character, and a part of the message.
const WRONG: &[(&str, usize, &str)] = &[
    ("123", 3, "found the end of the text, expected the suit"),
    ("12S", 2, "m, p, s or z in small letters"),
    ("123x", 3, "`x`"),
    ("8z", 0, "found `8` before `z`, expected 1 to 7"),
    ("1230z", 3, "found `0`"),
    ("1m 2q", 4, "`q`"),
    ("十万", 0, "found `十`"),
    ("5m一", 3, "found the end of the text, expected the suit"),
    ("5m十", 2, "found `十`"),
    ("５x", 1, "`x`"),
    ("[EEE、2]", 4, "found `、`"),
    ("345s35[55567p[789m]4p", 6, "expected the suit"),
    ("[345sF,2]34555567p", 0, "345sF"),
    ("[345s", 5, "expected a tile, `]`"),
    ("[]", 1, "expected a tile"),
    ("[346m]", 0, "346m, expected a chow, a pung or a kong"),
    ("[333m,6]", 6, "mark of a pung"),
    ("[345m,5]", 6, "mark of a chow"),
    ("[345m,4]", 6, "expected a mark"),
    ("[345m,+]", 6, "mark of a chow"),
    ("[453m,1]", 5, "[345m,..]"),
    ("[345m,1", 7, "expected `]`"),
    ("1m+55p", 3, "found the tiles 55p"),
    ("1m+5p+6p", 5, "found `+`"),
    ("1m|N1011", 4, "expected a wind"),
    ("1m|NE1", 6, "expected 0, 1 or `?`"),
    ("1m|NE100?", 8, "both"),
    ("1m|NE1000,4", 10, "1 (left)"),
    ("1m|NE1000|9", 10, "at most eight flowers"),
    ("1m|NE1000|aa", 11, "each named once"),
    ("1m|NE1000|f1a", 12, "each named once"),
    ("1m|NE1000|a1", 11, "expected a number of flowers"),
    ("1m|NE1000|s5", 11, "expected 1 to 4"),
    ("1m|NE1000|a|", 11, "expected a number of flowers"),
    ("1m]", 2, "expected a tile, `[`"),
    ("紅p", 0, "found `紅`"),
    ("r4m", 1, "5: of all numbers"),
    ("紅4p", 1, "5: of all numbers"),
    ("4mr", 3, "5: of all numbers"),
    ("Er", 2, "5: of all numbers"),
    ("11m tsumo ron", 10, "another win"),
    ("11m 自摸|SE0000", 7, "another win"),
    ("11m ron|EE1001", 8, "another win"),
    ("春11m||e", 6, "each named once"),
    ("春夏春", 2, "each named once"),
    ("(123m", 5, "expected a tile, `]`"),
    ("123m)", 4, "expected a tile, `[`"),
    ("ツ", 0, "`ツ`"),
    ("中風", 1, "found `風`"),
    // The numbers may belong to either letter.
    ("m123p", 0, "found `m`"),
    ("m123p456s", 0, "found `m`"),
    ("m", 0, "found `m`"),
    // Three times a run, a number of no tile, a word that is no label.
    ("123mx3", 4, "found `x`"),
    ("東x5", 1, "found `x`"),
    ("東x33", 1, "found `x`"),
    ("東x3m", 1, "found `x`"),
    ("宝牌：3m", 0, "found `宝`"),
    ("handle: 3m", 0, "found `h`"),
    ("123m hand: 3m", 5, "found `h`"),
];

#[test]
fn errors_point_at_the_character_and_say_what_was_expected() {
    let wrong: Vec<String> = WRONG
        .iter()
        .filter_map(|&(text, column, part)| match text.parse::<Notation>() {
            Ok(notation) => Some(format!("{text}: read as {notation}")),
            Err(error) => {
                let said = error.to_string();
                (error.position().column != column || !said.contains(part)).then(|| {
                    format!("{text}: {said}; expected character {} and {part}", column + 1)
                })
            }
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn any_tile() -> impl Strategy<Value = Tile> {
    proptest::sample::select(Tile::ALL.to_vec())
}

fn any_from() -> impl Strategy<Value = Option<Relation>> {
    proptest::option::of(proptest::sample::select(Relation::ALL.to_vec()))
}

fn any_meld() -> impl Strategy<Value = Meld> {
    let chows: Vec<Chow> = Tile::ALL.into_iter().filter_map(Chow::new).collect();
    let claimed = proptest::option::of(0..3_usize);
    let chow = (proptest::sample::select(chows), claimed).prop_map(|(chow, claimed)| {
        Meld::Chow(claimed.and_then(|place| chow.claiming(chow.tiles()[place])).unwrap_or(chow))
    });
    let pung = (any_tile(), any_from()).prop_map(|(tile, from)| Meld::Pung { tile, from });
    let kong = (any_tile(), any_from(), 0..3).prop_map(|(tile, from, kind)| Meld::Kong {
        tile,
        kind: match kind {
            0 => KongKind::Concealed,
            1 => KongKind::Exposed { from },
            _ => KongKind::Added { from },
        },
    });
    prop_oneof![chow, pung, kong]
}

fn any_flowers() -> impl Strategy<Value = Flowers> {
    (proptest::sample::subsequence(Bonus::ALL.to_vec(), 0..=8), 0..=8_u8).prop_map(
        |(named, unnamed)| {
            let flowers = Flowers::from_named(named).expect("each once");
            flowers.with_unnamed(unnamed.min(8 - flowers.count())).expect("eight at the most")
        },
    )
}

/// Generates any hand, complete or not; half of them have the size of a complete one.
fn any_hand() -> impl Strategy<Value = HandSetup> {
    let melds = proptest::collection::vec(any_meld(), 0..6);
    let tiles = proptest::collection::vec(any_tile(), 0..16);
    let parts = (melds, tiles, proptest::option::of(any_tile()), any_flowers(), any::<bool>());
    parts.prop_map(|(melds, mut concealed, winning, flowers, complete)| {
        if complete {
            concealed.resize(13_usize.saturating_sub(3 * melds.len()), Tile::ALL[0]);
        }
        concealed.sort_unstable();
        HandSetup { concealed, winning, melds, flowers, ..HandSetup::default() }
    })
}

fn any_context() -> impl Strategy<Value = ContextSetup> {
    let wind = || proptest::option::of(proptest::sample::select(Wind::ALL.to_vec()));
    let flag = || proptest::option::of(any::<bool>());
    let kinds =
        vec![WinKind::SelfDrawn, WinKind::Discard, WinKind::KongReplacement, WinKind::RobbedKong];
    let win = proptest::option::of(proptest::sample::select(kinds));
    (wind(), wind(), win, any_from(), flag(), flag()).prop_map(
        |(seat, prevalent, win, from, last_wall_tile, last_of_kind)| ContextSetup {
            seat,
            prevalent,
            win,
            from,
            last_wall_tile,
            last_of_kind,
            ..ContextSetup::default()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 1024, ..ProptestConfig::default() })]

    #[test]
    fn every_hand_and_context_reads_back(hand in any_hand(), context in any_context()) {
        let notation = Notation { hand, context };
        let text = notation.to_string();
        prop_assert_eq!(text.parse::<Notation>(), Ok(notation), "{}", text);
    }

    #[test]
    fn every_hand_survives_json(hand in any_hand()) {
        let json = serde_json::to_string(&HandDto::from(&hand)).expect("no map keys");
        let read: HandDto = serde_json::from_str(&json).expect("what was written");
        prop_assert_eq!(read.to_setup(), Ok(hand), "{}", json);
    }

    #[test]
    fn white_space_is_ignored(hand in any_hand(), context in any_context()) {
        let notation = Notation { hand, context };
        let spaced: String = notation.to_string().chars().flat_map(|c| [' ', c, '\t']).collect();
        prop_assert_eq!(spaced.parse::<Notation>(), Ok(notation), "{}", spaced);
    }

    #[test]
    fn white_space_hides_no_error(text in "[0-9mpszESWNCFP,?|\\[\\]]{0,30}") {
        let spaced: String = text.chars().flat_map(|c| [' ', c]).collect();
        match (text.parse::<Notation>(), spaced.parse::<Notation>()) {
            (Ok(one), Ok(other)) => prop_assert_eq!(one, other, "{}", text),
            (one, other) => {
                let column = |read: Result<_, NotationError>| {
                    read.map(|_: Notation| 0).map_err(|error| error.position().column)
                };
                let (one, other) = (column(one), column(other));
                prop_assert_eq!(one.map_err(|at| 2 * at + 1), other.map_err(|at| at | 1), "{}", text);
            }
        }
    }

    #[test]
    fn any_text_terminates(text in "\\PC{0,40}") {
        check_any(&text)?;
    }

    #[test]
    fn any_text_of_valid_letters_terminates(text in "[0-9mpszESWNCFPa-h,+?|\\[\\] ]{0,60}") {
        check_any(&text)?;
    }
}

/// Parsing never panics; a parsed text has a canonical form that parses to the same; an error
/// points into the text or at its end.
fn check_any(text: &str) -> Result<(), TestCaseError> {
    match text.parse::<Notation>() {
        Ok(notation) => {
            let printed = notation.to_string();
            let again = printed.parse::<Notation>().map(|again| again.to_string());
            prop_assert_eq!(again, Ok(printed));
        }
        Err(error) => {
            let at = error.position();
            prop_assert!(text.is_char_boundary(at.byte));
            prop_assert_eq!(text[..at.byte].chars().count(), at.column);
        }
    }
    Ok(())
}
