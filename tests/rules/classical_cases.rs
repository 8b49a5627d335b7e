//! Every hand of the classical test data: points, doubles, limits, both totals, and every line; and
//! that the quick path agrees with the explained score.

use tilesight_core::rules::classical::{Classical, Options};
use tilesight_core::rules::{HandRules, Score, TableRules, Worth};

use crate::classical_rows;
use crate::classical_rows::{cases, hand_picked, lines_of, sorted, sums};

fn rules(roof_off: bool) -> Classical {
    Classical::new(Options { roof_off, ..Options::DMJL })
}

/// Prints every failing line, then fails.
fn report(failures: &[String]) {
    for failure in failures {
        eprintln!("{failure}");
    }
    assert!(failures.is_empty(), "{} rows differ", failures.len());
}

#[test]
fn every_generated_hand_has_its_points_doubles_limits_and_lines() {
    let (limited, open) = (rules(false), rules(true));
    let mut failures = Vec::new();
    for (at, row) in cases().iter().enumerate() {
        let (hand, context, expect) = (row.hand(), row.context(), &row.expect);
        let score = limited.score(&hand, &context).expect("a winning hand");
        let wanted = (expect.points, expect.doubles, expect.limits, expect.total);
        let roof_off = open.points(&hand, &context);
        let lines = lines_of(&score.awards);
        if sums(&score) != wanted
            || roof_off != Ok(expect.total_roof_off)
            || lines != expect.lines()
        {
            let found = sums(&score);
            failures.push(format!("{at}: {found:?} {roof_off:?} {lines:?}\n   {row:?}"));
        }
    }
    report(&failures);
}

#[test]
fn every_hand_picked_by_hand_has_its_points_doubles_limits_and_lines() {
    let mut failures = Vec::new();
    for row in hand_picked() {
        let compact = row.compact();
        let (rules, context) = (rules(row.roof_off), compact.context());
        let score = if row.won {
            rules.score(&compact.hand(), context).expect("a winning hand")
        } else {
            rules.score_other(&compact.holding(), context.seat, context.prevalent)
        };
        let wanted = (row.points, row.doubles, row.limits, row.total);
        let lines = scorer_lines(&score);
        if sums(&score) != wanted || lines != row.lines() {
            let found = sums(&score);
            failures.push(format!("{}: {found:?} {lines:?}\n   {row:?}", row.id));
        }
    }
    report(&failures);
}

/// Returns the lines that the scorer shows. For a hand with too many tiles it shows the lines that
/// the hand would have had, and counts none of them: those are the lines that ours excludes.
fn scorer_lines(score: &Score) -> Vec<classical_rows::ScorerLine> {
    if score.awards.iter().any(|award| award.rule.code == "long_hand") {
        let kept_out = score.excluded.iter();
        return sorted(kept_out.map(|one| (one.rule.code, one.rule.worth)));
    }
    lines_of(&score.awards)
}

#[test]
fn the_explained_score_agrees_with_the_quick_total() {
    for rules in [rules(false), rules(true)] {
        let mut failures = Vec::new();
        for row in cases() {
            let (hand, context) = (row.hand(), row.context());
            let score = rules.score(&hand, &context).expect("a winning hand");
            let quick = rules.points(&hand, &context);
            if quick != Ok(score.total) || total_of(&score, rules.options()) != score.total {
                failures.push(format!("{quick:?} {score:#?}"));
            }
        }
        report(&failures);
    }
}

/// Returns the total, added up from the lines.
fn total_of(score: &Score, options: &Options) -> u32 {
    let (mut points, mut halves_doubled, mut half_limits) = (0, 0, 0);
    for award in &score.awards {
        match award.worth.times(award.count) {
            Worth::Points(more) => points += more,
            Worth::Doublings(more) => halves_doubled += more.0,
            Worth::Limits(more) => half_limits += more.0,
            _ => panic!("only points, doubles and limits in this game"),
        }
    }
    let counted = points * 2_u32.pow(halves_doubled / 2) + options.limit * half_limits / 2;
    if options.roof_off || half_limits > 0 { counted } else { counted.min(options.limit) }
}
