//! What a hand may total while parts of its win context, its winning tile, or some of its tiles
//! are not known.
//!
//! Input: an [`OpenHand`]: the hands that the tiles allow (one for each tile that may have won),
//! the win context with its defaults, and the fields that got one; of a hand whose tiles are in
//! doubt one such hand for each answer. Output: a [`TotalRange`], or `None` where only one total is
//! possible. Invariants: the total by the defaults lies within the range, and the first of
//! [`TotalRange::open`] is the question that narrows it most.
//!
//! Every combination is scored by its total alone. Rare ways to win (a kong's replacement, a robbed
//! kong, the last tile) count only where they are given, as the defaults have it.

use crate::context::{Context, ContextField, WinSource};
use crate::hand::{Hand, HandSetup};
use crate::meld::Relation;
use crate::tile::{Tile, Wind};

use super::Profile;

/// The totals that the open fields allow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TotalRange {
    /// The lowest.
    pub least: u32,
    /// The highest.
    pub most: u32,
    /// Whether the hand is a legal win: `None` where that depends on the open fields.
    pub legal: Option<bool>,
    /// What the total depends on, what narrows the range most first.
    pub open: Vec<OpenField>,
}

/// Something that is not given and changes the total.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenField {
    /// What it is.
    pub subject: OpenSubject,
    /// The answers, and what each leaves of the range.
    pub answers: Vec<OpenAnswer>,
}

impl OpenField {
    /// How wide the range still is after the least helpful answer.
    fn width_left(&self) -> u32 {
        self.answers.iter().map(|answer| answer.most - answer.least).max().unwrap_or(0)
    }
}

/// What is not given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OpenSubject {
    /// Which of the tiles won.
    WinningTile,
    /// A field of the win context.
    Field(ContextField),
}

/// One answer, and the totals that are left with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenAnswer {
    /// The value.
    pub value: OpenValue,
    /// The lowest total.
    pub least: u32,
    /// The highest.
    pub most: u32,
}

/// A value of something that is not given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OpenValue {
    /// The tile that won.
    Tile(Tile),
    /// A seat, or the wind of the round.
    Wind(Wind),
    /// Where the winning tile came from.
    Win(WinSource),
}

/// The winning tile, the way it was won, the seat, the round: between equals this order decides.
const SUBJECTS: usize = 4;

/// One combination of answers, by their places in the lists of [`Values`].
struct Outcome {
    places: [usize; SUBJECTS],
    context: Context,
    total: u32,
}

/// The values of each subject that are possible.
struct Values {
    hands: Vec<Hand>,
    wins: Vec<WinSource>,
    seats: Vec<Wind>,
    rounds: Vec<Wind>,
}

/// A hand, and what is not known of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenHand {
    hands: Vec<Hand>,
    context: Context,
    assumed: Vec<ContextField>,
}

impl OpenHand {
    /// A hand whose fields in `assumed` got a default.
    #[must_use]
    pub fn new(hand: &Hand, context: &Context, assumed: &[ContextField]) -> OpenHand {
        OpenHand { hands: vec![*hand], context: *context, assumed: assumed.to_vec() }
    }

    /// The same of a hand as it was read: without a winning tile, any of its concealed ones may
    /// have won. Hands that are not legal are left out.
    #[must_use]
    pub fn of_setup(setup: &HandSetup, context: &Context, assumed: &[ContextField]) -> OpenHand {
        let legal = |setup: HandSetup| setup.into_hand().ok();
        let hands = match setup.winning {
            Some(_) => legal(setup.clone()).into_iter().collect(),
            None => won_by_each(setup).filter_map(legal).collect(),
        };
        OpenHand { hands, context: *context, assumed: assumed.to_vec() }
    }

    /// Its win context, with the defaults.
    #[must_use]
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// The fields of the context that got a default.
    #[must_use]
    pub fn assumed(&self) -> &[ContextField] {
        &self.assumed
    }
}

/// A hand without a winning tile, won by each kind of its concealed tiles.
fn won_by_each(setup: &HandSetup) -> impl Iterator<Item = HandSetup> {
    let mut kinds = setup.concealed.clone();
    kinds.sort_unstable();
    kinds.dedup();
    kinds.into_iter().filter_map(|tile| setup.won_by(tile))
}

