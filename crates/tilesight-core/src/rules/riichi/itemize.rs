//! The explained score: each line with the sets that form it, the parts of the fu, the chosen
//! reading and its rivals.
//!
//! All numbers come from the same [`Tally`] as the bare sum. Of readings with equal values, the
//! first in the order of [`readings`](super::readings) is chosen.

use crate::context::{Context, ContextField, Declaration, DeclaredSet, Feeder};
use crate::hand::Hand;
use crate::lang::Lang;
use crate::meld::Seats;
use crate::rules::law::Law;
use crate::rules::{
    Award, Conventions, Description, Exclusion, ExclusionReason, HandRules, Minimum, Rule,
    RulesError, Ruleset, RunnerUp, Score, ScoredSet, SetKind, Shapes, SidewaysTiles, Unit, Worth,
    options_by_name, reach,
};
use crate::settle::{Payments, Shares};
use crate::texts;
use crate::tile::Wind;

use super::liability::{Liability, liabilities};
use super::line::Line::{self, *};
use super::options::Options;
use super::pieces::Pieces;
use super::readings::{self, Reading};
use super::scorer::Scorer;
use super::tally::Tally;
use super::value::YAKUMAN_HAN;
use super::value_table::{self, ValueRow, value_table};
use super::{Figures, FuPart, MINIMUM, Riichi, fu, law, settle};

/// Maximum number of runners-up in a score.
const RUNNERS_UP: usize = 3;

impl Ruleset for Riichi {}

impl HandRules for Riichi {
    fn points(&self, hand: &Hand, context: &Context) -> Result<u32, RulesError> {
        Riichi::points(self, hand, context)
    }

    fn score(&self, hand: &Hand, context: &Context) -> Result<Score, RulesError> {
        reach::with_reach(hand, context, &|hand, context| self.explain(hand, context))
    }

    fn shares(&self, context: &Context) -> Shares {
        settle::shares(context, &self.options)
    }

    fn totals(&self, context: &Context) -> Vec<u32> {
        value_table::totals(context, &self.options)
    }

    fn counters(&self, context: &Context) -> u32 {
        settle::counters(context, &self.options)
    }

    fn mangan_drawn(&self, seat: Wind) -> Payments {
        settle::mangan_drawn(seat, &self.options)
    }

    fn settle_total(&self, total: u32, context: &Context) -> Payments {
        settle::settle_total(total, context, &self.options)
    }

    fn settle_liable(&self, total: u32, context: &Context) -> Option<Payments> {
        settle::settle_liable(total, context, &self.options)
    }

    /// Accepts only the feeder of a set for which these rules make a player liable. Elsewhere a
    /// feeder is ignored, because other rules may need it.
    fn accepts_feeder(&self, hand: &Hand, context: &Context, feeder: Feeder) -> bool {
        let facts = crate::rules::decompose::facts::Facts::new(hand, context);
        let sits = self.options.seats() == Seats::Four || feeder != Feeder::Across;
        // A form asks for several rule sets at once, so it offers the players that the melds show.
        // A tile from across may also be from either of three players, which only a person knows.
        let shown = Options { players: 4, ..self.options };
        sits && liabilities(&facts, hand, &shown).any(|one| one.suggests(feeder))
    }
}

/// A reading with its tally; without one it has no yaku.
type TalliedReading = (Option<Tally>, Reading);

impl Riichi {
    /// Returns the itemized score without the changes within reach.
    fn explain(&self, hand: &Hand, context: &Context) -> Result<Score, RulesError> {
        let facts = self.facts(hand, context)?;
        let scorer = Scorer::new(hand, &facts, &self.options);
        let mut read: Vec<TalliedReading> = Vec::new();
        readings::for_each(&facts, &mut |decomposition, completed| {
            let tally = scorer.tally(decomposition, completed);
            read.push((tally, Reading { decomposition: *decomposition, completed }));
        });
        // The sort is stable: among equals the first reading stays first.
        read.sort_by_key(|(tally, _)| std::cmp::Reverse(tally.map(|tally| tally.value)));
        let Some((tally, best)) = read.first() else { return Err(RulesError::NotAWin) };
        let pieces = Pieces::new(&scorer, hand, &best.decomposition, best.completed);
        let Some(tally) = tally else { return Ok(self.without_yaku(&pieces)) };
        let liable: Vec<Liability> = liabilities(&facts, hand, &self.options)
            .filter(|one| tally.lines.contains(one.yakuman))
            .collect();
        let settled = settle::settle(&tally.value, &liable, context, &self.options);
        let total = settle::total(&tally.value, context, &self.options);
        Ok(Score {
            ruleset: self.id,
            total,
            doubling: None,
            riichi: Some(figures(&scorer, tally, best, &pieces)),
            dealer_tai: None,
            minimum: minimum(tally.lines.len()),
            value: total,
            awards: awards(&scorer, tally, &pieces),
            excluded: list_exclusions(tally),
            runners_up: rivals(&scorer, hand, &read),
            sets: pieces.sets().to_vec(),
            payments: settled.payments,
            within_reach: Vec::new(),
            assumed_feeder: settled.assumed,
        })
    }

