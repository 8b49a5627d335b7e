//! Pairs of the tiles of a photo with the tiles of a notation, of which either may miss some.
//!
//! Input: what each pair costs, and what a tile without a partner costs on either side. Output: the
//! cheapest pairing, and for each tile of the photo and each partner the least cost of a pairing
//! that has them together. Where groups of tiles lie side by side, a pairing is a path through an
//! alignment of sequences with gaps (Needleman and Wunsch, 1970), whose group is chosen anew where
//! one ends; where tiles lie in any order, it is an assignment. Invariant: costs are in nats, so
//! that a margin is the logarithm of an evidence ratio.

/// Costs of pairing tiles of a photo with those of a notation.
#[derive(Debug, Clone)]
pub(super) struct PairCosts {
    /// Cost of each pair, by the photo's tile, then the notation's.
    pub(super) pairs: Vec<Vec<f32>>,
    /// Cost of a tile of the photo without a partner.
    pub(super) surplus: f32,
    /// Cost of each tile of the notation without a partner.
    pub(super) unseen: Vec<f32>,
}

/// Groups of the notation's tiles, each of which lies in the order in which it was typed.
#[derive(Debug, Clone)]
pub(super) struct Groups {
    /// Group of each tile of the notation. The tiles of a group follow each other.
    pub(super) of: Vec<usize>,
    /// Tile of the notation that may lie anywhere, a group of its own.
    pub(super) anywhere: Option<usize>,
}

/// The cheapest pairing, and how it compares with the others.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Pairing {
    pub(super) cost: f32,
    /// Partner of each tile of the photo.
    pub(super) partners: Vec<Option<usize>>,
    /// For each tile of the photo and each of the notation, the least cost of a pairing that has
    /// them together; in the last place, of one in which the photo's tile has no partner.
    least: Vec<Vec<f32>>,
}

impl Pairing {
    /// Returns how much more a pairing costs in which a tile of the photo has none of these
    /// partners than one in which it has one of them.
    pub(super) fn margin(&self, tile: usize, is_meant: impl Fn(Option<usize>) -> bool) -> f32 {
        let least = &self.least[tile];
        let mut meant = f32::INFINITY;
        let mut others = f32::INFINITY;
        for (at, &cost) in least.iter().enumerate() {
            let partner = (at + 1 < least.len()).then_some(at);
            let side = if is_meant(partner) { &mut meant } else { &mut others };
            *side = side.min(cost);
        }
        others - meant
    }

    /// Returns the cheapest partner of a tile of the photo.
    pub(super) fn likeliest(&self, tile: usize) -> Option<usize> {
        let (_, sought) = self.least[tile].split_last()?;
        (0..sought.len()).min_by(|&a, &b| sought[a].total_cmp(&sought[b]))
    }
}

impl PairCosts {
    /// Returns the cheapest pairing of tiles that lie group by group, the groups in any order.
    pub(super) fn grouped(&self, groups: &Groups) -> Pairing {
        Paths::new(self, groups).cheapest()
    }

    /// Returns the cheapest pairing of tiles that lie in any order.
    pub(super) fn assigned(&self) -> Pairing {
        let tiles = self.pairs.len();
        let sought = self.unseen.len();
        let size = tiles + sought;
        let columns = assignment(size, &|row, column| self.square(row, column));
        let mut cost = 0.0;
        let mut rows = vec![0; size];
        for (row, &column) in columns.iter().enumerate() {
            cost += self.square(row, column);
            rows[column] = row;
        }
        let moves = self.cheapest_moves(&columns);
        let least = (0..tiles).map(|tile| {
            let mut least = vec![f32::INFINITY; sought + 1];
            for (column, &row) in rows.iter().enumerate() {
                let step = self.square(tile, column) - self.square(tile, columns[tile]);
                let at = column.min(sought);
                least[at] = least[at].min(cost + step + moves[row][tile]);
            }
            least
        });
        let least = least.collect();
        let partners = columns[..tiles].iter().map(|&at| (at < sought).then_some(at)).collect();
        Pairing { cost, partners, least }
    }

