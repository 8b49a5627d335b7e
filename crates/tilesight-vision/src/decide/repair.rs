//! Repairs of a hand that does not win: the single changes that turn it into a winning hand.
//!
//! Input: a hand without a total, a [`HandScorer`] with its win context, and the faces that the
//! photo suggests for its tiles. Output: [`Repair`]s, the most probable first: another name for a
//! tile, a tile left out, or a tile added, each with the resulting hand and its total. The number
//! of tiles decides which of the three are tried. Invariants: the total is that of the hand after
//! the repair. If one repair makes the hand a legal win, or may do so with the missing fields of
//! the win context, only such repairs are listed. Fewer than a thousand hands are tried (14 kinds
//! of tiles with 33 names each, and sets).

use tilesight_core::explain::{Lang, Message, display_english};
use tilesight_core::hand::HandSetup;
use tilesight_core::meld::{Chow, Meld};
use tilesight_core::rules::{TotalRange, scores_of};
use tilesight_core::tile::{Face, Tile};

use super::budget::ScoreBudget;
use super::doubt::DoubtKind;
use super::doubts::HandScorer;
use super::possible_totals::{OpenDoubt, PossibleTotals};
use crate::layout::Role;
use crate::texts;
use crate::wins::wins;

/// Maximum number of scores that tell which changes make a legal win, and of those for the totals
/// after all repairs that are listed. Changes that are probable come first.
const MAX_SCORES_OF_CHANGES: usize = 16_000;
const MAX_SCORES_OF_REPAIRS: usize = 40_000;

/// Number of tiles in a set.
const SET: usize = 3;

/// Single change with which the hand wins.
#[derive(Debug, Clone, PartialEq)]
pub struct Repair {
    /// The change.
    pub change: RepairChange,
    /// Index of the changed tile in the photo, if the photo shows it.
    pub tile: Option<usize>,
    /// Probability of the repair among those that are listed.
    pub p: f32,
    /// Total of the hand after the repair.
    pub total: u32,
    /// Possible totals after the repair, if doubts and the win context leave several.
    pub range: Option<TotalRange>,
    /// Whether the repaired hand is a legal win; `None` if that depends on fields of the win
    /// context that were not given.
    pub legal: Option<bool>,
    /// Hand after the repair.
    pub hand: HandSetup,
}

/// Single change of a hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RepairChange {
    /// A tile is a different one.
    Rename {
        /// Face that the tile was given.
        from: Face,
        /// Face that the tile has instead.
        to: Face,
    },
    /// A tile does not belong to the hand.
    LeaveOut {
        /// The tile.
        tile: Tile,
    },
    /// A tile is missing.
    Add {
        /// The tile.
        tile: Tile,
    },
}

impl RepairChange {
    /// Returns the name in the contract.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            RepairChange::Rename { .. } => "rename",
            RepairChange::LeaveOut { .. } => "leave_out",
            RepairChange::Add { .. } => "add",
        }
    }

    /// Returns the face that the change removes from the hand.
    #[must_use]
    pub fn from(self) -> Option<Face> {
        match self {
            RepairChange::Rename { from, .. } => Some(from),
            RepairChange::LeaveOut { tile } => Some(Face::Tile(tile)),
            RepairChange::Add { .. } => None,
        }
    }

    /// Returns the face that the change adds to the hand.
    #[must_use]
    pub fn to(self) -> Option<Face> {
        match self {
            RepairChange::Rename { to, .. } => Some(to),
            RepairChange::LeaveOut { .. } => None,
            RepairChange::Add { tile } => Some(Face::Tile(tile)),
        }
    }
}

display_english!(RepairChange);

impl Message for RepairChange {
    fn text(&self, lang: Lang) -> String {
        match self {
            RepairChange::Rename { from, to } => texts::repair_change::rename(lang, to, from),
            RepairChange::LeaveOut { tile } => texts::repair_change::leave_out(lang, tile),
            RepairChange::Add { tile } => texts::repair_change::add(lang, tile),
        }
    }
}

/// Faces that a photo suggests for one tile.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TileCandidates {
    /// Index among the tiles of the reading, if known.
    pub(crate) at: Option<usize>,
    /// Face that the tile was read as.
    pub(crate) face: Face,
    pub(crate) role: Role,
    /// Faces that the tile may show, with their probabilities.
    pub(crate) candidates: Vec<(Face, f32)>,
}

impl TileCandidates {
    fn is_of_hand(&self) -> bool {
        self.role != Role::Ignored
    }

