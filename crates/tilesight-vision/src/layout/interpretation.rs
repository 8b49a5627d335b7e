//! Possible interpretations of one group: concealed tiles, a winning tile, melds, flowers.
//!
//! Input: a group and which of its tiles lie sideways. Output: at least one [`Interpretation`],
//! each with a weight that is only compared with those of the same group: the product of the
//! [`InterpretationParams`] that apply to it. Invariant: every tile of the group is in exactly one
//! part of each interpretation.

use tilesight_core::rules::{Conventions, SidewaysTiles};

use super::super::params::InterpretationParams;
use super::arrange::Group;
use super::backs::{hidden_in, is_dragon_kong, shows_backs_in_place};
use super::faces::is_bonus;
use super::likelihood::{kong_likelihood, set_likelihood};
use super::plan::{MeldPlan, MeldShape};
use super::raised::RaisedTile;
use super::top_view::TopView;

/// An interpretation of a group.
#[derive(Debug, Clone, Default)]
pub(super) struct Interpretation {
    pub(super) concealed: Vec<usize>,
    pub(super) winning: Option<usize>,
    pub(super) melds: Vec<MeldPlan>,
    pub(super) flowers: Vec<usize>,
    pub(super) hidden: Vec<usize>,
    pub(super) weight: f32,
}

impl Interpretation {
    /// Creates the interpretation of a run that was won with one of its tiles.
    fn won(run: &[usize], at: usize, weight: f32) -> Interpretation {
        let mut concealed = run.to_vec();
        let winning = Some(concealed.remove(at));
        Interpretation { concealed, winning, weight, ..Interpretation::default() }
    }
}

/// Interprets one group, of a hand with at most `max_melds` melds, in every plausible way.
pub(super) fn interpret(
    view: &TopView,
    sideways: &[bool],
    group: &Group,
    conventions: Conventions,
    max_melds: usize,
) -> Vec<Interpretation> {
    let (flowers, run): (Vec<usize>, Vec<usize>) =
        group.tiles.iter().partition(|&&i| is_bonus(&view.tiles[i]));
    let interpreter = Interpreter { view, sideways, raised: group.raised, conventions, max_melds };
    let mut all = match group.above.map(|above| above.tile) {
        Some(tile) if is_bonus(&view.tiles[tile]) => {
            let mut all = interpreter.run(&run);
            all.iter_mut().for_each(|one| one.flowers.push(tile));
            all
        }
        Some(tile) => interpreter.with_above(&run, tile),
        None => interpreter.run(&run),
    };
    for one in &mut all {
        one.flowers.extend(&flowers);
        interpreter.put_backs_aside(one);
    }
    all
}

/// Input that the interpretations of a group depend on.
struct Interpreter<'a> {
    view: &'a TopView<'a>,
    sideways: &'a [bool],
    raised: Option<RaisedTile>,
    conventions: Conventions,
    max_melds: usize,
}

