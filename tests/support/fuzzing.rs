//! A fuzzer on stable Rust: it mutates inputs, keeps those with a new behavior, and mutates these
//! again.
//!
//! Instead of branch coverage, which needs a nightly compiler, the target returns its behavior as a
//! text, such as the kind and the place of an error. An input whose text is new joins the corpus.
//! Inputs that break a law are written to `out/fuzz/`, and the test fails with the path.

use std::collections::HashSet;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::waiting::PATIENCE;

/// The time limit of one input in `make fuzz`: a slower parser could be blocked on purpose. Idle,
/// every input takes well under a second unoptimised. `make test` only notices what hangs.
const PROMPT: Duration = Duration::from_secs(5);
const MAX_BYTES: usize = 1 << 17;

/// Maximum number of behaviors that are kept, for targets whose texts never repeat.
const MAX_INPUTS: usize = 20_000;

/// A fuzz target.
pub(crate) struct Target<'a> {
    pub(crate) name: &'a str,
    pub(crate) seeds: Vec<Vec<u8>>,
    /// Pieces that inputs are made of.
    pub(crate) words: &'a [&'a [u8]],
    /// Number of inputs of a run in `make test`, some seconds' worth; `TILESIGHT_FUZZ_SECONDS`
    /// makes it longer.
    pub(crate) inputs: u64,
}

/// Runs a target for its number of inputs, or for as long as is asked; `look` tells how an input
/// went, and panics where a law is broken.
pub(crate) fn fuzz(target: &Target<'_>, mut look: impl FnMut(&[u8]) -> String) {
    let asked =
        std::env::var("TILESIGHT_FUZZ_SECONDS").ok().and_then(|seconds| seconds.parse().ok());
    let time = asked.map(Duration::from_secs);
    let prompt = if asked.is_some() { PROMPT } else { PATIENCE };
    // A short run is always the same; a long one is random.
    let mut random =
        if asked.is_some() { fastrand::Rng::new() } else { fastrand::Rng::with_seed(20_061) };
    let (mut corpus, mut seen, mut runs) = (target.seeds.clone(), HashSet::new(), 0_u64);
    let (start, seeds) = (Instant::now(), corpus.len());
    let min_runs = if asked.is_some() { seeds as u64 } else { target.inputs.max(seeds as u64) };
    while time.is_some_and(|time| start.elapsed() < time) || runs < min_runs {
        let input = match usize::try_from(runs).ok().filter(|&at| at < seeds) {
            Some(at) => corpus[at].clone(),
            None => changed(&corpus, target.words, &mut random),
        };
        let began = Instant::now();
        let outcome = catch_unwind(AssertUnwindSafe(|| look(&input)));
        runs += 1;
        match outcome {
            Ok(_) if began.elapsed() > prompt => broken(target.name, &input, "it took too long"),
            Ok(behaviour) => {
                if seen.len() < MAX_INPUTS && seen.insert(behaviour) {
                    corpus.push(input);
                }
            }
            Err(_) => broken(target.name, &input, "a law was broken, see above"),
        }
    }
    let per_second = runs as f64 / start.elapsed().as_secs_f64();
    println!("{}: {runs} inputs, {per_second:.0}/s, {} ways to behave", target.name, seen.len());
    assert!(seen.len() > 3, "{}: the seeds lead nowhere", target.name);
}

/// Returns the inputs in `fuzz/` that guided fuzzing has found for a target of this name.
pub(crate) fn found(name: &str) -> Vec<Vec<u8>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(name);
    let files =
        fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    files.sort();
    files.iter().map(|file| fs::read(file).expect("a file")).collect()
}

fn broken(name: &str, input: &[u8], what: &str) -> ! {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("out/fuzz");
    fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join(format!("{name}-{}", fastrand::u64(..)));
    fs::write(&file, input).expect("a file");
    panic!(
        "{name}: {what}: {} has the input: {:?}",
        file.display(),
        String::from_utf8_lossy(&input[..input.len().min(300)])
    );
}

/// Returns an input of the corpus with some changes.
fn changed(corpus: &[Vec<u8>], words: &[&[u8]], random: &mut fastrand::Rng) -> Vec<u8> {
    let mut input = corpus[random.usize(..corpus.len())].clone();
    for _ in 0..=random.usize(..4) {
        let at = random.usize(..=input.len());
        let to = (at + random.usize(..1 + 32.min(1 + input.len() - at))).min(input.len());
        match random.u8(..8) {
            0 => drop(input.drain(at..to)),
            1 => input.extend_from_within(at..to),
            2 if at < input.len() => input[at] = random.u8(..),
            3 if at < input.len() => input[at] ^= 1 << random.u8(..8),
            4 => input.truncate(at),
            5 => {
                let other = &corpus[random.usize(..corpus.len())];
                let from = random.usize(..=other.len());
                input.truncate(at);
                input.extend_from_slice(&other[from..]);
            }
            _ if !words.is_empty() => {
                let word = words[random.usize(..words.len())];
                drop(input.splice(at..to, word.iter().copied()));
            }
            _ => input.insert(at, random.u8(..)),
        }
        input.truncate(MAX_BYTES);
    }
    input
}