/// The totals of several hands, of which one is the right one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TotalsOfHands {
    /// The totals of all of them; `None` where only one is possible.
    pub range: Option<TotalRange>,
    /// The lowest and the highest total of each hand; `None` for one that does not win.
    pub ends: Vec<Option<(u32, u32)>>,
}

impl TotalRange {
    /// The totals that a hand may have by a rule set; `None` where only one is possible.
    #[must_use]
    pub fn of(profile: &Profile, hand: &OpenHand) -> Option<TotalRange> {
        if Values::new(profile, hand).are_settled() {
            return None;
        }
        TotalRange::of_hands(profile, std::slice::from_ref(hand)).range
    }

    /// The totals of several hands, of which one is the right one: those that the answers to the
    /// doubts about a hand make.
    #[must_use]
    pub fn of_hands(profile: &Profile, hands: &[OpenHand]) -> TotalsOfHands {
        let mut sum = Sum::default();
        let ends = hands.iter().map(|hand| sum.add(profile, hand)).collect();
        TotalsOfHands { range: sum.range(profile), ends }
    }
}

/// How many scores the totals of a hand take.
#[must_use]
pub fn scores_of(profile: &Profile, hand: &OpenHand) -> usize {
    Values::new(profile, hand).count()
}

/// Totals of several hands together.
#[derive(Default)]
struct Sum {
    subjects: [Subject; SUBJECTS],
    /// By the number of flowers, the hands with the lowest and the highest total: flowers do not
    /// count towards a minimum, so that a total says more only beside as many of them.
    extremes: Vec<Extremes>,
}

/// Totals that the answers about one subject leave, over all hands.
#[derive(Default)]
struct Subject {
    /// Whether for some hand two answers lead to different totals.
    matters: bool,
    answers: Vec<OpenAnswer>,
}

struct Extremes {
    flowers: u8,
    least: ScoredCase,
    most: ScoredCase,
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
            Some(extremes) if case.total < extremes.least.total => extremes.least = case,
            Some(extremes) if case.total > extremes.most.total => extremes.most = case,
            Some(_) => {}
            None => self.extremes.push(Extremes { flowers, least: case, most: case }),
        }
    }

    fn range(self, profile: &Profile) -> Option<TotalRange> {
        let least = self.extremes.iter().map(|one| one.least.total).min()?;
        let most = self.extremes.iter().map(|one| one.most.total).max()?;
        if least == most {
            return None;
        }
        let legal = self.legal(profile);
        let subjects = self.subjects.into_iter().enumerate();
        let mut open: Vec<OpenField> =
            subjects.filter_map(|(at, subject)| subject.open(at)).collect();
        // The sort is stable: between equals the order of the subjects decides.
        open.sort_by_key(OpenField::width_left);
        Some(TotalRange { least, most, legal, open })
    }

    /// Whether the hand is legal, where all ends agree: a minimum counts the same points but for
    /// flowers, so that what lies between them agrees too.
    fn legal(&self, profile: &Profile) -> Option<bool> {
        let is_legal = |case: &ScoredCase| {
            profile.score(&case.hand, &case.context).is_ok_and(|score| score.is_legal())
        };
        let mut ends = self.extremes.iter().flat_map(|one| [&one.least, &one.most]);
        let first = is_legal(ends.next()?);
        ends.all(|end| is_legal(end) == first).then_some(first)
    }
}

impl Subject {
    fn add(&mut self, value: OpenValue, total: u32) {
        match self.answers.iter_mut().find(|answer| answer.value == value) {
            Some(answer) => {
                answer.least = answer.least.min(total);
                answer.most = answer.most.max(total);
            }
            None => self.answers.push(OpenAnswer { value, least: total, most: total }),
        }
    }

    /// The subject with its answers, where they lead to different totals for anything else that
    /// is the same.
    fn open(self, at: usize) -> Option<OpenField> {
        let subject = match at {
            0 => OpenSubject::WinningTile,
            1 => OpenSubject::Field(ContextField::Win),
            2 => OpenSubject::Field(ContextField::Seat),
            _ => OpenSubject::Field(ContextField::Prevalent),
        };
        self.matters.then_some(OpenField { subject, answers: self.answers })
    }
}

