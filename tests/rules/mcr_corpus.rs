//! The whole corpus and all published examples, under both profiles: totals, fan lists, and that
//! the quick path agrees with the explained score.

use tilesight_core::rules::{Book, RulesetId, mcr};

use crate::mcr_oracle::judge;
use crate::mcr_rows::{corpus, examples, fan_list};

/// Prints every failing line, then fails.
fn report(failures: &[String]) {
    for failure in failures {
        eprintln!("{failure}");
    }
    assert!(failures.is_empty(), "{} rows differ", failures.len());
}

#[test]
fn every_total_of_the_corpus_is_right() {
    let (mut failures, book) = (Vec::new(), Book::shipped());
    for row in corpus() {
        for ruleset in [RulesetId::MCR_WMO, RulesetId::MCR_MIL] {
            let expected = row.expected(ruleset);
            let rules = book.get(ruleset).expect("shipped").rules();
            let total = rules.points(&row.row.hand(), &row.row.context());
            if total.as_ref() != Ok(&expected.total) {
                failures.push(format!("{ruleset} {total:?} {row:?}"));
            }
        }
    }
    report(&failures);
}

#[test]
fn the_explained_score_agrees_with_the_quick_total() {
    let (mut failures, book) = (Vec::new(), Book::shipped());
    for row in corpus() {
        let (hand, context) = (row.row.hand(), row.row.context());
        for (ruleset, quickly) in [(RulesetId::MCR_WMO, &mcr::WMO), (RulesetId::MCR_MIL, &mcr::MIL)]
        {
            let rules = book.get(ruleset).expect("shipped");
            let score = rules.score(&hand, &context).expect("a winning hand");
            let sum: u32 = score.awards.iter().map(|award| award.points()).sum();
            let quick = rules.rules().points(&hand, &context);
            let fans = quickly.fans(&hand, &context).expect("a winning hand");
            let fans = fans.iter().map(|(fan, count)| (fan.rule(), count));
            let alike = fans.eq(score.awards.iter().map(|award| (award.rule, award.count)));
            if quick != Ok(score.total) || sum != score.total || !alike {
                failures.push(format!("{ruleset} {quick:?} {sum} {row:?} {score:#?}"));
            }
        }
    }
    report(&failures);
}

/// Several lists can be worth the same; the oracle knows all of them.
#[test]
fn the_fan_list_is_one_of_the_best() {
    let (mut failures, book) = (Vec::new(), Book::shipped());
    for row in corpus() {
        let (hand, context) = (row.row.hand(), row.row.context());
        for (ruleset, options) in
            [(RulesetId::MCR_WMO, mcr::Options::WMO), (RulesetId::MCR_MIL, mcr::Options::MIL)]
        {
            let rules = book.get(ruleset).expect("shipped");
            let score = rules.score(&hand, &context).expect("a winning hand");
            let (mut found, mut expected) = (fan_list(&score), row.expected(ruleset).fans.clone());
            if found == expected {
                continue;
            }
            found.remove(&81);
            expected.remove(&81);
            let best = judge(&hand, &context, &options).expect("a winning hand").lists;
            if !best.contains(&found) || !best.contains(&expected) {
                failures.push(format!("{ruleset} {found:?} {row:?} {best:?}"));
            }
        }
    }
    report(&failures);
}

#[test]
fn every_published_example_is_right() {
    let mut failures = Vec::new();
    for row in examples() {
        let (hand, context) = (row.row.hand(), row.row.context());
        let totals = [mcr::Options::MIL, mcr::Options::WMO]
            .map(|options| mcr::points(&hand, &context, &options));
        if totals != [Ok(row.mil), Ok(row.wmo)] {
            failures.push(format!("{totals:?} {row:?}"));
        }
    }
    report(&failures);
}