    /// Returns for each two rows of an assignment what it costs more if the first takes over the
    /// column of the second, directly or by way of others (Floyd, 1962).
    fn cheapest_moves(&self, columns: &[usize]) -> Vec<Vec<f32>> {
        let size = columns.len();
        let mut moves = vec![vec![0.0; size]; size];
        for (from, row) in moves.iter_mut().enumerate() {
            let own = self.square(from, columns[from]);
            for (cost, &column) in row.iter_mut().zip(columns) {
                *cost = self.square(from, column) - own;
            }
        }
        for by in 0..size {
            let onwards = moves[by].clone();
            for row in &mut moves {
                let first = row[by];
                for (cost, second) in row.iter_mut().zip(&onwards) {
                    *cost = cost.min(first + second);
                }
            }
        }
        moves
    }

    /// Returns the cost of a cell of the square in which every tile has a stand-in as a partner:
    /// rows are the photo's tiles, then the stand-ins; columns the notation's, then the stand-ins.
    fn square(&self, row: usize, column: usize) -> f32 {
        match (self.pairs.get(row), self.unseen.get(column)) {
            (Some(pairs), Some(_)) => pairs[column],
            (Some(_), None) => self.surplus,
            (None, Some(unseen)) => *unseen,
            (None, None) => 0.0,
        }
    }
}

/// Point between two steps of a pairing group by group.
#[derive(Debug, Clone, Copy)]
struct Point {
    /// Groups that are done, a bit for each.
    done: usize,
    /// Next tile of the group that has begun; `None` between two groups.
    next: Option<usize>,
    /// Whether the tile that may lie anywhere is done.
    is_anywhere_done: bool,
    /// Number of the photo's tiles that are done.
    row: usize,
}

/// Step from one point to another.
#[derive(Debug, Clone, Copy)]
struct Step {
    cost: f32,
    /// Tile of the photo that the step takes.
    tile: Option<usize>,
    /// Tile of the notation that the step takes.
    sought: Option<usize>,
    to: usize,
}

/// All pairings of tiles that lie group by group, as paths from the first point to the last.
///
/// Points are numbered so that each step leads to a higher number.
struct Paths<'a> {
    costs: &'a PairCosts,
    groups: &'a Groups,
    /// First tile of each group, except for the tile that may lie anywhere.
    firsts: Vec<usize>,
}

