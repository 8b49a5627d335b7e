//! The possible totals of a hand while parts of its win context, its winning tile, or some of its
//! tiles are not known.
//!
//! Input: an [`OpenHand`]: the hands that the tiles allow (one for each tile that may have won),
//! the win context with its defaults, and the fields that got a default; for a hand whose tiles are
//! in doubt, one such hand for each answer. Output: a [`TotalRange`], or `None` if only one total
//! is possible. Invariants: the total with the defaults lies within the range, and the first of
//! [`TotalRange::open`] is the question that narrows it most.
//!
//! Only the total of each combination is computed. Rare ways to win (a kong's replacement, a robbed
//! kong, the last tile) count only if they are given, as in the defaults, and so do all
//! declarations but a ready hand.

use crate::context::{Context, ContextField, Declaration, DeclaredSet, RiichiCall, WinSource};
use crate::hand::{Hand, HandSetup};
use crate::meld::Relation;
use crate::stop::checkpoint;
use crate::tile::{Tile, Wind};

use super::Profile;

/// The totals that the open fields allow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TotalRange {
    /// Lowest total.
    pub min: u32,
    /// Highest total.
    pub max: u32,
    /// Whether the hand is a legal win; `None` if that depends on the open fields.
    pub legal: Option<bool>,
    /// Fields on which the total depends; the one that narrows the range most comes first.
    pub open: Vec<OpenField>,
    /// Whether not all combinations of answers were tried, so that other totals are possible.
    pub partial: bool,
}

/// A field that is not given and changes the total.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenField {
    /// The open question.
    pub subject: OpenSubject,
    /// Possible answers, each with the totals that it leaves.
    pub answers: Vec<OpenAnswer>,
}

impl OpenField {
    /// Returns the width of the range after the least helpful answer.
    fn width_left(&self) -> u32 {
        self.answers.iter().map(|answer| answer.max - answer.min).max().unwrap_or(0)
    }
}

/// The subject of an open question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OpenSubject {
    /// The tile that won.
    WinningTile,
    /// A field of the win context.
    Field(ContextField),
}

/// An answer, and the totals that it leaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenAnswer {
    /// The value.
    pub value: OpenValue,
    /// Lowest total.
    pub min: u32,
    /// Highest total.
    pub max: u32,
}

/// The value of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OpenValue {
    /// The tile that won.
    Tile(Tile),
    /// A seat, or the wind of the round.
    Wind(Wind),
    /// The source of the winning tile.
    Win(WinSource),
    /// Whether riichi was declared.
    Riichi(RiichiCall),
    /// Whether the hand won within one go-around after riichi.
    Ippatsu(bool),
    /// The declarations, in the game of sixteen tiles.
    Declared(DeclaredSet),
}

/// Number of subjects: the winning tile, the way it was won, riichi, ippatsu, a ready hand, the
/// seat, the round. Among equals, this order decides.
const SUBJECTS: usize = 7;

/// A combination of answers, by their positions in the lists of [`Values`].
struct Assumption {
    places: [usize; SUBJECTS],
    context: Context,
    total: u32,
}

/// Possible values of each subject.
struct Values {
    hands: Vec<Hand>,
    wins: Vec<WinSource>,
    riichi: Vec<RiichiCall>,
    ippatsu: Vec<bool>,
    declared: Vec<DeclaredSet>,
    seats: Vec<Wind>,
    rounds: Vec<Wind>,
}

/// A hand, and the unknown parts of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenHand {
    hands: Vec<Hand>,
    context: Context,
    assumed: Vec<ContextField>,
}

impl OpenHand {
    /// Returns a hand whose fields in `assumed` got a default.
    #[must_use]
    pub fn new(hand: &Hand, context: &Context, assumed: &[ContextField]) -> OpenHand {
        OpenHand { hands: vec![*hand], context: *context, assumed: assumed.to_vec() }
    }

    /// Like [`new`](OpenHand::new), for a hand as it was read: without a winning tile, any of its
    /// concealed tiles may have won. Hands that are not legal are left out.
    #[must_use]
    pub fn from_setup(setup: &HandSetup, context: &Context, assumed: &[ContextField]) -> OpenHand {
        let size = setup.size();
        let hands = match setup.winning {
            Some(_) => setup.clone().into_hand_of(size).into_iter().collect(),
            None => with_each_winning_tile(setup)
                .filter_map(|setup| setup.into_hand_of(size).ok())
                .collect(),
        };
        OpenHand { hands, context: *context, assumed: assumed.to_vec() }
    }

