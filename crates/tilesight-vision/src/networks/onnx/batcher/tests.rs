use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{scope, yield_now};

use super::*;

/// Numbers as rows; only lists with the same letter are compatible.
#[derive(Debug, Clone, PartialEq)]
struct Numbers(char, Vec<u64>);

impl Joinable for Numbers {
    fn count(&self) -> usize {
        self.1.len()
    }

    fn goes_with(&self, other: &Numbers) -> bool {
        self.0 == other.0
    }

    fn append(&mut self, other: &Numbers) {
        self.1.extend(&other.1);
    }
}

impl Splittable for Vec<u64> {
    fn split(self, rows: &[usize]) -> Option<Vec<Vec<u64>>> {
        parts(self, rows.iter().copied())
    }
}

type Doubling = Batcher<Numbers, Vec<u64>>;

fn batcher(max_rows: usize) -> Doubling {
    Batcher::new("doubler", max_rows)
}

/// A network that doubles every number and records the input of each run. The first run signals its
/// start, and ends only when the test permits it.
struct Network {
    runs: Mutex<Vec<Numbers>>,
    started: Sender<()>,
    may_end: Mutex<Receiver<()>>,
    /// Behaviour of the second run.
    second: fn(&Numbers) -> Result<Vec<u64>, ModelError>,
}

fn doubled(numbers: &Numbers) -> Result<Vec<u64>, ModelError> {
    Ok(numbers.1.iter().map(|number| 2 * number).collect())
}

impl Network {
    fn run(&self, numbers: &Numbers) -> Result<Vec<u64>, ModelError> {
        let mut runs = self.runs.lock().unwrap();
        runs.push(numbers.clone());
        let count = runs.len();
        drop(runs);
        match count {
            1 => {
                self.started.send(()).unwrap();
                self.may_end.lock().unwrap().recv().unwrap();
                doubled(numbers)
            }
            2 => (self.second)(numbers),
            _ => doubled(numbers),
        }
    }
}

type Answers = Vec<Result<Vec<u64>, ModelError>>;