    fn p(&self, face: Face) -> f32 {
        self.candidates.iter().find(|(other, _)| *other == face).map_or(0.0, |(_, p)| *p)
    }

    /// Returns the probability that the tile has another face than it was read as.
    fn doubt(&self) -> f32 {
        1.0 - self.p(self.face)
    }
}

/// Returns the repairs of a hand with these doubts; no repairs if it already wins.
pub(crate) fn repairs(
    scorer: &HandScorer,
    hand: &HandSetup,
    candidates: &[TileCandidates],
    doubts: &[OpenDoubt],
) -> Vec<Repair> {
    if !scorer.expects_a_win()
        || wins(hand, scorer.ruleset())
        || hand.melds.len() > scorer.size().sets()
    {
        return Vec::new();
    }
    let mut found = RepairSearch { scorer, hand, candidates }.attempts();
    found.sort_by(|a, b| b.p.total_cmp(&a.p));
    let mut budget = ScoreBudget::new(MAX_SCORES_OF_CHANGES);
    let mut repairs: Vec<Repair> =
        found.into_iter().filter_map(|attempt| attempt.into_repair(scorer, &mut budget)).collect();
    if repairs.iter().any(|repair| repair.legal != Some(false)) {
        repairs.retain(|repair| repair.legal != Some(false));
    }
    let sum: f32 = repairs.iter().map(|repair| repair.p).sum();
    repairs.iter_mut().for_each(|repair| repair.p /= sum);
    repairs.truncate(scorer.params().doubts.max_repairs);
    // These doubts are still open after the repair. A hand that wins with the right number of tiles
    // voids the others.
    let mut left = doubts.to_vec();
    left.retain(|doubt| {
        let is_void = matches!(doubt.kind, DoubtKind::TileCount | DoubtKind::TooManyCopies);
        !doubt.is_repair && !is_void
    });
    let budget = ScoreBudget::new(MAX_SCORES_OF_REPAIRS / repairs.len().max(1));
    for repair in &mut repairs {
        repair.range = PossibleTotals::new(scorer, &repair.hand, &left, budget).range;
    }
    repairs
}

/// A hand together with the candidates of its tiles.
struct RepairSearch<'a> {
    scorer: &'a HandScorer,
    hand: &'a HandSetup,
    candidates: &'a [TileCandidates],
}

/// Change with which the hand wins.
struct Attempt {
    change: RepairChange,
    tile: Option<usize>,
    p: f32,
    hand: HandSetup,
}

impl Attempt {
    /// Returns the repair. Where the budget is spent, it is not known whether it makes a legal win.
    fn into_repair(self, scorer: &HandScorer, budget: &mut ScoreBudget) -> Option<Repair> {
        let Attempt { change, tile, p, hand } = self;
        let total = scorer.total(&hand)?;
        let open = scorer.open_hand(&hand);
        let scores = scores_of(scorer.ruleset(), &open);
        let is_tried = scores == 1 || budget.spend(scores);
        let range = is_tried.then(|| TotalRange::for_hand(scorer.ruleset(), &open)).flatten();
        let legal = match &range {
            Some(range) => range.legal,
            None if is_tried => scorer.is_legal(&hand),
            None => None,
        };
        Some(Repair { change, tile, p, total, range, legal, hand })
    }
}