    /// Returns the win context, with the defaults.
    #[must_use]
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Returns the fields of the context that got a default.
    #[must_use]
    pub fn assumed(&self) -> &[ContextField] {
        &self.assumed
    }
}

/// Returns the hands in which each kind of the concealed tiles is the winning tile.
fn with_each_winning_tile(setup: &HandSetup) -> impl Iterator<Item = HandSetup> {
    let mut kinds = setup.concealed.clone();
    kinds.sort_unstable();
    kinds.dedup();
    kinds.into_iter().filter_map(|tile| setup.won_by(tile))
}

/// The totals of several hands, one of which is the right one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TotalsOfHands {
    /// Totals of all hands; `None` if only one is possible.
    pub range: Option<TotalRange>,
    /// Lowest and highest total of each hand; `None` for a hand that does not win.
    pub ends: Vec<Option<(u32, u32)>>,
}

impl TotalRange {
    /// Returns the totals that a hand may have under a rule set; `None` if only one is possible.
    #[must_use]
    pub fn for_hand(profile: &Profile, hand: &OpenHand) -> Option<TotalRange> {
        if Values::new(profile, hand).are_settled() {
            return None;
        }
        TotalRange::for_hands(profile, std::slice::from_ref(hand)).range
    }

    /// Returns the totals of several hands, one of which is the right one: the hands that the
    /// answers to the doubts about a hand make.
    #[must_use]
    pub fn for_hands(profile: &Profile, hands: &[OpenHand]) -> TotalsOfHands {
        let mut sum = Sum::default();
        let ends = hands.iter().map(|hand| sum.add(profile, hand)).collect();
        TotalsOfHands { range: sum.range(profile), ends }
    }
}

/// Returns the number of scores that computing the totals of a hand takes.
#[must_use]
pub fn scores_of(profile: &Profile, hand: &OpenHand) -> usize {
    Values::new(profile, hand).count()
}

/// The totals of several hands together.
#[derive(Default)]
struct Sum {
    subjects: [Subject; SUBJECTS],
    /// Hands with the lowest and the highest total, by number of flowers. Flowers do not count
    /// towards a minimum, so totals are compared only among hands with the same number of them.
    extremes: Vec<Extremes>,
}

/// The totals that the answers about one subject leave, over all hands.
#[derive(Default)]
struct Subject {
    /// Whether two answers give different totals for at least one hand.
    matters: bool,
    answers: Vec<OpenAnswer>,
}

struct Extremes {
    flowers: u8,
    min: ScoredCase,
    max: ScoredCase,
}

/// A hand with a win context, and its total.
#[derive(Clone, Copy)]
struct ScoredCase {
    hand: Hand,
    context: Context,
    total: u32,
}

impl Sum {
    /// Adds a hand, and returns its lowest and highest total.
    fn add(&mut self, profile: &Profile, hand: &OpenHand) -> Option<(u32, u32)> {
        checkpoint();
        let values = Values::new(profile, hand);
        let outcomes = values.outcomes(profile, &hand.context);
        for (at, subject) in self.subjects.iter_mut().enumerate() {
            subject.matters |= values.matters(at, &outcomes);
            outcomes.iter().for_each(|one| {
                subject.add(values.value(at, one.places[at]), one.total);
            });
        }
        for one in &outcomes {
            let hand = values.hands[one.places[0]];
            self.reach(ScoredCase { hand, context: one.context, total: one.total });
        }
        bounds(outcomes.iter())
    }

    fn reach(&mut self, case: ScoredCase) {
        let flowers = case.hand.flowers().count();
        match self.extremes.iter_mut().find(|extremes| extremes.flowers == flowers) {
            Some(extremes) if case.total < extremes.min.total => extremes.min = case,
            Some(extremes) if case.total > extremes.max.total => extremes.max = case,
            Some(_) => {}
            None => self.extremes.push(Extremes { flowers, min: case, max: case }),
        }
    }

