//! The search for tables in which few pairs meet again.
//!
//! Input: who sits in each planned round, and how often pairs met before. Output: the tables of the
//! round that is played next. Invariants: it ends after a number of steps that depends on the
//! number of chairs alone; it uses integers only, so it has the same result on every machine.

/// Occupants of the tables of a round: players by their indices, then guests.
pub(super) type Sitting = Vec<usize>;

/// Maximum number of times that the search begins anew.
const MAX_ATTEMPTS: u32 = 12;
/// Number of exchanges that are tried in an attempt, for each chair of the plan.
const STEPS_PER_CHAIR: usize = 400;
/// Maximum number of exchanges that are tried in an attempt.
const MAX_STEPS: usize = 400_000;
/// Number of stages of an attempt: in each, exchanges that cost more are accepted less often.
const STAGES: usize = 12;

/// A plan of several rounds.
struct Plan<'a> {
    /// Occupants of the chairs of each round, table by table.
    rounds: Vec<Vec<usize>>,
    seats: usize,
    /// Number of players; occupants from here on are guests, whom it is no encounter to meet.
    players: usize,
    /// Number of encounters of each pair, before and in the plan.
    met: Vec<u16>,
    /// Encounters before the plan.
    before: &'a [u16],
}

/// Returns the tables of the first of the planned rounds.
pub(super) fn plan(
    sittings: &[Sitting],
    before: &[u16],
    players: usize,
    seats: usize,
    rng: &mut fastrand::Rng,
) -> Vec<Vec<usize>> {
    let Some(first) = sittings.first() else { return Vec::new() };
    let bound = lowest_cost(sittings, before, players, seats);
    let mut best: Option<(u64, Vec<Vec<usize>>)> = None;
    for _ in 0..MAX_ATTEMPTS {
        let mut plan = Plan::new(sittings, before, players, seats, rng);
        let cost = plan.anneal(bound, rng);
        if best.as_ref().is_none_or(|(least, _)| cost < *least) {
            best = Some((cost, plan.rounds));
        }
        if cost <= bound {
            break;
        }
    }
    let rounds = best.map(|(_, rounds)| rounds).unwrap_or_default();
    let same = rounds.iter().filter(|round| has_same_occupants(round, first));
    let next = same.min_by_key(|round| cost_of_round(round, before, players, seats));
    next.map_or(Vec::new(), |round| round.chunks(seats).map(<[usize]>::to_vec).collect())
}

impl<'a> Plan<'a> {
    /// Returns a plan by chance.
    fn new(
        sittings: &[Sitting],
        before: &'a [u16],
        players: usize,
        seats: usize,
        rng: &mut fastrand::Rng,
    ) -> Plan<'a> {
        let mut plan =
            Plan { rounds: sittings.to_vec(), seats, players, met: before.to_vec(), before };
        for round in &mut plan.rounds {
            shuffle(rng, round);
        }
        for round in plan.rounds.clone() {
            for table in round.chunks(seats) {
                for (at, &one) in table.iter().enumerate() {
                    table[at + 1..].iter().for_each(|&other| plan.count(one, other, true));
                }
            }
        }
        plan
    }

    /// Improves the plan by exchanges and returns its cost.
    fn anneal(&mut self, bound: u64, rng: &mut fastrand::Rng) -> u64 {
        let chairs = self.rounds.len() * self.rounds[0].len();
        let steps = (STEPS_PER_CHAIR * chairs).min(MAX_STEPS);
        let mut cost = self.cost();
        if self.rounds[0].len() <= self.seats {
            return cost;
        }
        for step in 0..steps {
            if cost <= bound {
                return cost;
            }
            let round = choose_index(rng, self.rounds.len());
            let occupants = self.rounds[round].len();
            let [one, other] = [(); 2].map(|()| choose_index(rng, occupants));
            if one / self.seats == other / self.seats {
                continue;
            }
            let change = self.change_by(round, one, other);
            if change <= 0 || accepts(change, step * STAGES / steps, rng) {
                self.exchange(round, one, other);
                cost = cost.saturating_add_signed(change);
            }
        }
        cost
    }

    /// Returns the others at the table of a chair.
    fn others(&self, round: usize, chair: usize) -> impl Iterator<Item = usize> + '_ {
        let first = chair / self.seats * self.seats;
        let chairs = first..first + self.seats;
        chairs.filter(move |&at| at != chair).map(move |at| self.rounds[round][at])
    }

    /// Returns the number of encounters of a pair, without guests.
    fn times_met(&self, one: usize, other: usize) -> Option<i64> {
        let are_players = one < self.players && other < self.players;
        are_players.then(|| i64::from(self.met[one * self.players + other]))
    }

    /// Returns the change of the cost by an exchange.
    fn change_by(&self, round: usize, one: usize, other: usize) -> i64 {
        let [first, second] = [self.rounds[round][one], self.rounds[round][other]];
        let mut change = 0;
        for neighbor in self.others(round, one) {
            change += self.times_met(second, neighbor).unwrap_or(0);
            change -= self.times_met(first, neighbor).map_or(0, |times| times - 1);
        }
        for neighbor in self.others(round, other) {
            change += self.times_met(first, neighbor).unwrap_or(0);
            change -= self.times_met(second, neighbor).map_or(0, |times| times - 1);
        }
        change
    }

    fn exchange(&mut self, round: usize, one: usize, other: usize) {
        self.count_table(round, one, false);
        self.count_table(round, other, false);
        self.rounds[round].swap(one, other);
        self.count_table(round, one, true);
        self.count_table(round, other, true);
    }

    /// Adds or removes the encounters of the occupant of a chair.
    fn count_table(&mut self, round: usize, chair: usize, adds: bool) {
        let own = self.rounds[round][chair];
        let others: Vec<usize> = self.others(round, chair).collect();
        others.into_iter().for_each(|other| self.count(own, other, adds));
    }

    fn count(&mut self, one: usize, other: usize, adds: bool) {
        if one >= self.players || other >= self.players {
            return;
        }
        for at in [one * self.players + other, other * self.players + one] {
            self.met[at] = if adds { self.met[at] + 1 } else { self.met[at] - 1 };
        }
    }

    /// Returns the cost of the plan: for each of its encounters, the number of those before.
    fn cost(&self) -> u64 {
        let pairs = self.met.iter().zip(self.before);
        let costs = pairs.map(|(&now, &before)| pairs_of(now) - pairs_of(before));
        // Each pair is counted from both sides.
        costs.sum::<u64>() / 2
    }
}

