//! Fits the layout's weights to drawn tables: as players leave them, and tidy ones.
//!
//!     cargo run --release --example fit_layout -- selection|interpretation [TABLES] [ROUNDS] [SEED]
//!
//! `selection` fits the weights for the choice of tiles; it maximizes the number of tables that are
//! read exactly, minus the number of silent errors. `interpretation` fits the weights of the
//! interpretations; it maximizes the mean logarithm of the truth's probability. Both use coordinate
//! search: each weight in turn is tried a step up and down, in ever smaller steps, on the same
//! tables. The last line has the best weights as JSON, with their score and that of the defaults on
//! tables that the fit has not seen. `selection` takes an hour on one core, `interpretation` ten
//! minutes.

#[path = "../tests/support/common.rs"]
mod common;
#[path = "../tests/support/tables/mod.rs"]
mod tables;

use common::line;
use serde_json::{Map, Value};
use tables::{Noise, Table, life, table};
use tilesight_core::context::ContextSetup;
use tilesight_core::rules::Book;
use tilesight_vision::decide::doubts::HandScorer;
use tilesight_vision::decide::joint;
use tilesight_vision::layout::lay_out_with;
use tilesight_vision::{Decision, Params, ReadOptions, Status};

/// Factors by which a weight is multiplied or divided in each round.
const STEPS: [f32; 4] = [1.6, 1.3, 1.15, 1.07];

fn main() -> serde_json::Result<()> {
    let fits = match std::env::args().nth(1).as_deref() {
        Some("selection") => WeightGroup::Selection,
        Some("interpretation") => WeightGroup::Interpretation,
        _ => {
            eprintln!("usage: fit_layout selection|interpretation [TABLES] [ROUNDS] [SEED]");
            std::process::exit(2);
        }
    };
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let number = |at: usize, otherwise: u64| numbers.get(at).copied().unwrap_or(otherwise);
    let (count, rounds, seed) = (number(0, 150), number(1, 4) as usize, number(2, 50));
    let scorer = HandScorer::new(&ContextSetup::default(), Book::shipped().usual())
        .expect("a plain context");
    let seen = drawn(seed * 1_000_000, count);
    let defaults = fits.defaults()?;
    let mut best = defaults.clone();
    let mut score = fits.value(&scorer, &seen, &best)?;
    println!("{} tables, defaults {score:.4}", seen.len());
    for step in STEPS.into_iter().take(rounds) {
        // Integer weights bound the time and are not fitted.
        let weights = defaults.iter().filter(|(_, value)| value.is_f64());
        for (name, _) in weights {
            for factor in [step, 1.0 / step] {
                let mut other = best.clone();
                let changed = best[name].as_f64().unwrap_or(0.0) * f64::from(factor);
                other.insert(name.clone(), changed.into());
                let reached = fits.value(&scorer, &seen, &other)?;
                if reached > score {
                    println!("{name} {changed:.3}: {reached:.4}");
                    (best, score) = (other, reached);
                    break;
                }
            }
        }
    }
    let unseen = drawn((seed + 1) * 1_000_000, count);
    let before = fits.value(&scorer, &unseen, &defaults)?;
    println!(
        "unseen tables: {before:.4} before, {:.4} after",
        fits.value(&scorer, &unseen, &best)?
    );
    println!("{}", Value::Object(best));
    Ok(())
}

/// Returns tables of every kind that the layout has to read.
fn drawn(from: u64, count: u64) -> Vec<Table> {
    let clean = |place: f32| Noise {
        place,
        degrees: 48.0 * place,
        wrong: 0.0,
        missing: 0.0,
        ..Noise::MEASURED
    };
    let seeds = move || from..from + count;
    let life_of = |noise: Noise| seeds().map(move |seed| life(seed, noise));
    let tidy_of = |noise: Noise| seeds().map(move |seed| table(seed, noise));
    life_of(clean(0.05))
        .chain(life_of(clean(0.15)))
        .chain(life_of(Noise::MEASURED))
        .chain(tidy_of(clean(0.15)))
        .chain(tidy_of(Noise::MEASURED))
        .collect()
}

/// Group of weights to fit.
#[derive(Clone, Copy)]
enum WeightGroup {
    Selection,
    Interpretation,
}

impl WeightGroup {
    fn defaults(self) -> serde_json::Result<Map<String, Value>> {
        let value = match self {
            WeightGroup::Selection => serde_json::to_value(Params::DEFAULT.selection),
            WeightGroup::Interpretation => serde_json::to_value(Params::DEFAULT.interpretation),
        };
        serde_json::from_value(value?)
    }

    /// Returns the score of these weights on tables.
    fn value(
        self,
        scorer: &HandScorer,
        tables: &[Table],
        weights: &Map<String, Value>,
    ) -> serde_json::Result<f64> {
        let weights = Value::Object(weights.clone());
        let mut params = Params::DEFAULT;
        match self {
            WeightGroup::Selection => params.selection = serde_json::from_value(weights)?,
            WeightGroup::Interpretation => params.interpretation = serde_json::from_value(weights)?,
        }
        let options = ReadOptions::from(Book::shipped().usual());
        let worth = |table: &Table| {
            let layout = lay_out_with(&table.tiles, &options, true, &params);
            let decision = joint::decide_with(&table.tiles, &layout, &params.joint);
            match self {
                WeightGroup::Selection => exactness(scorer, table, &decision),
                WeightGroup::Interpretation => likelihood(table, &decision),
            }
        };
        Ok(tables.iter().map(worth).sum::<f64>() / tables.len().max(1) as f64)
    }
}

/// Returns 1 for a table that is read exactly, and -1 for a silent error.
fn exactness(scorer: &HandScorer, table: &Table, decision: &Decision) -> f64 {
    let best = decision.best.as_ref();
    if best.is_some_and(|best| line(&best.setup) == line(&table.shown)) {
        return 1.0;
    }
    let verdict = scorer.assess(&table.tiles, decision).expect("a plain context fits every hand");
    if Status::from_decision(decision, &verdict) == Status::Ok { -1.0 } else { 0.0 }
}

/// Minimum probability of the truth: below it the truth was lost before the weights mattered.
const LOST: f32 = 1e-3;

/// Returns the logarithm of the probability given to the truth.
fn likelihood(table: &Table, decision: &Decision) -> f64 {
    let truth = line(&table.shown);
    let all = decision.best.iter().chain(&decision.rivals);
    let p: f32 = all.filter(|other| line(&other.setup) == truth).map(|other| other.p).sum();
    f64::from(p.max(LOST).ln())
}