    fn range(self, profile: &Profile) -> Option<TotalRange> {
        let min = self.extremes.iter().map(|one| one.min.total).min()?;
        let max = self.extremes.iter().map(|one| one.max.total).max()?;
        if min == max {
            return None;
        }
        let legal = self.legal(profile);
        let subjects = self.subjects.into_iter().enumerate();
        let mut open: Vec<OpenField> =
            subjects.filter_map(|(at, subject)| subject.open(at)).collect();
        // The sort is stable: among equals the order of the subjects decides.
        open.sort_by_key(OpenField::width_left);
        ask_riichi_first(&mut open);
        Some(TotalRange { min, max, legal, open, partial: false })
    }

    /// Returns whether the hand is legal, if all extremes agree. The minimum counts the same points
    /// as the total, except for flowers, so the totals between the extremes agree too.
    fn legal(&self, profile: &Profile) -> Option<bool> {
        let ends = self.extremes.iter().flat_map(|one| [&one.min, &one.max]);
        let mut legal = ends
            .map(|end| profile.score(&end.hand, &end.context).is_ok_and(|score| score.is_legal()));
        let first = legal.next()?;
        legal.all(|other| other == first).then_some(first)
    }
}

/// Moves ippatsu behind riichi, without which it means nothing.
fn ask_riichi_first(open: &mut [OpenField]) {
    let ippatsu = find_field(open, ContextField::Ippatsu);
    let riichi = find_field(open, ContextField::Riichi);
    if let (Some(ippatsu), Some(riichi)) = (ippatsu, riichi)
        && ippatsu < riichi
    {
        open[ippatsu..=riichi].rotate_left(1);
    }
}

fn find_field(open: &[OpenField], field: ContextField) -> Option<usize> {
    open.iter().position(|one| one.subject == OpenSubject::Field(field))
}

impl Subject {
    fn add(&mut self, value: OpenValue, total: u32) {
        match self.answers.iter_mut().find(|answer| answer.value == value) {
            Some(answer) => {
                answer.min = answer.min.min(total);
                answer.max = answer.max.max(total);
            }
            None => self.answers.push(OpenAnswer { value, min: total, max: total }),
        }
    }

    /// Returns the subject with its answers, if these give different totals while everything else
    /// stays the same.
    fn open(self, at: usize) -> Option<OpenField> {
        let subject = match at {
            0 => OpenSubject::WinningTile,
            1 => OpenSubject::Field(ContextField::Win),
            2 => OpenSubject::Field(ContextField::Riichi),
            3 => OpenSubject::Field(ContextField::Ippatsu),
            4 => OpenSubject::Field(ContextField::Declared),
            5 => OpenSubject::Field(ContextField::Seat),
            _ => OpenSubject::Field(ContextField::Prevalent),
        };
        self.matters.then_some(OpenField { subject, answers: self.answers })
    }
}

impl Values {
    fn new(profile: &Profile, hand: &OpenHand) -> Values {
        let OpenHand { hands, context, assumed } = hand;
        let mut open: Vec<ContextField> = profile.rules().context_fields().to_vec();
        open.retain(|&field| assumed.contains(&field) && profile.rules().asks(field));
        let mut seats = vec![context.seat];
        if open.contains(&ContextField::Seat) {
            seats = Wind::ALL.to_vec();
            seats.retain(|&seat| profile.rules().seats().has(seat));
        }
        // In every game the round counts only with winds and with declarations. A seat can be worth
        // more than another one with any tiles.
        let has_winds = hands.iter().any(|hand| hand.all().iter().any(Tile::is_wind));
        let mut rounds = vec![context.prevalent];
        if open.contains(&ContextField::Prevalent) && (has_winds || !context.declared.is_empty()) {
            rounds = Wind::ALL.to_vec();
        }
        let mut wins = vec![context.win];
        if open.contains(&ContextField::Win) {
            let from = context.win.from().unwrap_or(Relation::Left);
            wins = vec![WinSource::SelfDrawn, WinSource::Discard { from }];
        }
        // Double riichi is rare: it counts only if it is given.
        let mut riichi = vec![context.riichi];
        if open.contains(&ContextField::Riichi) {
            riichi = vec![RiichiCall::No, RiichiCall::Riichi];
        }
        let mut ippatsu = vec![context.ippatsu];
        if open.contains(&ContextField::Ippatsu) {
            ippatsu = vec![false, true];
        }
        let mut declared = vec![context.declared];
        if open.contains(&ContextField::Declared) {
            declared = vec![DeclaredSet::NONE, DeclaredSet::NONE.with(Declaration::Ready)];
        }
        Values { hands: hands.clone(), wins, riichi, ippatsu, declared, seats, rounds }
    }

