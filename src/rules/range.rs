//! What a hand may total while parts of its win context, or its winning tile, are not given.
//!
//! Input: an [`OpenHand`]: the hands that the tiles allow (one for each tile that may have won),
//! the win context with its defaults, and the fields that got one. Output: a [`TotalRange`], or
//! `None` where only one total is possible. Invariants: the total by the defaults lies within the
//! range, and the first of [`TotalRange::open`] is the question that narrows it most.
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

impl TotalRange {
    /// The totals that a hand may have by a rule set; `None` where only one is possible.
    #[must_use]
    pub fn of(profile: &Profile, hand: &OpenHand) -> Option<TotalRange> {
        let values = Values::new(profile, hand);
        if values.are_settled() {
            return None;
        }
        let outcomes = values.outcomes(profile, &hand.context);
        let (least, most) = bounds(outcomes.iter())?;
        if least == most {
            return None;
        }
        let mut open: Vec<OpenField> =
            (0..SUBJECTS).filter_map(|subject| values.open(subject, &outcomes)).collect();
        // The sort is stable: between equals the order of the subjects decides.
        open.sort_by_key(OpenField::width_left);
        let legal = values.legal(profile, &outcomes, [least, most]);
        Some(TotalRange { least, most, legal, open })
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

    /// A subject with its answers, where they lead to different totals for anything else that is
    /// the same.
    fn open(&self, subject: usize, outcomes: &[Outcome]) -> Option<OpenField> {
        let count = [self.hands.len(), self.wins.len(), self.seats.len(), self.rounds.len()];
        if !self.matters(subject, outcomes) {
            return None;
        }
        let answers = (0..count[subject]).filter_map(|place| {
            let (least, most) = bounds(outcomes.iter().filter(|one| one.places[subject] == place))?;
            Some(OpenAnswer { value: self.value(subject, place), least, most })
        });
        let name = match subject {
            0 => OpenSubject::WinningTile,
            1 => OpenSubject::Field(ContextField::Win),
            2 => OpenSubject::Field(ContextField::Seat),
            _ => OpenSubject::Field(ContextField::Prevalent),
        };
        Some(OpenField { subject: name, answers: answers.collect() })
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

    /// Whether the hand is legal, where both ends of the range agree: a minimum counts the same
    /// points, so that what lies between them agrees too.
    fn legal(&self, profile: &Profile, outcomes: &[Outcome], ends: [u32; 2]) -> Option<bool> {
        let at = |total: u32| {
            let one = outcomes.iter().find(|one| one.total == total)?;
            Some(profile.score(&self.hands[one.places[0]], &one.context).ok()?.is_legal())
        };
        let [least, most] = ends.map(at);
        least.filter(|_| least == most)
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
