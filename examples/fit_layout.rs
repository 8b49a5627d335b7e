//! Fits the weights of the layout's choice to drawn tables: those that players leave, and tidy ones.
//!
//!     cargo run --release --example fit_layout -- [TABLES] [ROUNDS] [SEED]
//!
//! Coordinate search: each weight in turn is tried a step up and down, in ever smaller steps, on the same tables; what reads
//! more of them exactly, a silent error counting double, is kept. The last line is the best weights as JSON, beside what they and the
//! defaults reach on tables that the fit has not seen. `make fit-layout` takes an hour of a core.

#[path = "../tests/common/mod.rs"]
mod common;
#[path = "../tests/tables/mod.rs"]
mod tables;

use common::line;
use serde_json::{Map, Value};
use tables::{Noise, Table, life, table};
use tilesight::context::ContextSetup;
use tilesight::pipeline::doubts::Judge;
use tilesight::pipeline::layout::{Params, Sought, lay_out_sought};
use tilesight::pipeline::{Status, joint};
use tilesight::rules::RulesetId;

/// What a weight is multiplied with or divided by in each round.
const STEPS: [f32; 4] = [1.6, 1.3, 1.15, 1.07];

fn main() -> serde_json::Result<()> {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let number = |at: usize, otherwise: u64| numbers.get(at).copied().unwrap_or(otherwise);
    let (count, rounds, seed) = (number(0, 150), number(1, 4) as usize, number(2, 50));
    let judge =
        Judge::new(&ContextSetup::default(), RulesetId::MCR_WMO).expect("plain circumstances");
    let seen = drawn(seed * 1_000_000, count);
    let mut best = weights(&Params::default())?;
    let mut score = value(&judge, &seen, &best)?;
    println!("{} tables, defaults {score:.4}", seen.len());
    for step in STEPS.into_iter().take(rounds) {
        for name in best.keys().cloned().collect::<Vec<_>>() {
            for factor in [step, 1.0 / step] {
                let mut other = best.clone();
                let changed = best[&name].as_f64().unwrap_or(0.0) * f64::from(factor);
                other.insert(name.clone(), changed.into());
                let reached = value(&judge, &seen, &other)?;
                if reached > score {
                    println!("{name} {changed:.3}: {reached:.4}");
                    (best, score) = (other, reached);
                    break;
                }
            }
        }
    }
    let unseen = drawn((seed + 1) * 1_000_000, count);
    let before = value(&judge, &unseen, &weights(&Params::default())?)?;
    println!("unseen tables: {before:.4} before, {:.4} after", value(&judge, &unseen, &best)?);
    println!("{}", Value::Object(best));
    Ok(())
}

fn weights(params: &Params) -> serde_json::Result<Map<String, Value>> {
    match serde_json::to_value(params)? {
        Value::Object(map) => Ok(map),
        _ => Ok(Map::new()),
    }
}

/// Tables of every kind that the layout has to read.
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

/// The share of tables that are read exactly, less that of silent errors.
fn value(judge: &Judge, tables: &[Table], weights: &Map<String, Value>) -> serde_json::Result<f64> {
    let params: Params = serde_json::from_value(Value::Object(weights.clone()))?;
    let sought = Sought { params, ..Sought::by(RulesetId::MCR_WMO) };
    let worth = |table: &Table| {
        let decision = joint::decide(&table.tiles, &lay_out_sought(&table.tiles, &sought));
        let best = decision.best.as_ref();
        if best.is_some_and(|best| line(&best.setup) == line(&table.shown)) {
            return 1.0;
        }
        let verdict =
            judge.judge(&table.tiles, &decision).expect("plain circumstances fit every hand");
        if Status::of(&decision, &verdict) == Status::Ok { -1.0 } else { 0.0 }
    };
    Ok(tables.iter().map(worth).sum::<f64>() / tables.len().max(1) as f64)
}
