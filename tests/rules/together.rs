//! Hands to which several rules apply, each worked out from the paragraphs in its name: points,
//! doublings (in halves), total, and the payments of East, South, West and North.

use tilesight_core::notation::Notation;
use tilesight_core::rules::Book;
use tilesight_core::tile::Wind;

/// Name, hand with its context, points, halves of doublings, total, payments.
type Row = (&'static str, &'static str, u32, u32, u32, [i32; 4]);

const MMM: &[Row] = &[
    (
        "four of the own and round wind are two of seven pairs, 4 points each (1.1, R4, R7, R8)",
        "EEEE1199m22pCCFF|EE1000",
        8 + 2 + 2 + 10,
        2 * (3 + 1) + 1,
        300,
        [300, -100, -100, -100],
    ),
    (
        "identical chows beside a straight, drawn (1.2.1, 1.2.2, 1.2.11, 1.2.13)",
        "112233456789m5p5p|ES1000",
        10,
        2 * (1 + 1 + 1 + 2),
        240,
        [-120, 240, -60, -60],
    ),
    (
        "a discard fits a chow and a pung: the pung stays concealed (1.2.18, R3)",
        "44456m999p111sCC4m|EW0000,1",
        4 + 6 + 6 + 2,
        2 * 2,
        40,
        [0, -40, 40, 0],
    ),
    (
        "a robbed kong is no self-draw, and who is robbed pays, East no more than others (1.2.6, 1.4, R10)",
        "[CCC,1]456789m55s23p1p|EW0001,2",
        4,
        2 * (1 + 1),
        40,
        [-40, 0, 40, 0],
    ),
    (
        "the last tile of the wall replaces a kong's fourth: both count, and 38 points half (1.2.3, 1.2.5, 1.2.31, R9)",
        "[9999m][CCC,1]234p55s67s8s|EW1011",
        24 + 4 + 10,
        2 * (1 + 1 + 1) + 1,
        120,
        [-60, -30, 120, -30],
    ),
    (
        "eight doublings, and 44 points are a ninth: beyond seven each is worth 40 (1.2.9, 1.2.14, 1.2.15, 1.2.20, 1.2.31, 1.3)",
        "[EEEE,1][SSSS,2][111m,3]999mC+C|ES0000,1",
        16 + 16 + 4 + 6 + 2,
        2 * (1 + 1 + 1 + 1 + 2 + 2) + 2,
        480,
        [-480, 480, 0, 0],
    ),
];

const CLASSICAL: &[Row] = &[
    (
        "a pair of the own and round wind, drawn as the only tile (1.14, 1.15, 2.2, 2.4, 2.5); East receives double",
        "[123m,1][456p,1]345m789sE+E|EE1000",
        20 + 2 + 2 + 2 + 4 + 2,
        0,
        32,
        [192, -64, -64, -64],
    ),
    (
        "all bonus tiles beside a zero-point hand, cut to the limit (1.16, 1.17, 3.4, 3.5, 3.6, 4.1)",
        "[123m,1]22456m789p35s4s|ES0000|abcdefgh",
        20 + 32 + 2,
        2 * (1 + 1 + 1 + 1),
        500,
        [-1000, 2000, -500, -500],
    ),
    (
        "a kong claimed onto a concealed pung: the points of an open one, among three concealed (1.8, 3.7)",
        "[1111m,1]456m222p333sE+E|ES0000",
        16 + 4 + 4 + 2 + 20 + 4 + 2,
        2,
        104,
        [-208, 416, -104, -104],
    ),
    (
        "the same drawn is a concealed hand (4.3)",
        "[1111m,1]456m222p333sE+E|ES1000",
        16 + 4 + 4 + 2 + 20 + 4 + 2 + 2,
        2 * (1 + 1),
        216,
        [-432, 864, -216, -216],
    ),
    (
        "the replacement of a concealed kong completes the pair (1.10, 2.2, 2.3, 2.5, 4.3, 4.9)",
        "[5555s]123789m456p2s2s|ES1001",
        16 + 20 + 2 + 2 + 2,
        2 * (1 + 1),
        168,
        [-336, 672, -168, -168],
    ),
    (
        "a robbed 2 of bamboo is a limit, and nothing is added (5.18)",
        "[CCC,1]456m789p13s99p2s|ES0001",
        0,
        0,
        500,
        [-1000, 2000, -500, -500],
    ),
    (
        "1 of dots as the last tile of the wall (5.17)",
        "[CCC,1]456m789s23p99p1p|ES1010",
        0,
        0,
        500,
        [-1000, 2000, -500, -500],
    ),
    (
        "1 of dots discarded after it is the last discard and no more (4.8)",
        "[CCC,1]456m789s23p99s1p|ES0010",
        4 + 20,
        2 * (1 + 1),
        96,
        [-192, 384, -96, -96],
    ),
];

#[test]
fn combined_rules_score_as_worked_out() {
    let (mut wrong, book) = (Vec::new(), Book::shipped());
    for (ruleset, rows) in [("mmm", MMM), ("classical-dmjl", CLASSICAL)] {
        let ruleset = book.get(ruleset.parse().expect(ruleset)).expect("shipped");
        for &(name, text, points, halves, total, payments) in rows {
            let notation: Notation = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
            let (context, _) = notation.context.resolve().expect(text);
            let hand = notation.hand.into_hand().expect(text);
            let score = ruleset
                .score(&hand, &context)
                .unwrap_or_else(|error| panic!("{name}: {text}: {error}"));
            let doubling = score.doubling.expect("points are doubled");
            let paid = Wind::ALL.map(|seat| score.payments.for_seat(seat));
            let found = (doubling.points, doubling.doublings.0, score.total, paid);
            if found != (points, halves, total, payments) {
                let lines: Vec<_> =
                    score.awards.iter().map(|award| (award.rule.code, award.count)).collect();
                wrong.push(format!(
                    "{name}: {text}\n  found    {found:?} by {lines:?}\n  expected {:?}",
                    (points, halves, total, payments)
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
