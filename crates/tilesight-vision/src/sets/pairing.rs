//! Pairs of the tiles of a photo with the tiles of a notation, of which either may miss some.
//!
//! Input: what each pair costs, what a tile without a partner costs on either side, and the orders
//! in which the tiles of the notation may lie. Output: for each tile of the photo, its partner in
//! the cheapest pairing of all, and how much more the cheapest one without that partner's face
//! costs. Where the order is known, a pairing is an alignment of two sequences with gaps (Needleman
//! and Wunsch, 1970); where it is not, an assignment. Invariant: costs are in nats, so that a
//! margin is the logarithm of an evidence ratio.

/// Costs of pairing tiles of a photo with those of a notation.
#[derive(Debug, Clone)]
pub(super) struct PairCosts {
    /// Cost of each pair, by the photo's tile, then the notation's.
    pub(super) pairs: Vec<Vec<f32>>,
    /// Cost of a tile of a photo that does not show this hand: the logarithm of the number of
    /// faces.
    pub(super) other_face: f32,
    /// Cost of a tile of the photo without a partner.
    pub(super) surplus: f32,
    /// Cost of each tile of the notation without a partner.
    pub(super) unseen: Vec<f32>,
}

/// A way in which the tiles of the notation may lie in the photo.
#[derive(Debug, Clone)]
pub(super) struct Order {
    /// The notation's tiles in the order in which they lie; `None` if they may lie in any order.
    pub(super) places: Option<Vec<usize>>,
    /// Cost of the order itself: the logarithm of the number of orders of its sort.
    pub(super) price: f32,
}

/// A pairing with its cost.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Pairing {
    pub(super) cost: f32,
    /// Partner of each tile of the photo.
    pub(super) partners: Vec<Option<usize>>,
}

/// Step of an alignment before one of its places.
#[derive(Debug, Clone, Copy)]
enum Step {
    Pair,
    Surplus,
    Unseen,
}

impl PairCosts {
    /// Returns these costs where a tile of the photo can't be any of these of the notation.
    pub(super) fn exclude(&self, tile: usize, sought: &[usize]) -> PairCosts {
        let mut costs = self.clone();
        for &at in sought {
            costs.pairs[tile][at] = f32::INFINITY;
        }
        costs
    }

    /// Returns the cheapest pairing under any of these orders, or no pair if the photo is likelier
    /// to show another hand, whose tiles may be any faces. That costs as much as one more tile
    /// without a partner: people rarely give the notation of another hand.
    pub(super) fn cheapest(&self, orders: &[Order]) -> Pairing {
        let cost = self.other_face * self.pairs.len() as f32 + self.surplus;
        let mut cheapest = Pairing { cost, partners: vec![None; self.pairs.len()] };
        for order in orders {
            // No pairing costs less than nothing.
            if order.price >= cheapest.cost {
                continue;
            }
            let mut pairing = match &order.places {
                Some(places) => self.aligned(places),
                None => self.assigned(),
            };
            pairing.cost += order.price;
            if pairing.cost < cheapest.cost {
                cheapest = pairing;
            }
        }
        cheapest
    }

    /// Returns the cheapest pairing of tiles that lie in this order.
    fn aligned(&self, places: &[usize]) -> Pairing {
        let width = places.len() + 1;
        let mut best = vec![(0.0, Step::Unseen); (self.pairs.len() + 1) * width];
        for row in 0..=self.pairs.len() {
            for column in 0..width {
                best[row * width + column] = self.step(places, &best, row, column);
            }
        }
        let mut partners = vec![None; self.pairs.len()];
        let mut row = self.pairs.len();
        let mut column = places.len();
        while row + column > 0 {
            let (_, step) = best[row * width + column];
            if matches!(step, Step::Pair) {
                partners[row - 1] = Some(places[column - 1]);
            }
            row -= usize::from(!matches!(step, Step::Unseen));
            column -= usize::from(!matches!(step, Step::Surplus));
        }
        Pairing { cost: best[best.len() - 1].0, partners }
    }

    /// Returns the least cost of the first `row` tiles of the photo and the first `column` places,
    /// with the last step.
    fn step(
        &self,
        places: &[usize],
        best: &[(f32, Step)],
        row: usize,
        column: usize,
    ) -> (f32, Step) {
        let width = places.len() + 1;
        let mut cheapest = (if row + column == 0 { 0.0 } else { f32::INFINITY }, Step::Unseen);
        let mut steps = Vec::with_capacity(3);
        if column > 0 {
            let unseen = self.unseen[places[column - 1]];
            steps.push((best[row * width + column - 1].0 + unseen, Step::Unseen));
        }
        if row > 0 {
            steps.push((best[(row - 1) * width + column].0 + self.surplus, Step::Surplus));
        }
        if row > 0 && column > 0 {
            let pair = self.pairs[row - 1][places[column - 1]];
            steps.push((best[(row - 1) * width + column - 1].0 + pair, Step::Pair));
        }
        for step in steps {
            if step.0 < cheapest.0 {
                cheapest = step;
            }
        }
        cheapest
    }