impl<'a> Paths<'a> {
    fn new(costs: &'a PairCosts, groups: &'a Groups) -> Paths<'a> {
        let mut firsts = Vec::new();
        for at in 0..groups.of.len() {
            let is_first = at == 0 || groups.of[at - 1] != groups.of[at];
            if is_first && groups.anywhere != Some(at) {
                firsts.push(at);
            }
        }
        Paths { costs, groups, firsts }
    }

    fn cheapest(&self) -> Pairing {
        let rest = self.costs_to_the_end();
        let tiles = self.costs.pairs.len();
        Pairing {
            cost: rest[self.start()],
            partners: self.trace(&rest),
            least: self.least(&rest, vec![vec![f32::INFINITY; self.groups.of.len() + 1]; tiles]),
        }
    }

    /// Returns the least cost of each point's steps to the last point.
    fn costs_to_the_end(&self) -> Vec<f32> {
        let mut rest = vec![f32::INFINITY; self.end() + 1];
        rest[self.end()] = 0.0;
        for number in (0..self.end()).rev() {
            let costs = self.steps(number).into_iter().map(|step| step.cost + rest[step.to]);
            rest[number] = costs.fold(f32::INFINITY, f32::min);
        }
        rest
    }

    /// Returns the partners of the photo's tiles along the cheapest path.
    fn trace(&self, rest: &[f32]) -> Vec<Option<usize>> {
        let mut partners = vec![None; self.costs.pairs.len()];
        let mut number = self.start();
        while number != self.end() {
            let steps = self.steps(number).into_iter();
            let cheapest =
                steps.min_by(|a, b| (a.cost + rest[a.to]).total_cmp(&(b.cost + rest[b.to])));
            let Some(step) = cheapest else { break };
            if let Some(tile) = step.tile {
                partners[tile] = step.sought;
            }
            number = step.to;
        }
        partners
    }

    /// Lowers costs to the least of a path with each tile of the photo and its partner.
    fn least(&self, rest: &[f32], mut least: Vec<Vec<f32>>) -> Vec<Vec<f32>> {
        let mut before = vec![f32::INFINITY; rest.len()];
        before[self.start()] = 0.0;
        for number in 0..self.end() {
            if before[number].is_infinite() {
                continue;
            }
            for step in self.steps(number) {
                let cost = before[number] + step.cost;
                before[step.to] = before[step.to].min(cost);
                if let Some(tile) = step.tile {
                    let with = &mut least[tile][step.sought.unwrap_or(self.groups.of.len())];
                    *with = with.min(cost + rest[step.to]);
                }
            }
        }
        least
    }

    /// Returns the steps from a point.
    fn steps(&self, number: usize) -> Vec<Step> {
        let mut steps = Vec::new();
        let at = self.point(number);
        let further = Point { row: at.row + 1, ..at };
        if further.row <= self.costs.pairs.len() {
            let cost = self.costs.surplus;
            steps.push(Step { cost, tile: Some(at.row), sought: None, to: self.number(further) });
        }
        if let Some(anywhere) = self.groups.anywhere.filter(|_| !at.is_anywhere_done) {
            self.push_steps(&mut steps, Point { is_anywhere_done: true, ..at }, anywhere);
        }
        match at.next {
            Some(next) => self.push_steps(&mut steps, self.point_after(at, next), next),
            None => {
                for (group, &first) in self.firsts.iter().enumerate() {
                    if (at.done >> group) & 1 == 0 {
                        self.push_steps(&mut steps, self.point_after(at, first), first);
                    }
                }
            }
        }
        steps
    }

    /// Adds the steps that take a tile of the notation, with the photo's next tile or alone;
    /// `after` is the point after the step that takes it alone.
    fn push_steps(&self, steps: &mut Vec<Step>, after: Point, sought: usize) {
        let cost = self.costs.unseen[sought];
        let to = self.number(after);
        steps.push(Step { cost, tile: None, sought: Some(sought), to });
        if let Some(pairs) = self.costs.pairs.get(after.row) {
            let to = self.number(Point { row: after.row + 1, ..after });
            let tile = Some(after.row);
            steps.push(Step { cost: pairs[sought], tile, sought: Some(sought), to });
        }
    }

    /// Returns the point after a tile of the notation.
    fn point_after(&self, at: Point, sought: usize) -> Point {
        let group = self.groups.of[sought];
        if self.groups.of.get(sought + 1) == Some(&group) {
            return Point { next: Some(sought + 1), ..at };
        }
        let bit = self.firsts.partition_point(|&first| first <= sought) - 1;
        Point { done: at.done | 1 << bit, next: None, ..at }
    }

    fn start(&self) -> usize {
        let is_anywhere_done = self.groups.anywhere.is_none();
        self.number(Point { done: 0, next: None, is_anywhere_done, row: 0 })
    }

    fn end(&self) -> usize {
        let done = (1 << self.firsts.len()) - 1;
        let row = self.costs.pairs.len();
        self.number(Point { done, next: None, is_anywhere_done: true, row })
    }

    fn number(&self, point: Point) -> usize {
        let rows = self.costs.pairs.len() + 1;
        let open = point.done * (self.groups.of.len() + 1) + point.next.map_or(0, |next| next + 1);
        (2 * open + usize::from(point.is_anywhere_done)) * rows + point.row
    }

    fn point(&self, number: usize) -> Point {
        let rows = self.costs.pairs.len() + 1;
        let open = number / rows / 2;
        let width = self.groups.of.len() + 1;
        Point {
            done: open / width,
            next: (open % width).checked_sub(1),
            is_anywhere_done: number / rows % 2 == 1,
            row: number % rows,
        }
    }
}

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

    /// Returns every pairing of the tiles from one on, in any order.
    fn all_pairings(costs: &PairCosts, tile: usize, used: &[usize]) -> Vec<Vec<Option<usize>>> {
        if tile == costs.pairs.len() {
            return vec![Vec::new()];
        }
        let mut all = Vec::new();
        let free = (0..costs.unseen.len()).filter(|at| !used.contains(at)).map(Some);
        for partner in free.chain([None]) {
            let used: Vec<usize> = used.iter().copied().chain(partner).collect();
            for rest in all_pairings(costs, tile + 1, &used) {
                all.push([vec![partner], rest].concat());
            }
        }
        all
    }

    fn cost_of(costs: &PairCosts, partners: &[Option<usize>]) -> f32 {
        let mut sum: f32 = costs.unseen.iter().sum();
        for (tile, partner) in partners.iter().enumerate() {
            sum += partner.map_or(costs.surplus, |at| costs.pairs[tile][at] - costs.unseen[at]);
        }
        sum
    }

    /// Returns whether partners lie group by group: tiles 0 and 1, tiles 3 and 4, and tile 2
    /// anywhere.
    fn is_grouped(partners: &[Option<usize>]) -> bool {
        let others = partners.iter().flatten().copied().filter(|&at| at != 2);
        let others: Vec<usize> = others.collect();
        [[0, 1, 3, 4], [3, 4, 0, 1]].iter().any(|order| {
            let places: Vec<_> =
                others.iter().map(|at| order.iter().position(|it| it == at)).collect();
            places.is_sorted()
        })
    }

    /// Checks a pairing against all that are possible.
    fn check(costs: &PairCosts, pairing: &Pairing, all: &[Vec<Option<usize>>]) {
        let is_near = |a: f32, b: f32| (a - b).abs() < 1e-3;
        let least = |is_meant: &dyn Fn(&[Option<usize>]) -> bool| {
            let meant = all.iter().filter(|partners| is_meant(partners.as_slice()));
            meant.map(|partners| cost_of(costs, partners)).fold(f32::INFINITY, f32::min)
        };
        assert!(is_near(pairing.cost, least(&|_| true)), "{pairing:?}");
        assert!(all.contains(&pairing.partners), "{pairing:?}");
        assert!(is_near(pairing.cost, cost_of(costs, &pairing.partners)), "{pairing:?}");
        for tile in 0..costs.pairs.len() {
            for partner in (0..costs.unseen.len()).map(Some).chain([None]) {
                let with = least(&|partners| partners[tile] == partner);
                let without = least(&|partners| partners[tile] != partner);
                let margin = pairing.margin(tile, |at| at == partner);
                assert!(is_near(margin, without - with), "{tile} {partner:?} {pairing:?}");
            }
        }
    }

    proptest! {
        #[test]
        fn the_cheapest_pairing_and_all_margins_are_those_of_a_search_of_all_pairings(
            pairs in proptest::collection::vec(proptest::collection::vec(0.0_f32..9.0, 5), 0..5),
            surplus in 0.0_f32..6.0,
            unseen in proptest::collection::vec(0.0_f32..6.0, 5),
        ) {
            let costs = PairCosts { pairs, surplus, unseen };
            let mut all = all_pairings(&costs, 0, &[]);
            check(&costs, &costs.assigned(), &all);
            all.retain(|partners| is_grouped(partners));
            let groups = Groups { of: vec![0, 0, 1, 2, 2], anywhere: Some(2) };
            check(&costs, &costs.grouped(&groups), &all);
        }
    }
}