    /// Returns the score of a hand without a yaku, which is no legal win.
    fn without_yaku(&self, pieces: &Pieces) -> Score {
        let figures = Figures {
            han: 0,
            fu: None,
            limit: None,
            yakuman: 0,
            counted_yakuman: false,
            base: 0,
            fu_parts: Vec::new(),
            sticks: 0,
            assumed_reds: Vec::new(),
        };
        Score {
            ruleset: self.id,
            total: 0,
            doubling: None,
            riichi: Some(figures),
            dealer_tai: None,
            minimum: minimum(0),
            value: 0,
            awards: Vec::new(),
            excluded: Vec::new(),
            runners_up: Vec::new(),
            sets: pieces.sets().to_vec(),
            payments: Payments::default(),
            within_reach: Vec::new(),
            assumed_feeder: None,
        }
    }
}

const fn minimum(reached: u32) -> Minimum {
    Minimum { needed: MINIMUM, reached, unit: Unit::Yaku }
}

impl Description for Riichi {
    fn law(&self) -> Law {
        law::law(&self.options)
    }

    fn conventions(&self) -> Conventions {
        Conventions { turned_in_claimed_kong: SidewaysTiles::One }
    }

    fn seats(&self) -> Seats {
        self.options.seats()
    }

    fn shapes(&self) -> Shapes {
        Shapes { seven_pairs: true, thirteen_orphans: true, ..Shapes::default() }
    }

    fn minimum(&self) -> (u32, Unit) {
        (MINIMUM, Unit::Yaku)
    }

    fn context_fields(&self) -> &'static [ContextField] {
        use ContextField::{
            Declared, DoraIndicators, Feeder, From, Honba, Ippatsu, LastWallTile, Norths,
            Prevalent, Riichi, RiichiSticks, Seat, UraIndicators, Win,
        };
        const FIELDS: &[ContextField] = &[
            Seat,
            Prevalent,
            Win,
            From,
            LastWallTile,
            Declared,
            Feeder,
            Riichi,
            Ippatsu,
            DoraIndicators,
            UraIndicators,
            Honba,
            RiichiSticks,
            Norths,
        ];
        let without_norths = FIELDS.len() - usize::from(!self.options.north_dora);
        &FIELDS[..without_norths]
    }

    fn declared(&self) -> DeclaredSet {
        DeclaredSet::NONE.with(Declaration::Heaven).with(Declaration::Earth)
    }

    fn lines(&self) -> Vec<(&'static Rule, Worth)> {
        Line::ALL
            .iter()
            .filter(|&&line| line != NorthDora || self.options.north_dora)
            .map(|&line| (line.rule(), self.worth(line, true)))
            .collect()
    }

    fn open_worth(&self, rule: &Rule) -> Option<Worth> {
        let line = Line::from_rule(rule)?;
        let open = line.han(false) > 0 && (line != Tanyao || self.options.open_tanyao);
        open.then(|| self.worth(line, false))
    }

    fn value_table(&self) -> Vec<ValueRow> {
        value_table(&self.options)
    }

    fn options(&self) -> serde_json::Map<String, serde_json::Value> {
        options_by_name(self.options)
    }

    fn option_text(&self, name: &str, lang: Lang) -> Option<String> {
        texts::riichi::find_option(name, lang).map(str::to_owned)
    }
}

impl Riichi {
    /// Returns the worth of a line in a closed or an open hand.
    const fn worth(&self, line: Line, closed: bool) -> Worth {
        worth(line, closed, self.options.double_yakuman)
    }
}

const fn worth(line: Line, closed: bool, double: bool) -> Worth {
    if line.is_yakuman() {
        Worth::Han(YAKUMAN_HAN * line.yakuman(double))
    } else {
        Worth::Han(line.han(closed))
    }
}