/// Sends all requests while the first of them runs. Returns their answers, in the order of the
/// requests, and the inputs of the runs.
fn crowd(
    batcher: &Doubling,
    requests: &[Numbers],
    second: fn(&Numbers) -> Result<Vec<u64>, ModelError>,
) -> (Answers, Vec<Numbers>) {
    let (started, has_started) = channel();
    let (end, may_end) = channel();
    let may_end = Mutex::new(may_end);
    let network = Network { runs: Mutex::new(Vec::new()), started, may_end, second };
    let ask = |request: &Numbers| batcher.answer(request, |numbers| network.run(numbers));
    let answers = scope(|scope| {
        let (first, others) = requests.split_first().unwrap();
        let mut threads = vec![scope.spawn(|| ask(first))];
        has_started.recv().unwrap();
        for (n, request) in others.iter().enumerate() {
            threads.push(scope.spawn(|| ask(request)));
            // Requests are sent one after another, so that the order of the batch is known.
            while batcher.queue().waiting.len() <= n {
                yield_now();
            }
        }
        end.send(()).unwrap();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    (answers, network.runs.into_inner().unwrap())
}

fn numbers(kind: char, rows: &[u64]) -> Numbers {
    Numbers(kind, rows.to_vec())
}

#[test]
fn requests_during_a_run_share_the_next() {
    let requests: Vec<Numbers> = (0..12).map(|n| numbers('a', &[n, 100 + n])).collect();
    let (answers, runs) = crowd(&batcher(64), &requests, doubled);
    for (request, answer) in requests.iter().zip(answers) {
        assert_eq!(answer.unwrap(), doubled(request).unwrap());
    }
    let rows: Vec<usize> = runs.iter().map(Numbers::count).collect();
    assert_eq!(rows, [2, 22], "twelve requests are two runs");
}

#[test]
fn a_run_takes_one_shape_and_no_more_than_fits() {
    let requests = [("a", 1), ("a", 2), ("b", 1), ("a", 3), ("b", 9), ("a", 2), ("b", 1)]
        .map(|(kind, rows)| numbers(kind.chars().next().unwrap(), &vec![7; rows]));
    let (answers, runs) = crowd(&batcher(4), &requests, doubled);
    for (request, answer) in requests.iter().zip(answers) {
        assert_eq!(answer.unwrap(), doubled(request).unwrap());
    }
    let runs: Vec<(char, usize)> = runs.iter().map(|run| (run.0, run.count())).collect();
    // Nine rows exceed the maximum of four, so this request runs alone when it is its turn.
    assert_eq!(runs, [('a', 1), ('a', 4), ('b', 2), ('a', 3), ('b', 9)]);
}

#[test]
fn an_error_reaches_every_request_of_its_run_and_no_other() {
    let requests: Vec<Numbers> = (0..6).map(|n| numbers('a', &[n])).collect();
    let fails = |_: &Numbers| Err(network_failure("doubler", "out of memory"));
    let batcher = batcher(4);
    let (answers, runs) = crowd(&batcher, &requests, fails);
    assert_eq!(runs.len(), 3);
    for (n, answer) in answers.iter().enumerate() {
        match answer {
            Ok(answer) => assert!(!(1..5).contains(&n) && answer == &[2 * n as u64], "{n}"),
            Err(error) => {
                assert!((1..5).contains(&n) && error.to_string().contains("out of memory"), "{n}");
            }
        }
    }
    assert_eq!(batcher.answer(&numbers('a', &[4]), doubled).unwrap(), [8]);
}

#[test]
fn a_panic_is_an_error_for_every_request_and_the_next_run_works() {
    let requests: Vec<Numbers> = (0..4).map(|n| numbers('a', &[n])).collect();
    let batcher = batcher(8);
    let (answers, _) = crowd(&batcher, &requests, |_| panic!("in a kernel"));
    assert_eq!(answers[0].as_ref().unwrap(), &[0]);
    for answer in &answers[1..] {
        let error = answer.as_ref().unwrap_err().to_string();
        assert!(error.contains("doubler") && error.contains("in a kernel"), "{error}");
    }
    let alone = batcher.answer(&numbers('a', &[1]), |_| panic!("alone"));
    assert!(alone.unwrap_err().to_string().contains("alone"));
    assert_eq!(batcher.answer(&numbers('a', &[4]), doubled).unwrap(), [8]);
    assert!(batcher.queue().answers.is_empty());
}

#[test]
fn another_number_of_answers_is_an_error() {
    let requests: Vec<Numbers> = (0..3).map(|n| numbers('a', &[n])).collect();
    for wrong in [|_: &Numbers| Ok(vec![1]), |_: &Numbers| Ok(vec![1, 2, 3])] {
        let (answers, _) = crowd(&batcher(8), &requests, wrong);
        assert!(answers[0].is_ok());
        for answer in &answers[1..] {
            let error = answer.as_ref().unwrap_err().to_string();
            assert!(error.contains("number of answers"), "{error}");
        }
    }
}

/// Sends requests from thirty-two threads as fast as possible; every tenth run fails, every
/// eleventh panics.
#[test]
fn no_request_is_lost_under_load() {
    const THREADS: u64 = 32;
    const EACH: u64 = 400;
    let batcher = batcher(24);
    let (runs, failures) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let run = |numbers: &Numbers| {
        assert!(numbers.count() <= 24, "{}", numbers.count());
        let run = runs.fetch_add(1, Ordering::Relaxed);
        match run {
            run if run % 10 == 9 => Err(network_failure("doubler", "every tenth")),
            // Resumed without the default hook's message for each panic.
            run if run % 11 == 10 => std::panic::resume_unwind(Box::new("every eleventh")),
            _ => doubled(numbers),
        }
    };
    let ask = |thread: u64| {
        for n in 0..EACH {
            let rows: Vec<u64> = (0..=n % 5).map(|row| thread << 32 | n << 8 | row).collect();
            let request = Numbers(if n % 3 == 0 { 'a' } else { 'b' }, rows);
            match batcher.answer(&request, run) {
                Ok(answer) => assert_eq!(answer, doubled(&request).unwrap()),
                Err(error) => {
                    assert!(error.to_string().contains("every"), "{error}");
                    failures.fetch_add(1, Ordering::Relaxed);
                }
            }
        }
    };
    scope(|scope| {
        for thread in 0..THREADS {
            scope.spawn(move || ask(thread));
        }
    });
    let queue = batcher.queue();
    assert!(!queue.is_running && queue.waiting.is_empty() && queue.answers.is_empty());
    let (runs, failures) = (runs.into_inner(), failures.into_inner());
    assert!(runs as u64 <= THREADS * EACH, "{runs}");
    // Each failing run failed at least one request.
    assert!(failures >= runs / 10, "{failures} of {runs}");
}