impl RepairSearch<'_> {
    /// Returns the changes with which the hand wins.
    fn attempts(&self) -> Vec<Attempt> {
        let attempts = self.change().into_iter();
        attempts.filter(|attempt| wins(&attempt.hand, self.scorer.ruleset())).collect()
    }

    /// Returns the changes that give the hand the right number of tiles.
    fn change(&self) -> Vec<Attempt> {
        let melds = SET * self.hand.melds.len();
        let Some(needed) = self.scorer.size().tiles().checked_sub(melds) else {
            return Vec::new();
        };
        let found = self.hand.concealed.len() + usize::from(self.hand.winning.is_some());
        match found {
            _ if found == needed => self.try_renaming(),
            _ if found == needed + 1 => self.try_leaving_out(),
            _ if found + 1 == needed => self.try_adding(),
            _ => Vec::new(),
        }
    }

    /// Tries every other name for each loose tile, and another end for each claimed chow. The
    /// winning tile is treated separately.
    fn try_renaming(&self) -> Vec<Attempt> {
        let all = self.hand.all();
        let free: Vec<Tile> = Tile::ALL.into_iter().filter(|&to| all.count(to) < 4).collect();
        let mut kinds = self.hand.concealed.clone();
        kinds.sort_unstable();
        kinds.dedup();
        let concealed = kinds.into_iter().flat_map(|from| {
            free.iter().filter(move |to| **to != from).map(move |&to| {
                let hand = replace_tile(self.hand, from, to);
                self.rename(Face::Tile(from), Face::Tile(to), hand, Role::Concealed)
            })
        });
        let winning = self.hand.winning.into_iter().flat_map(|from| {
            free.iter().filter(move |to| **to != from).map(move |&to| {
                let hand = HandSetup { winning: Some(to), ..self.hand.clone() };
                self.rename(Face::Tile(from), Face::Tile(to), hand, Role::Winning)
            })
        });
        let chows = self.hand.melds.iter().enumerate().filter_map(|(at, meld)| match meld {
            Meld::Chow(chow) => {
                Some(neighbouring_chows(*chow).into_iter().map(move |(from, to, chow)| {
                    let mut hand = self.hand.clone();
                    hand.melds[at] = Meld::Chow(chow);
                    (from, to, hand)
                }))
            }
            _ => None,
        });
        let in_melds =
            chows.flatten().filter(|(_, to, _)| free.contains(to)).map(|(from, to, hand)| {
                self.rename(Face::Tile(from), Face::Tile(to), hand, Role::Meld)
            });
        concealed.chain(winning).chain(in_melds).collect()
    }

    /// Creates a change of a name. It concerns the tile with this role that most probably has the
    /// other name. In a hand that a person changed, the role may differ.
    fn rename(&self, from: Face, to: Face, hand: HandSetup, role: Role) -> Attempt {
        let min_p = self.scorer.params().joint.negligible;
        let mut alike: Vec<(&TileCandidates, f32)> = self
            .candidates
            .iter()
            .filter(|look| look.is_of_hand() && look.face == from)
            .map(|look| (look, look.p(to).max(min_p) / look.p(from).max(min_p)))
            .collect();
        if alike.iter().any(|(look, _)| look.role == role) {
            alike.retain(|(look, _)| look.role == role);
        }
        let best = alike.into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
        let p = match best {
            Some((_, odds)) => odds,
            // A person gave the tile this name; the photo may show the other one.
            None if self.is_missed(to) => 1.0,
            None => min_p,
        };
        let tile = best.and_then(|(look, _)| look.at);
        Attempt { change: RepairChange::Rename { from, to }, tile, p, hand }
    }

    /// Returns whether the photo shows more tiles of a face than the hand has: someone gave a tile
    /// another name.
    fn is_missed(&self, face: Face) -> bool {
        let shown =
            self.candidates.iter().filter(|look| look.is_of_hand() && look.face == face).count();
        face.tile().is_some_and(|tile| shown > usize::from(self.hand.all().count(tile)))
    }

    /// Leaves out each kind of loose tile, or turns it into a flower.
    fn try_leaving_out(&self) -> Vec<Attempt> {
        let params = self.scorer.params().doubts;
        let mut attempts: Vec<Attempt> = Vec::new();
        for tile in self.kinds() {
            let hand = remove_tile(self.hand, tile);
            let alike = self
                .candidates
                .iter()
                .filter(|look| look.is_of_hand() && look.face == Face::Tile(tile));
            let best = alike.max_by(|a, b| a.doubt().total_cmp(&b.doubt()));
            let p = best.map_or(0.0, TileCandidates::doubt).max(params.repair_left_out);
            let at = best.and_then(|look| look.at);
            attempts.push(Attempt {
                change: RepairChange::LeaveOut { tile },
                tile: at,
                p,
                hand: hand.clone(),
            });
            let flower = best.and_then(|look| {
                let flowers = look
                    .candidates
                    .iter()
                    .filter(|(face, p)| face.bonus().is_some() && *p >= params.offered);
                flowers.copied().max_by(|a, b| a.1.total_cmp(&b.1))
            });
            if let Some((face @ Face::Bonus(bonus), _)) = flower
                && let Ok(flowers) = hand.flowers.with(bonus)
            {
                attempts.push(self.rename(
                    Face::Tile(tile),
                    face,
                    HandSetup { flowers, ..hand },
                    Role::Concealed,
                ));
            }
        }
        attempts
    }

    /// Adds each possible tile, those beside the hand before others, and turns each flower into a
    /// tile.
    fn try_adding(&self) -> Vec<Attempt> {
        let params = self.scorer.params().doubts;
        let all = self.hand.all();
        let free = Tile::ALL.into_iter().filter(|tile| all.count(*tile) < 4);
        let mut attempts: Vec<Attempt> = free
            .map(|tile| {
                let beside = self.candidates.iter().filter(|look| !look.is_of_hand());
                let best = beside
                    .map(|look| (look, look.p(Face::Tile(tile))))
                    .filter(|&(_, p)| p >= params.offered)
                    .max_by(|a, b| a.1.total_cmp(&b.1));
                let p = best.map_or(params.repair_unseen, |(_, p)| params.repair_beside * p);
                let hand = add_tile(self.hand, tile);
                Attempt {
                    change: RepairChange::Add { tile },
                    tile: best.and_then(|(look, _)| look.at),
                    p,
                    hand,
                }
            })
            .collect();
        for flower in self.hand.flowers.iter() {
            let hand = super::doubts::flowers::remove_flower(self.hand, flower);
            let names = Tile::ALL.into_iter().filter(|tile| all.count(*tile) < 4);
            attempts.extend(names.map(|tile| {
                self.rename(
                    Face::Bonus(flower),
                    Face::Tile(tile),
                    add_tile(&hand, tile),
                    Role::Flower,
                )
            }));
        }
        attempts
    }

    /// Returns the kinds of the tiles outside melds.
    fn kinds(&self) -> Vec<Tile> {
        let loose = self.hand.concealed.iter().copied().chain(self.hand.winning);
        let mut kinds: Vec<Tile> = loose.collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    }
}

