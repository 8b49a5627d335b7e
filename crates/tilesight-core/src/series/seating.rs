//! The seating of a round.
//!
//! Input: who is present, who met whom before, how many guests may fill tables, how many rounds are
//! planned, and a seed. Output: tables, and the players who rest.
//!
//! Method: first it is decided who rests, if the players are no multiple of a table and no guest
//! fills it: those who have rested least. Then the tables of this round and of the rounds that are
//! planned after it are found together, by simulated annealing (Kirkpatrick, Gelatt and Vecchi
//! 1983) on exchanges of two players of a round ([`search`](super::search)): the cost of a plan is,
//! for each pair, the number of encounters before each further one, so a pair that meets a third
//! time costs more than one that meets a second time. Of the planned rounds the best one is seated.
//! Last, the chairs of each table are those on which its players have sat least. The problem is
//! that of the social golfer (problem 10 of CSPLib).
//!
//! Invariants: the same input has the same output on every machine, as no float and no clock is
//! used; everybody who is present sits once or rests; every table is full; fewer players rest than
//! a table has seats; no guest is called who is not needed.

use super::SeriesPlayer;
use super::search::{Sitting, plan, shuffle};

/// Maximum number of rounds that are planned together.
const MAX_AHEAD: usize = 8;

/// Encounters, rests and seats of the first deal of earlier rounds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Encounters {
    players: usize,
    met: Vec<u16>,
    rests: Vec<u16>,
    chairs: Vec<Vec<u16>>,
}

/// Input of [`seat`].
#[derive(Debug, Clone, Copy)]
pub struct SeatingPlan<'a> {
    /// Players who are present, each once.
    pub present: &'a [SeriesPlayer],
    /// Number of guests who may fill tables.
    pub guests: usize,
    /// Number of seats of a table, 3 or 4.
    pub seats: usize,
    /// Number of rounds that are planned from this one on, at least 1.
    pub rounds: usize,
    /// Earlier rounds.
    pub before: &'a Encounters,
    /// Seed: another one finds another seating.
    pub seed: u64,
}

/// The seating of a round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seating {
    /// Tables, with their players in the order of the first seats; a guest is `None`.
    pub tables: Vec<Vec<Option<SeriesPlayer>>>,
    /// Players who rest.
    pub resting: Vec<SeriesPlayer>,
}

impl Encounters {
    /// Returns those of players who have not met.
    #[must_use]
    pub fn new(players: usize, seats: usize) -> Encounters {
        Encounters {
            players,
            met: vec![0; players * players],
            rests: vec![0; players],
            chairs: vec![vec![0; seats]; players],
        }
    }

    /// Adds a table, with `None` for chairs of guests.
    pub fn add_table(&mut self, table: &[Option<SeriesPlayer>]) {
        for (chair, player) in table.iter().enumerate() {
            let Some(player) = player else { continue };
            if let Some(times) = self.chairs[player.index()].get_mut(chair) {
                *times += 1;
            }
            for other in table.iter().flatten().filter(|other| *other != player) {
                self.met[player.index() * self.players + other.index()] += 1;
            }
        }
    }

    /// Adds a round in which a player rested.
    pub fn add_rest(&mut self, player: SeriesPlayer) {
        self.rests[player.index()] += 1;
    }

    /// Returns the number of rounds in which two players met.
    #[must_use]
    pub fn count_between(&self, one: SeriesPlayer, other: SeriesPlayer) -> u16 {
        self.met[one.index() * self.players + other.index()]
    }

    /// Returns the number of rounds in which a player rested.
    #[must_use]
    pub fn rests_of(&self, player: SeriesPlayer) -> u16 {
        self.rests[player.index()]
    }

    /// Returns the number of pairs among players that have met.
    #[must_use]
    pub fn repeated_among(&self, players: &[SeriesPlayer]) -> u32 {
        let pairs = players.iter().enumerate().flat_map(|(at, one)| {
            players[at + 1..].iter().map(move |other| self.count_between(*one, *other))
        });
        pairs.map(|times| u32::from(times > 0)).sum()
    }
}