impl Interpreter<'_> {
    fn params(&self) -> &InterpretationParams {
        &self.view.params.interpretation
    }

    /// Returns the number of tiles of a run that lie sideways.
    fn turned(&self, run: &[usize]) -> usize {
        run.iter().filter(|&&i| self.sideways[i]).count()
    }

    /// Returns whether three tiles may be a chow or a pung.
    fn may_be_set(&self, set: &[usize]) -> bool {
        set_likelihood(self.view.tiles, set) > self.view.params.visibility.possible_set
    }

    /// Returns whether tiles may be of one kind, where a back may be any tile.
    fn may_be_kong(&self, set: &[usize]) -> bool {
        kong_likelihood(self.view.tiles, set) > self.view.params.visibility.possible_set
    }

    /// Returns the interpretations of tiles that lie side by side.
    fn run(&self, run: &[usize]) -> Vec<Interpretation> {
        let mut all = vec![Interpretation {
            concealed: run.to_vec(),
            weight: self.weight_of_row(run),
            ..Interpretation::default()
        }];
        all.extend(self.winning_at_end(run));
        all.extend(self.melds_and_row(run));
        all.extend(self.kongs_within(run));
        all
    }

    /// Returns the plausibility that all tiles of a row are concealed. Sideways tiles lower it, and
    /// a set or a single tile apart is usually a meld or the winning tile.
    fn weight_of_row(&self, run: &[usize]) -> f32 {
        let turned = self.turned(run);
        let looks_apart = match run.len() {
            1 => self.params().single_concealed,
            3 if self.may_be_set(run) => self.params().set_concealed,
            4 if self.may_be_kong(run) => self.params().kong_concealed,
            4 if !self.hidden_in(run).is_empty() => self.params().hidden_concealed,
            _ => 1.0,
        };
        let lies_flat = self.raised.map_or(1.0, |raised| 1.0 - raised.p);
        looks_apart
            * lies_flat.max(self.params().min_flat)
            * self.params().turned_concealed.powi(turned.min(8) as i32)
    }

    /// Interprets a single tile apart, or a sideways tile at an end of a row, as the winning tile.
    /// By custom it lies at the right end.
    fn winning_at_end(&self, run: &[usize]) -> Vec<Interpretation> {
        let turned = self.turned(run);
        // In a set apart the turned tile is the claimed one, not the winning tile.
        let row = match run.len() {
            3 if self.may_be_set(run) => self.params().won_in_set,
            4 if self.may_be_kong(run) => self.params().won_in_set,
            _ => 1.0,
        };
        match run {
            [_] => vec![Interpretation::won(run, 0, 1.0)],
            [.., last] if turned == 1 && self.sideways[*last] => {
                vec![Interpretation::won(run, run.len() - 1, self.params().won_right * row)]
            }
            [first, ..] if turned == 1 && self.sideways[*first] => {
                vec![Interpretation::won(run, 0, self.params().won_left * row)]
            }
            _ => Vec::new(),
        }
    }

    /// Interprets a row as melds at one end and concealed tiles, or only as melds. Without gaps,
    /// only tiles that lie sideways or face down distinguish melds from concealed tiles.
    fn melds_and_row(&self, run: &[usize]) -> Vec<Interpretation> {
        let mut all = Vec::new();
        for row in 0..=run.len() {
            let (left, right) = run.split_at(row);
            all.extend(self.join(left, right));
            if row > 0 {
                // Melds on the left and concealed tiles on the right.
                all.extend(self.join(&run[run.len() - row..], &run[..run.len() - row]));
            }
        }
        all
    }

    /// Interprets a row of concealed tiles with a run of melds beside it.
    fn join(&self, row: &[usize], melds: &[usize]) -> Vec<Interpretation> {
        if melds.len() < 3 || melds.len() > 4 * self.max_melds {
            return Vec::new();
        }
        let alone = row.is_empty();
        let rows = self.rows_beside(row);
        let mut all = Vec::new();
        for run in self.meld_runs(melds, alone, self.max_melds) {
            let place = if !alone {
                Some(self.params().touching)
            } else if melds.len() > 4 {
                self.weight_in_line(&run)
            } else {
                Some(1.0)
            };
            let Some(place) = place else { continue };
            for row in &rows {
                let weight = row.weight * run.weight * place;
                all.push(Interpretation { weight, melds: run.melds.clone(), ..row.clone() });
            }
        }
        all
    }

    /// Returns the interpretations of the concealed tiles beside melds; there may be no such tiles.
    fn rows_beside(&self, row: &[usize]) -> Vec<Interpretation> {
        if row.is_empty() {
            return vec![Interpretation { weight: 1.0, ..Interpretation::default() }];
        }
        let plain = Interpretation {
            concealed: row.to_vec(),
            weight: self.weight_of_row(row).max(self.params().impossible),
            ..Interpretation::default()
        };
        std::iter::once(plain).chain(self.winning_at_end(row)).collect()
    }

    /// Returns the plausibility that a row of several sets is exposed. `None` with an unmarked
    /// kong: four equal tiles in a row are a kong that was not set apart, not a row of exposed
    /// sets.
    fn weight_in_line(&self, run: &MeldRun) -> Option<f32> {
        let mut weight = 1.0;
        for meld in &run.melds {
            let is_unmarked = match meld.shape {
                MeldShape::Apart => true,
                MeldShape::ConcealedKong => meld.hidden.is_empty(),
                MeldShape::Claimed { .. } | MeldShape::AddedKong { .. } => false,
            };
            if is_unmarked && meld.tiles.len() != 3 {
                return None;
            }
            if is_unmarked {
                weight = self.params().sets_in_line;
            }
        }
        Some(weight)
    }

    /// Returns every way to cut a run completely into at most `max_melds` melds.
    fn meld_runs(&self, run: &[usize], apart: bool, max_melds: usize) -> Vec<MeldRun> {
        if run.is_empty() {
            return vec![MeldRun { melds: Vec::new(), weight: 1.0 }];
        }
        if run.len() > 4 * max_melds {
            return Vec::new();
        }
        let mut runs = Vec::new();
        for length in [3, 4] {
            let Some((first, rest)) = run.split_at_checked(length) else { continue };
            for (shape, weight) in self.shapes(first, apart) {
                for tail in self.meld_runs(rest, apart, max_melds - 1) {
                    let hidden = self.hidden_in(first);
                    let meld = MeldPlan { tiles: first.to_vec(), shape, hidden };
                    let melds = std::iter::once(meld).chain(tail.melds).collect();
                    runs.push(MeldRun { melds, weight: weight * tail.weight });
                }
            }
        }
        runs
    }

    /// Returns the melds that three or four tiles can be, with weights. If gaps set the tiles apart
    /// (`apart`), a set without turned tiles can be a meld too.
    fn shapes(&self, set: &[usize], apart: bool) -> Vec<(MeldShape, f32)> {
        let turned: Vec<usize> = (0..set.len()).filter(|&at| self.sideways[set[at]]).collect();
        let hidden = self.hidden_in(set);
        let raised = match (set, self.raised) {
            (&[_, middle, _], Some(raised)) if raised.tile == middle => raised.p,
            _ => 0.0,
        };
        if turned.is_empty() && hidden.is_empty() && raised == 0.0 && !apart {
            return Vec::new();
        }
        let is_possible = if set.len() == 3 { self.may_be_set(set) } else { self.may_be_kong(set) };
        if raised > 0.0 && is_possible {
            return raised_shapes(raised, turned.first().copied(), apart);
        }
        match (set.len(), turned.as_slice(), hidden.len()) {
            (4, _, 2..) if self.is_kong_hiding(set, &hidden) => {
                vec![(MeldShape::ConcealedKong, 1.0)]
            }
            (3, &[at], 0) => {
                // The turned tile marks a claimed set even if a face is misread.
                let weight = if is_possible { 1.0 } else { self.params().misread_set };
                vec![(MeldShape::Claimed { at }, weight)]
            }
            (4, &[at], 0) if is_possible => self.kong_with_one_turned(at),
            (4, &[at, next], 0) if is_possible && next == at + 1 => self.kong_with_two_turned(at),
            (_, [], 0) if apart && is_possible => self.shapes_without_turned(set.len()),
            _ => Vec::new(),
        }
    }

    /// Returns the melds that a set apart without turned tiles can be.
    fn shapes_without_turned(&self, tiles: usize) -> Vec<(MeldShape, f32)> {
        match tiles {
            3 => vec![(MeldShape::Apart, self.params().exposed_set)],
            _ => vec![
                (MeldShape::Apart, self.params().exposed_kong),
                (MeldShape::ConcealedKong, self.params().open_kong),
            ],
        }
    }

    /// Returns the interpretations of a kong in which one tile lies sideways. If two tiles are
    /// turned in a claimed kong by convention, this may be a pung whose fourth tile was added.
    fn kong_with_one_turned(&self, at: usize) -> Vec<(MeldShape, f32)> {
        match self.conventions.turned_in_claimed_kong {
            SidewaysTiles::One => vec![(MeldShape::Claimed { at }, 1.0)],
            SidewaysTiles::Two => {
                let claimed = self.params().kong_claimed;
                vec![
                    (MeldShape::Claimed { at }, claimed),
                    (MeldShape::AddedKong { at: Some(at) }, 1.0 - claimed),
                ]
            }
        }
    }

    /// Returns the interpretations of a kong in which two neighbours from `at` on lie sideways. If
    /// one tile of a claimed kong is turned by convention, the fourth tile lies beside the claimed
    /// one.
    fn kong_with_two_turned(&self, at: usize) -> Vec<(MeldShape, f32)> {
        match self.conventions.turned_in_claimed_kong {
            SidewaysTiles::One => vec![(MeldShape::AddedKong { at: Some(at) }, 1.0)],
            // Turned tiles in the last two places point to the player on the right.
            SidewaysTiles::Two => {
                vec![(MeldShape::Claimed { at: if at == 2 { 3 } else { at } }, 1.0)]
            }
        }
    }

    /// Interprets a row in which four equal tiles lie together as a hand with a kong that was not
    /// set apart.
    fn kongs_within(&self, run: &[usize]) -> Vec<Interpretation> {
        if run.len() < 6 {
            return Vec::new();
        }
        let mut all = Vec::new();
        let mut row = run.to_vec();
        let mut melds = Vec::new();
        let mut weight = self.weight_of_row(run);
        while let Some(at) = row.windows(4).position(|four| self.is_likely_kong(four)) {
            let tiles = row.drain(at..at + 4).collect();
            melds.push(MeldPlan { tiles, shape: MeldShape::ConcealedKong, hidden: Vec::new() });
            weight *= self.params().kong_within;
            all.push(Interpretation {
                concealed: row.clone(),
                melds: melds.clone(),
                weight,
                ..Interpretation::default()
            });
        }
        all
    }

    /// Returns whether four faces are likely of one kind.
    fn is_likely_kong(&self, four: &[usize]) -> bool {
        four.iter().all(|&i| !self.view.is_back(i))
            && kong_likelihood(self.view.tiles, four) > self.view.params.visibility.likely_set
    }

    /// Interprets a tile above a group: as the fourth tile of an added kong if it equals the set
    /// below, as the winning tile otherwise.
    fn with_above(&self, run: &[usize], above: usize) -> Vec<Interpretation> {
        let mut all = Vec::new();
        for option in self.run(run) {
            for (m, meld) in option.melds.iter().enumerate() {
                let with: Vec<usize> = meld.tiles.iter().copied().chain([above]).collect();
                if meld.tiles.len() == 3 && self.may_be_kong(&with) {
                    let at = match meld.shape {
                        MeldShape::Claimed { at } => Some(at),
                        _ => None,
                    };
                    let mut added = option.clone();
                    let shape = MeldShape::AddedKong { at };
                    added.melds[m] = MeldPlan { tiles: with, shape, hidden: Vec::new() };
                    all.push(added);
                }
            }
            let mut apart = option;
            // Only one tile wins, and this one is set apart more clearly.
            apart.concealed.extend(apart.winning.replace(above));
            all.push(apart);
        }
        all
    }

    /// Moves backs that are not in a meld to the hidden tiles: they cannot be scored.
    fn put_backs_aside(&self, option: &mut Interpretation) {
        let (backs, faces): (Vec<usize>, Vec<usize>) =
            option.concealed.iter().partition(|&&i| self.view.is_back(i));
        option.concealed = faces;
        option.hidden = backs;
        if let Some(back) = option.winning.take_if(|i| self.view.is_back(*i)) {
            option.hidden.push(back);
        }
    }

    /// Returns the tiles of a set that lie face down: backs, and apparent white dragons in the
    /// places where a concealed kong has its backs.
    fn hidden_in(&self, set: &[usize]) -> Vec<usize> {
        if is_dragon_kong(self.view, set) && !shows_backs_in_place(self.view, set) {
            return Vec::new();
        }
        let backs: Vec<usize> = set.iter().copied().filter(|&i| self.view.is_back(i)).collect();
        if backs.len() >= 2 { backs } else { hidden_in(self.view, set).unwrap_or(backs) }
    }

    /// Returns whether those of four tiles that do not lie face down may be of one kind.
    fn is_kong_hiding(&self, set: &[usize], hidden: &[usize]) -> bool {
        let open: Vec<usize> = set.iter().copied().filter(|i| !hidden.contains(i)).collect();
        open.is_empty() || self.may_be_kong(&open)
    }
}

/// Returns the melds that a pung can be whose middle tile lies on another one with the probability
/// `raised`.
fn raised_shapes(raised: f32, turned: Option<usize>, apart: bool) -> Vec<(MeldShape, f32)> {
    let flat = turned.map_or(MeldShape::Apart, |at| MeldShape::Claimed { at });
    let shapes = [(MeldShape::AddedKong { at: turned }, raised), (flat, 1.0 - raised)];
    shapes.into_iter().filter(|&(shape, _)| apart || shape != MeldShape::Apart).collect()
}

/// A run of melds.
struct MeldRun {
    melds: Vec<MeldPlan>,
    weight: f32,
}