/// Replaces one of the hand's concealed tiles.
fn replace_tile(hand: &HandSetup, from: Tile, to: Tile) -> HandSetup {
    let mut hand = hand.clone();
    if let Some(at) = hand.concealed.iter().position(|&tile| tile == from) {
        hand.concealed[at] = to;
    }
    hand.concealed.sort_unstable();
    hand
}

/// Removes a tile from the hand. If that is the winning tile, the hand has none afterwards.
fn remove_tile(hand: &HandSetup, tile: Tile) -> HandSetup {
    let mut hand = hand.clone();
    match hand.concealed.iter().position(|&other| other == tile) {
        Some(at) => _ = hand.concealed.remove(at),
        None => hand.winning = None,
    }
    hand
}

/// Adds a tile to the hand, as its winning tile if it has none.
fn add_tile(hand: &HandSetup, tile: Tile) -> HandSetup {
    let mut hand = hand.clone();
    match hand.winning {
        None => hand.winning = Some(tile),
        Some(_) => hand.concealed.push(tile),
    }
    hand.concealed.sort_unstable();
    hand
}

/// Returns the chows that share two tiles with the given one, each with the removed and the added
/// tile.
fn neighbouring_chows(chow: Chow) -> Vec<(Tile, Tile, Chow)> {
    let [low, middle, high] = chow.tiles();
    let below = Tile::ALL.into_iter().find(|tile| tile.successor() == Some(low));
    let up = high.successor().and_then(|to| exchange_end(chow, low, to, middle));
    let down = below.and_then(|to| exchange_end(chow, high, to, to));
    up.into_iter().chain(down).collect()
}

/// Exchanges an end of a chow. Returns the removed tile, the added one and the chow that begins
/// with `low`.
fn exchange_end(chow: Chow, from: Tile, to: Tile, low: Tile) -> Option<(Tile, Tile, Chow)> {
    let other = Chow::new(low)?;
    let claimed = chow.claimed_tile().map(|tile| if tile == from { to } else { tile });
    let other = claimed.map_or(Some(other), |tile| other.claiming(tile))?;
    Some((from, to, other))
}

#[cfg(test)]
mod tests {
    use tilesight_core::context::ContextSetup;
    use tilesight_core::hand::HandFault;
    use tilesight_core::notation::Notation;
    use tilesight_core::rules::Book;

    use super::*;

    fn repaired(text: &str, candidates: &[TileCandidates]) -> Vec<Repair> {
        let Notation { hand, context } = text.parse().expect(text);
        let book = Book::shipped();
        let scorer = HandScorer::new(&ContextSetup { ..context }, book.usual()).expect(text);
        repairs(&scorer, &hand, candidates, &[])
    }

    fn look(at: usize, face: &str, candidates: &[(&str, f32)], role: Role) -> TileCandidates {
        let face: Face = face.parse().expect(face);
        let candidates = candidates.iter().map(|(face, p)| (face.parse().expect("a face"), *p));
        TileCandidates { at: Some(at), face, role, candidates: candidates.collect() }
    }