    /// Returns whether every subject has at most one value.
    fn are_settled(&self) -> bool {
        let [hands, others @ ..] = self.counts();
        hands <= 1 && others.iter().all(|&count| count == 1)
    }

    /// Returns the number of combinations.
    fn count(&self) -> usize {
        self.counts().iter().product()
    }

    /// Returns the number of values of each subject.
    fn counts(&self) -> [usize; SUBJECTS] {
        let Values { hands, wins, riichi, ippatsu, declared, seats, rounds } = self;
        [
            hands.len(),
            wins.len(),
            riichi.len(),
            ippatsu.len(),
            declared.len(),
            seats.len(),
            rounds.len(),
        ]
    }

    /// Returns the win context with the values at these places.
    fn context(&self, places: [usize; SUBJECTS], context: &Context) -> Context {
        let [_, win, riichi, ippatsu, declared, seat, round] = places;
        Context {
            win: self.wins[win],
            riichi: self.riichi[riichi],
            ippatsu: self.ippatsu[ippatsu],
            declared: self.declared[declared],
            seat: self.seats[seat],
            prevalent: self.rounds[round],
            ..*context
        }
    }

    /// Returns the places of a combination, counted from 0; the last subject changes first.
    fn places(&self, mut combination: usize) -> [usize; SUBJECTS] {
        let mut places = [0; SUBJECTS];
        for (place, count) in places.iter_mut().zip(self.counts()).rev() {
            *place = combination % count;
            combination /= count;
        }
        places
    }

    /// Returns every combination that is a win, with its total.
    fn outcomes(&self, profile: &Profile, context: &Context) -> Vec<Assumption> {
        let outcomes = (0..self.count()).filter_map(|combination| {
            let places = self.places(combination);
            let context = self.context(places, context);
            let total = profile.rules().points(&self.hands[places[0]], &context).ok()?;
            Some(Assumption { places, context, total })
        });
        outcomes.collect()
    }

    fn value(&self, subject: usize, place: usize) -> OpenValue {
        match subject {
            0 => OpenValue::Tile(self.hands[place].winning()),
            1 => OpenValue::Win(self.wins[place]),
            2 => OpenValue::Riichi(self.riichi[place]),
            3 => OpenValue::Ippatsu(self.ippatsu[place]),
            4 => OpenValue::Declared(self.declared[place]),
            5 => OpenValue::Wind(self.seats[place]),
            _ => OpenValue::Wind(self.rounds[place]),
        }
    }

    /// Returns whether two outcomes that differ only in this subject have different totals.
    fn matters(&self, subject: usize, outcomes: &[Assumption]) -> bool {
        let mut totals = std::collections::HashMap::new();
        outcomes.iter().any(|one| {
            let mut others = one.places;
            others[subject] = 0;
            *totals.entry(others).or_insert(one.total) != one.total
        })
    }
}