/// Returns the figures of a reading with a yaku.
fn figures(scorer: &Scorer<'_>, tally: &Tally, reading: &Reading, pieces: &Pieces) -> Figures {
    let value = tally.value;
    let mut fu_parts = Vec::new();
    let fu = (value.yakuman == 0).then(|| {
        let Reading { decomposition, completed } = reading;
        fu::walk(scorer, decomposition, *completed, tally.lines, &mut |kind, fu, set| {
            fu_parts.push(FuPart { kind, fu, sets: pieces.giving(set) });
        })
    });
    Figures {
        han: value.han,
        fu,
        limit: value.limit,
        yakuman: value.yakuman,
        counted_yakuman: value.is_counted_yakuman(),
        base: value.base,
        fu_parts,
        sticks: settle::STICK * u32::from(scorer.facts.context.riichi_sticks),
        assumed_reds: if value.yakuman == 0 { scorer.dora.assumed_reds() } else { Vec::new() },
    }
}

/// Returns the lines that count in a reading, dora last.
fn awards(scorer: &Scorer<'_>, tally: &Tally, pieces: &Pieces) -> Vec<Award> {
    let double = scorer.options.double_yakuman;
    let lines = tally.lines.iter().map(|line| (line, worth(line, scorer.closed, double)));
    let counts_dora = tally.value.yakuman == 0;
    let dora = scorer.dora.lines().into_iter().filter(|&(_, han)| counts_dora && han > 0);
    lines
        .chain(dora.map(|(line, han)| (line, Worth::Han(han))))
        .map(|(line, worth)| award(line, worth, pieces))
        .collect()
}

fn award(line: Line, worth: Worth, pieces: &Pieces) -> Award {
    Award {
        rule: line.rule(),
        worth,
        count: 1,
        sets: pieces.forming(line),
        needs: needs(line, pieces.sets()),
    }
}

/// Returns the yaku that do not count beside a yakuman.
fn list_exclusions(tally: &Tally) -> Vec<Exclusion> {
    let Some(by) = tally.lines.iter().next() else { return Vec::new() };
    let dropped = tally.dropped.iter().map(|line| Exclusion {
        rule: line.rule(),
        by: by.rule(),
        count: 1,
        reason: ExclusionReason::CountsAlone,
    });
    dropped.collect()
}

/// Returns the best readings that were not chosen. Of readings with the same sets and the same
/// value only the first is listed.
fn rivals(scorer: &Scorer<'_>, hand: &Hand, read: &[TalliedReading]) -> Vec<RunnerUp> {
    let with_yaku = read.iter().filter_map(|(tally, reading)| Some((tally.as_ref()?, reading)));
    let mut distinct: Vec<(&Tally, &Reading)> = Vec::new();
    for one in with_yaku {
        if !distinct.iter().any(|&other| is_same_for_players(other, one)) {
            distinct.push(one);
        }
    }
    let rivals = distinct.into_iter().skip(1).take(RUNNERS_UP).map(|(tally, reading)| {
        let pieces = Pieces::new(scorer, hand, &reading.decomposition, reading.completed);
        RunnerUp {
            total: settle::total(&tally.value, &scorer.facts.context, scorer.options),
            awards: awards(scorer, tally, &pieces),
            sets: pieces.sets().to_vec(),
        }
    });
    rivals.collect()
}

fn is_same_for_players(
    (tally, reading): (&Tally, &Reading),
    (other_tally, other): (&Tally, &Reading),
) -> bool {
    tally.value == other_tally.value && reading.decomposition.has_sets_of(&other.decomposition)
}

/// Returns the context fields that decide, besides the tiles, whether a line of a reading counts.
fn needs(line: Line, sets: &[ScoredSet]) -> &'static [ContextField] {
    use ContextField as Field;
    let won_on_pung = sets.iter().any(|set| set.winning && set.kind == SetKind::Pung);
    match line {
        Line::Riichi | DoubleRiichi => &[Field::Riichi],
        Line::Ippatsu => &[Field::Ippatsu],
        MenzenTsumo | Rinshan | Chankan => &[Field::Win],
        Haitei | Houtei => &[Field::Win, Field::LastWallTile],
        SeatWind => &[Field::Seat],
        PrevalentWind => &[Field::Prevalent],
        Pinfu => &[Field::Seat, Field::Prevalent],
        // A discard opens the pung that it completes.
        Sanankou | Suuankou if won_on_pung => &[Field::Win],
        Tenhou | Chiihou => &[Field::Seat, Field::Win, Field::Declared],
        Dora => &[Field::DoraIndicators],
        UraDora => &[Field::UraIndicators],
        NorthDora => &[Field::Norths],
        _ => &[],
    }
}
