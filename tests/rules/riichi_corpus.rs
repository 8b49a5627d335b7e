//! All rows of the riichi test data: yaku with han, fu, limit and payments; and that the quick path
//! agrees with the explained score.

use tilesight_core::rules::HandRules;

use crate::riichi_rows::{Expected, rows};

/// Prints every failing line, then fails.
fn report(failures: &[String]) {
    for failure in failures.iter().take(20) {
        eprintln!("{failure}");
    }
    assert!(failures.is_empty(), "{} rows differ", failures.len());
}

#[test]
fn every_row_is_right() {
    let mut failures = Vec::new();
    let rows = rows();
    assert_eq!(rows.len(), 5124);
    for row in &rows {
        let context = row.context();
        let score = match row.riichi().score(&row.hand(), &context) {
            Ok(score) => score,
            Err(error) => {
                failures.push(format!("{error} {row:?}"));
                continue;
            }
        };
        let found = score.is_legal().then(|| Expected::from_score(&score, &context));
        if found != row.expected {
            failures.push(format!("{found:?}\n{row:?}\n"));
        }
    }
    report(&failures);
}

#[test]
fn the_explained_score_agrees_with_the_quick_sum() {
    let mut failures = Vec::new();
    for row in rows() {
        let (rules, hand, context) = (row.riichi(), row.hand(), row.context());
        let score = rules.score(&hand, &context).expect("a winning hand");
        let quick = rules.points(&hand, &context);
        let received = score.payments.for_seat(context.seat);
        let sum: i32 = score.payments.iter().map(|(_, points)| points).sum();
        if quick != Ok(score.total) || i64::from(received) != i64::from(score.total) || sum != 0 {
            failures.push(format!("{quick:?} {received} {sum} {row:?} {score:#?}"));
        }
    }
    report(&failures);
}

/// The parts of the fu add up to it, and the han of all lines to the han.
#[test]
fn parts_add_up_to_what_is_shown() {
    for row in rows() {
        let score = row.riichi().score(&row.hand(), &row.context()).expect("a winning hand");
        let figures = score.riichi.expect("a score of riichi");
        let parts: u32 = figures.fu_parts.iter().map(|part| part.fu).sum();
        assert_eq!(parts, figures.fu.unwrap_or(0), "{row:?}");
        let han: u32 = score.awards.iter().filter_map(|award| award.worth.han()).sum();
        assert!(figures.yakuman > 0 || han == figures.han, "{row:?}");
        for part in &figures.fu_parts {
            assert!(part.sets.len() <= 1, "{row:?}");
        }
    }
}