/// Chooses an index below a length, in the same way whatever the size of a pointer: `Rng::usize`
/// and `Rng::shuffle` draw other numbers on 32 bits.
fn choose_index(rng: &mut fastrand::Rng, length: usize) -> usize {
    usize::try_from(rng.u64(..length as u64)).unwrap_or_default()
}

/// Puts elements in a random order, in the same way whatever the size of a pointer.
pub(super) fn shuffle<T>(rng: &mut fastrand::Rng, elements: &mut [T]) {
    for at in 1..elements.len() {
        elements.swap(at, choose_index(rng, at + 1));
    }
}

/// Returns the number of pairs of encounters.
fn pairs_of(times: u16) -> u64 {
    let times = u64::from(times);
    times * times.saturating_sub(1) / 2
}

/// Decides whether an exchange that costs more is made: with a probability that halves with each
/// point of cost and each stage.
fn accepts(change: i64, stage: usize, rng: &mut fastrand::Rng) -> bool {
    let halvings = change.unsigned_abs() * (stage as u64 + 2);
    halvings < 32 && rng.u32(..) >> (32 - halvings) == 0
}

/// Returns the cost that no plan can be below: every encounter is one of a pair that met least.
fn lowest_cost(sittings: &[Sitting], before: &[u16], players: usize, seats: usize) -> u64 {
    let mut levels: Vec<u64> = Vec::new();
    for one in 0..players {
        for other in one + 1..players {
            let times = usize::from(before[one * players + other]);
            levels.resize(levels.len().max(times + 1), 0);
            levels[times] += 1;
        }
    }
    let of_tables = sittings.iter().map(|sitting| {
        let guests = sitting.iter().filter(|&&one| one >= players).count();
        let tables = sitting.len() / seats;
        (tables * seats * (seats - 1) / 2).saturating_sub(guests * (seats - 1)) as u64
    });
    let mut left: u64 = of_tables.sum();
    let mut cost = 0;
    let mut level = 0;
    let mut pairs = levels.first().copied().unwrap_or(0);
    while left > 0 && players > 1 {
        let taken = left.min(pairs);
        cost += taken * level as u64;
        left -= taken;
        level += 1;
        pairs += levels.get(level).copied().unwrap_or(0);
    }
    cost
}

fn has_same_occupants(round: &[usize], first: &[usize]) -> bool {
    let mut sorted = round.to_vec();
    sorted.sort_unstable();
    sorted == first
}

/// Returns the encounters of a round that were there before.
fn cost_of_round(round: &[usize], before: &[u16], players: usize, seats: usize) -> u64 {
    let mut cost = 0;
    for table in round.chunks(seats) {
        for (at, &one) in table.iter().enumerate() {
            for &other in table[at + 1..].iter().filter(|&&other| other < players) {
                if one < players {
                    cost += u64::from(before[one * players + other]);
                }
            }
        }
    }
    cost
}