impl Values {
    fn new(profile: &Profile, hand: &OpenHand) -> Values {
        let OpenHand { hands, context, assumed } = hand;
        let matters =
            |field| assumed.contains(&field) && profile.rules().context_fields().contains(&field);
        let winds = |field| if matters(field) { Wind::ALL.to_vec() } else { Vec::new() };
        let or = |winds: Vec<Wind>, given| if winds.is_empty() { vec![given] } else { winds };
        // In every game the round counts with winds and with what was declared, and with nothing
        // else. A seat can be worth more than another whatever the tiles are.
        let has_winds = hands.iter().any(|hand| hand.all().iter().any(Tile::is_wind));
        let rounds = winds(ContextField::Prevalent);
        let rounds = if has_winds || !context.declared.is_empty() { rounds } else { Vec::new() };
        let wins = if matters(ContextField::Win) {
            let from = context.win.from().unwrap_or(Relation::Left);
            vec![WinSource::SelfDrawn, WinSource::Discard { from }]
        } else {
            vec![context.win]
        };
        Values {
            hands: hands.clone(),
            wins,
            seats: or(winds(ContextField::Seat), context.seat),
            rounds: or(rounds, context.prevalent),
        }
    }

    /// Whether every subject has one value.
    fn are_settled(&self) -> bool {
        let Values { hands, wins, seats, rounds } = self;
        hands.len() <= 1 && [wins.len(), seats.len(), rounds.len()] == [1, 1, 1]
    }

    /// How many combinations there are.
    fn count(&self) -> usize {
        let Values { hands, wins, seats, rounds } = self;
        hands.len() * wins.len() * seats.len() * rounds.len()
    }

    /// Every combination that is a win, with its total.
    fn outcomes(&self, profile: &Profile, context: &Context) -> Vec<Outcome> {
        let mut outcomes = Vec::new();
        for (hand_at, hand) in self.hands.iter().enumerate() {
            for (win_at, &win) in self.wins.iter().enumerate() {
                for (seat_at, &seat) in self.seats.iter().enumerate() {
                    for (round_at, &prevalent) in self.rounds.iter().enumerate() {
                        let context = Context { win, seat, prevalent, ..*context };
                        let places = [hand_at, win_at, seat_at, round_at];
                        if let Ok(total) = profile.rules().points(hand, &context) {
                            outcomes.push(Outcome { places, context, total });
                        }
                    }
                }
            }
        }
        outcomes
    }

    fn value(&self, subject: usize, place: usize) -> OpenValue {
        match subject {
            0 => OpenValue::Tile(self.hands[place].winning()),
            1 => OpenValue::Win(self.wins[place]),
            2 => OpenValue::Wind(self.seats[place]),
            _ => OpenValue::Wind(self.rounds[place]),
        }
    }

    /// Whether two outcomes that differ in nothing else have different totals.
    fn matters(&self, subject: usize, outcomes: &[Outcome]) -> bool {
        let others = |outcome: &Outcome| {
            let mut places = outcome.places;
            places[subject] = 0;
            places
        };
        let mut totals = std::collections::HashMap::new();
        outcomes.iter().any(|one| *totals.entry(others(one)).or_insert(one.total) != one.total)
    }
}

fn bounds<'a>(outcomes: impl Iterator<Item = &'a Outcome>) -> Option<(u32, u32)> {
    outcomes.map(|one| one.total).fold(None, |range, total| match range {
        None => Some((total, total)),
        Some((least, most)) => Some((total.min(least), total.max(most))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::Notation;
    use crate::rules::Book;

    /// The range of a hand in notation, with what it depends on.
    fn range(ruleset: &str, text: &str) -> Option<TotalRange> {
        let Notation { hand, context } = text.parse().expect(text);
        let (context, assumed) = context.resolve().expect(text);
        let book = Book::shipped();
        let profile = book.get(ruleset.parse().expect(ruleset)).expect("shipped");
        TotalRange::of(profile, &OpenHand::of_setup(&hand, &context, &assumed))
    }

    fn ends(range: &TotalRange) -> (u32, u32) {
        (range.least, range.most)
    }

    #[test]
    fn what_is_given_leaves_one_total() {
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
            range.open[0].answers.iter().map(|answer| (answer.value, answer.least)).collect();
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
        let (least, most) = west.map(|west| (west.least, west.most)).expect("West");
        assert_eq!((least, most), (range.most - 2, range.most), "the round is still open");
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
            tiles.answers.iter().find(|one| one.value == tile).map(|one| one.least)
        };
        assert_eq!(of("2m"), of("1m").map(|total| total + 1), "a closed wait");
    }
}