    #[test]
    fn a_name_that_the_picture_offers_comes_first() {
        let candidates = [look(3, "2p", &[("2p", 0.6), ("4p", 0.39)], Role::Concealed)];
        let all = repaired("123m456m789m235pC+C|EE1000", &candidates);
        let first = &all[0];
        assert_eq!(first.change.to_string(), "4p instead of 2p");
        assert_eq!((first.tile, first.change.name()), (Some(3), "rename"));
        assert!(all.iter().any(|one| one.change.to_string() == "4p instead of 5p"), "{all:?}");
        assert!(all.windows(2).all(|pair| pair[0].p >= pair[1].p));
        assert!((all.iter().map(|one| one.p).sum::<f32>() - 1.0).abs() < 1e-4);
    }

    #[test]
    fn the_total_of_a_repair_is_that_of_the_hand_with_it() {
        for text in [
            "123m456m789m235pC+C|EE1000",
            "123m456m789m234pCF+C|EE1000",
            "123m456m789m34pC+C|EE1000",
            "[123m,1]456m789m235pC+C|EE1000",
            "123m456m789m235pC+C|??????",
        ] {
            let Notation { context, .. } = text.parse().expect(text);
            let all = repaired(text, &[]);
            assert!(!all.is_empty(), "{text}");
            for one in all {
                let book = Book::shipped();
                let scorer = HandScorer::new(&context, book.usual()).expect(text);
                assert_eq!(scorer.total(&one.hand), Some(one.total), "{text} {}", one.change);
                assert!(one.hand.faults().iter().all(|fault| *fault == HandFault::NoWinningTile));
                if let Some(range) = one.range {
                    assert!((range.min..=range.max).contains(&one.total), "{text}");
                }
            }
        }
    }

    /// Checks that the number of hands that are tried is bounded, which bounds the work.
    #[test]
    fn fewer_than_a_thousand_hands_are_tried() {
        for text in [
            "1469m2579p1368sES+C",
            "1469m2579p136sE+C",
            "1469m2579p1368sE+C||abcdefgh",
            "[123m,1][456p,1][789s,1]14m2p9s+E",
        ] {
            let hand = text.parse::<Notation>().expect(text).hand;
            let scorer =
                HandScorer::new(&ContextSetup::default(), Book::shipped().usual()).expect(text);
            let bench = RepairSearch { scorer: &scorer, hand: &hand, candidates: &[] };
            let attempts = bench.change().len();
            assert!((1..1_000).contains(&attempts), "{text}: {attempts}");
        }
    }

    /// Checks that the winning tile and a concealed one of its kind count as two tiles.
    #[test]
    fn the_winning_tile_is_repaired_by_itself() {
        let all = repaired("123m456m789m23pCC+C|EE1000", &[]);
        let of = |hand: &str| {
            let hand = hand.parse::<Notation>().expect(hand).hand;
            all.iter().any(|one| one.hand == hand)
        };
        assert!(of("123m456m789m23pCC+4p|EE1000"), "{all:?}");
        assert!(of("123m456m789m234pC+C|EE1000"), "{all:?}");
    }

    /// Checks that a tile that a person renamed is most probably the one that the photo shows.
    #[test]
    fn a_name_that_a_person_gave_is_taken_back_first() {
        let candidates = [look(3, "2p", &[("2p", 0.99)], Role::Concealed)];
        let all = repaired("123m456m789mE34pC+C|EE1000", &candidates);
        assert_eq!(all[0].change.to_string(), "2p instead of E", "{all:?}");
    }

    /// Checks that one misread end of a claimed chow is repaired.
    #[test]
    fn a_chow_may_have_another_end() {
        let [up, down] = <[_; 2]>::try_from(neighbouring_chows(
            Chow::new("2m".parse().expect("2m")).expect("a chow"),
        ))
        .expect("two");
        assert_eq!((up.0.to_string(), up.1.to_string()), ("2m".into(), "5m".into()));
        assert_eq!((down.0.to_string(), down.1.to_string()), ("4m".into(), "1m".into()));
    }

    #[test]
    fn winning_and_hopeless_hands_have_no_repairs() {
        assert_eq!(repaired("123m456m789m345pC+C|EE1000", &[]), []);
        assert_eq!(repaired("147m258m369pESWNC|EE1000", &[]), []);
    }
}