fn bounds<'a>(outcomes: impl Iterator<Item = &'a Assumption>) -> Option<(u32, u32)> {
    outcomes.map(|one| one.total).fold(None, |range, total| match range {
        None => Some((total, total)),
        Some((min, max)) => Some((total.min(min), total.max(max))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::Notation;
    use crate::rules::Book;

    /// Returns the range of a hand in notation, with the fields that it depends on.
    fn range(ruleset: &str, text: &str) -> Option<TotalRange> {
        let Notation { hand, context } = text.parse().expect(text);
        let (context, assumed) = context.resolve().expect(text);
        let book = Book::shipped();
        let profile = book.get(ruleset.parse().expect(ruleset)).expect("shipped");
        TotalRange::for_hand(profile, &OpenHand::from_setup(&hand, &context, &assumed))
    }

    fn ends(range: &TotalRange) -> (u32, u32) {
        (range.min, range.max)
    }

    #[test]
    fn a_complete_context_has_no_range() {
        assert_eq!(range("mcr-wmo", "[EEE,2]123m456p789s5s5s|SE1000"), None);
    }

    /// A concealed hand: self-drawn it is Fully Concealed (4), claimed Concealed Hand (2).
    #[test]
    fn the_way_it_was_won_comes_first() {
        let range = range("mcr-wmo", "234m234p678m678s9s9s|EW????").expect("two ways to win");
        assert_eq!(ends(&range), (6, 8));
        let open: Vec<OpenSubject> = range.open.iter().map(|open| open.subject).collect();
        assert_eq!(open, [OpenSubject::Field(ContextField::Win)]);
        let totals: Vec<(OpenValue, u32)> =
            range.open[0].answers.iter().map(|answer| (answer.value, answer.min)).collect();
        let claimed = WinSource::Discard { from: Relation::Left };
        assert_eq!(
            totals,
            [(OpenValue::Win(WinSource::SelfDrawn), 8), (OpenValue::Win(claimed), 6),]
        );
        assert_eq!(range.legal, None, "six points are too few, eight are enough");
    }

    /// A pung of West scores for the seat or the round that it belongs to, or for neither.
    #[test]
    fn winds_are_open_only_where_they_count() {
        let range = range("mcr-wmo", "[WWW,2]123m456p789s5s5s|??0000").expect("two winds");
        let open: Vec<OpenSubject> = range.open.iter().map(|open| open.subject).collect();
        let [seat, round] = [ContextField::Seat, ContextField::Prevalent].map(OpenSubject::Field);
        assert_eq!(open, [seat, round]);
        let west =
            range.open[0].answers.iter().find(|one| one.value == OpenValue::Wind(Wind::West));
        let (min, max) = west.map(|west| (west.min, west.max)).expect("West");
        assert_eq!((min, max), (range.max - 2, range.max), "the round is still open");
    }

    /// A hand that was declared ready is worth a tai more, and 40 by a table of its own; where a
    /// table plays no such line or the cap is reached, nothing is open.
    #[test]
    fn a_ready_hand_is_open_where_it_changes_the_total() {
        let text = "123m456m789p234s55s67p5p|SE0000";
        let Notation { hand, context } = text.parse().expect(text);
        let (context, _) = context.resolve().expect(text);
        let open = OpenHand::from_setup(&hand, &context, &[ContextField::Declared]);
        let ready = DeclaredSet::NONE.with(Declaration::Ready);
        for (rules, totals) in [
            ("extends = \"tw-star31\"", Some(1)),
            ("extends = \"tw-common\"", None),
            ("extends = \"tw-common\"\n[values]\nready = 40", Some(40)),
            ("extends = \"tw-star31\"\n[options]\ncap = 1", None),
        ] {
            let profile = Profile::parse(&format!("id = \"club\"\n{rules}\n")).expect(rules);
            let range = TotalRange::for_hand(&profile, &open);
            let answers = range.as_ref().map(|range| range.open[0].answers.clone());
            let added = answers.map(|answers| {
                assert_eq!(answers[0].value, OpenValue::Declared(DeclaredSet::NONE), "{rules}");
                assert_eq!(answers[1].value, OpenValue::Declared(ready), "{rules}");
                answers[1].min - answers[0].max
            });
            assert_eq!(added, totals, "{rules}");
        }
    }

    /// 2m won on either side of 1-2-3, or as the pair: which tile won decides over a closed wait.
    #[test]
    fn any_concealed_tile_may_have_won() {
        let range = range("mcr-wmo", "123m456p789s222p5s5s+?|EE0000").expect("several tiles");
        let tiles = &range.open[0];
        assert_eq!(tiles.subject, OpenSubject::WinningTile);
        assert_eq!(tiles.answers.len(), 11, "each kind once");
        let of = |tile: &str| {
            let tile = OpenValue::Tile(tile.parse().expect(tile));
            tiles.answers.iter().find(|one| one.value == tile).map(|one| one.min)
        };
        assert_eq!(of("2m"), of("1m").map(|total| total + 1), "a closed wait");
    }
}
