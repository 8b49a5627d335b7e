//! The mean and the slowest of many hands, for the benches of the three engines.
//!
//! Each hand is repeated, and the best of several rounds is taken, so that an interrupt is not
//! mistaken for a slow hand. Input: the hands, a function that scores a hand, and one that names
//! it. Output: a few lines after the table of divan.

use std::hint::black_box;
use std::time::Instant;

const ROUNDS: usize = 30;
const REPEATS: u32 = 50;

/// Number of the slowest hands to print.
const SLOWEST: usize = 5;

/// Prints the mean over all hands and the slowest hands, with their index and name.
pub(crate) fn print<T>(cases: &[T], score: impl Fn(&T) -> u32, name: impl Fn(usize, &T) -> String) {
    let mut best = vec![f64::INFINITY; cases.len()];
    for _ in 0..ROUNDS {
        for (best, case) in best.iter_mut().zip(cases) {
            let start = Instant::now();
            for _ in 0..REPEATS {
                black_box(score(black_box(case)));
            }
            *best = best.min(start.elapsed().as_secs_f64() * 1e6 / f64::from(REPEATS));
        }
    }
    let mean = best.iter().sum::<f64>() / best.len() as f64;
    let mut order: Vec<usize> = (0..best.len()).collect();
    order.sort_by(|&a, &b| best[b].total_cmp(&best[a]));
    println!("mean {mean:.3} µs a hand over {} hands; slowest:", best.len());
    for at in order.into_iter().take(SLOWEST) {
        println!("  {:.2} µs  {}", best[at], name(at, &cases[at]));
    }
}