/// Seats a round, so that as few encounters as possible are repeated.
#[must_use]
pub fn seat(request: &SeatingPlan<'_>) -> Seating {
    let mut rng = fastrand::Rng::with_seed(request.seed);
    let mut present = request.present.to_vec();
    present.sort_unstable();
    let empty = (request.seats - present.len() % request.seats) % request.seats;
    let guests = if empty <= request.guests { empty } else { 0 };
    let sittings = sittings(request, &present, guests, &mut rng);
    let met = among(request.before, &present);
    let mut tables = plan(&sittings, &met, present.len(), request.seats, &mut rng);
    for table in &mut tables {
        let players: Vec<_> = table.iter().map(|&one| present.get(one).copied()).collect();
        *table =
            order_of_chairs(&players, request.before).into_iter().map(|at| table[at]).collect();
    }
    let mut named: Vec<Vec<Option<SeriesPlayer>>> = tables
        .iter()
        .map(|table| table.iter().map(|&one| present.get(one).copied()).collect())
        .collect();
    named.sort_by_key(|table| table.iter().flatten().min().copied());
    let seated: Vec<usize> = tables.concat();
    let resting = (0..present.len()).filter(|one| !seated.contains(one)).map(|one| present[one]);
    Seating { tables: named, resting: resting.collect() }
}

/// Returns who sits in each of the rounds that are planned together, as indices of those who are
/// present; guests have the indices after them.
fn sittings(
    request: &SeatingPlan<'_>,
    present: &[SeriesPlayer],
    guests: usize,
    rng: &mut fastrand::Rng,
) -> Vec<Sitting> {
    let count = present.len() + guests;
    let spare = count % request.seats;
    let mut order: Vec<usize> = (0..present.len()).collect();
    shuffle(rng, &mut order);
    let mut rests: Vec<u16> = present.iter().map(|one| request.before.rests_of(*one)).collect();
    let rounds = if count < request.seats { 0 } else { request.rounds.clamp(1, MAX_AHEAD) };
    let mut sittings = Vec::new();
    for _ in 0..rounds {
        order.sort_by_key(|&one| rests[one]);
        for &one in &order[..spare] {
            rests[one] += 1;
        }
        let mut sitting: Vec<usize> = order[spare..].to_vec();
        sitting.extend(present.len()..count);
        sitting.sort_unstable();
        sittings.push(sitting);
        order.rotate_left(spare);
    }
    sittings
}

/// Returns how often those who are present met, as a square of counts.
fn among(before: &Encounters, present: &[SeriesPlayer]) -> Vec<u16> {
    let rows = present.iter();
    rows.flat_map(|one| present.iter().map(|other| before.count_between(*one, *other))).collect()
}

/// Returns the order of the players of a table on whose chairs they have sat least.
fn order_of_chairs(players: &[Option<SeriesPlayer>], before: &Encounters) -> Vec<usize> {
    let mut best = (u32::MAX, Vec::new());
    let mut order: Vec<usize> = (0..players.len()).collect();
    visit_orders(&mut order, 0, &mut |order| {
        let times = order.iter().enumerate().map(|(chair, &at)| {
            players[at].map_or(0, |player| u32::from(before.chairs[player.index()][chair]).pow(2))
        });
        let cost = times.sum();
        if cost < best.0 {
            best = (cost, order.to_vec());
        }
    });
    best.1
}

/// Calls a function with every order of the elements from a position on.
fn visit_orders(order: &mut [usize], from: usize, visit: &mut impl FnMut(&[usize])) {
    if from == order.len() {
        return visit(order);
    }
    for at in from..order.len() {
        order.swap(from, at);
        visit_orders(order, from + 1, visit);
        order.swap(from, at);
    }
}