    /// Returns the cheapest pairing of tiles that lie in any order.
    pub(super) fn assigned(&self) -> Pairing {
        let tiles = self.pairs.len();
        let sought = self.unseen.len();
        let columns = assignment(tiles + sought, &|row, column| self.square(row, column));
        let mut cost = 0.0;
        for (row, &column) in columns.iter().enumerate() {
            cost += self.square(row, column);
        }
        let partners = columns[..tiles].iter().map(|&at| (at < sought).then_some(at)).collect();
        Pairing { cost, partners }
    }

    /// Returns the cost of a cell of the square in which every tile has a stand-in as a partner:
    /// rows are the photo's tiles, then the stand-ins; columns the notation's, then the stand-ins.
    fn square(&self, row: usize, column: usize) -> f32 {
        match (self.pairs.get(row), self.unseen.get(column)) {
            // Potentials are differences, which infinity has none of.
            (Some(pairs), Some(_)) => pairs[column].min(FORBIDDEN),
            (Some(_), None) => self.surplus,
            (None, Some(unseen)) => *unseen,
            (None, None) => 0.0,
        }
    }
}

/// Cost above that of any pairing.
const FORBIDDEN: f32 = 1e4;

/// Returns the column of each row in the cheapest assignment of a square (Kuhn, 1955; with
/// potentials, one augmenting path for each row).
fn assignment(size: usize, cost: &dyn Fn(usize, usize) -> f32) -> Vec<usize> {
    let mut of_rows = vec![0.0_f32; size];
    // The last column is where each path begins.
    let mut of_columns = vec![0.0_f32; size + 1];
    let mut rows: Vec<Option<usize>> = vec![None; size + 1];
    for row in 0..size {
        rows[size] = Some(row);
        let mut column = size;
        let mut slack = vec![f32::INFINITY; size];
        let mut before = vec![size; size];
        let mut is_done = vec![false; size + 1];
        while let Some(at) = rows[column] {
            is_done[column] = true;
            for other in (0..size).filter(|&other| !is_done[other]) {
                let reduced = cost(at, other) - of_rows[at] - of_columns[other];
                if reduced < slack[other] {
                    slack[other] = reduced;
                    before[other] = column;
                }
            }
            let open = (0..size).filter(|&other| !is_done[other]);
            let Some(next) = open.min_by(|&a, &b| slack[a].total_cmp(&slack[b])) else { break };
            let least = slack[next];
            for other in 0..=size {
                match rows[other].filter(|_| is_done[other]) {
                    Some(done) => {
                        of_rows[done] += least;
                        of_columns[other] -= least;
                    }
                    None if other < size => slack[other] -= least,
                    None => {}
                }
            }
            column = next;
        }
        while column != size {
            rows[column] = rows[before[column]];
            column = before[column];
        }
    }
    let mut columns = vec![0; size];
    for (column, row) in rows[..size].iter().enumerate() {
        if let Some(row) = row {
            columns[*row] = column;
        }
    }
    columns
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Returns the least cost of pairing the tiles from one on, by trying all.
    fn least(costs: &PairCosts, tile: usize, used: &mut Vec<usize>, in_order: bool) -> f32 {
        if tile == costs.pairs.len() {
            let unseen = costs.unseen.iter().enumerate().filter(|(at, _)| !used.contains(at));
            return unseen.map(|(_, cost)| cost).sum();
        }
        let mut best = costs.surplus + least(costs, tile + 1, used, in_order);
        for at in 0..costs.unseen.len() {
            let is_free = !used.contains(&at);
            let is_next = !in_order || used.last().is_none_or(|&last| last < at);
            if is_free && is_next {
                used.push(at);
                best = best.min(costs.pairs[tile][at] + least(costs, tile + 1, used, in_order));
                used.pop();
            }
        }
        best
    }

    proptest! {
        #[test]
        fn the_cheapest_pairing_is_found(
            pairs in proptest::collection::vec(proptest::collection::vec(0.0_f32..9.0, 4), 0..5),
            surplus in 0.0_f32..6.0,
            unseen in proptest::collection::vec(0.0_f32..6.0, 4),
        ) {
            let costs = PairCosts { pairs, other_face: 3.0, surplus, unseen };
            let places: Vec<usize> = (0..4).collect();
            for (pairing, in_order) in [(costs.aligned(&places), true), (costs.assigned(), false)] {
                let expected = least(&costs, 0, &mut Vec::new(), in_order);
                prop_assert!((pairing.cost - expected).abs() < 1e-3, "{pairing:?} {expected}");
                let partners = pairing.partners.iter().flatten();
                let unpaired = pairing.partners.len() - partners.clone().count();
                let mut sum = costs.surplus * unpaired as f32;
                for (tile, at) in pairing.partners.iter().enumerate() {
                    sum += at.map_or(0.0, |at| costs.pairs[tile][at] - costs.unseen[at]);
                }
                sum += costs.unseen.iter().sum::<f32>();
                prop_assert!((pairing.cost - sum).abs() < 1e-3, "{pairing:?} {sum}");
            }
        }
    }
}
