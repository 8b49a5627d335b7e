//! The possible answers to the questions about a win, for a hand. A form offers only these.
//!
//! Input: rule sets, a hand as it was written (perhaps still incomplete) and the known parts of the
//! win context. Output: [`PossibleAnswers`]. Each answer is tried together with the rest of the
//! context, and is possible if at least one of the rule sets that ask for it does not refuse it.
//! Invariants: an answer that is refused here contradicts the hand under every rule set; how the
//! hand was won and what was declared depend only on the tiles on the table, so these answers stay
//! the same while the hand is typed; answers that depend on whole sets are offered only once the
//! sets are there.

use serde::Serialize;

use super::{Book, Profile, RulesError, completions};
use crate::context::{
    CompletedSet, Context, ContextField, ContextSetup, Declaration, DeclaredSet, Feeder, WinKind,
};
use crate::hand::{Hand, HandSetup, HandSize};
use crate::tile::{Suit, Tile};

/// The possible answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PossibleAnswers {
    /// Possible sources of the winning tile.
    pub win: Vec<WinKind>,
    /// Possible declarations.
    pub declared: DeclaredSet,
    /// Possible feeders of the last of the sets that make their feeder pay; empty if there is no
    /// such set.
    pub feeder: Vec<Feeder>,
    /// Sets that the winning tile can have completed.
    pub completes: Vec<CompletedSet>,
}

/// Returns the answers that at least one rule set of a book accepts for a hand, beside the given
/// fields of the win context.
#[must_use]
pub fn possible_answers(book: &Book, setup: &HandSetup, given: &ContextSetup) -> PossibleAnswers {
    let tables = Tables::new(setup);
    // Before all tiles on the table are legal, everything is possible.
    let (win, declared) = if tables.of_tiles.is_empty() {
        (WinKind::ALL.to_vec(), Declaration::ALL.into_iter().collect())
    } else {
        (possible_wins(book, &tables, given), possible_declarations(book, &tables, given))
    };
    let feeder = match setup.clone().into_hand_of(setup.size()) {
        Ok(hand) => possible_feeders(book, &hand, given),
        Err(_) => Vec::new(),
    };
    PossibleAnswers { win, declared, feeder, completes: completions(setup) }
}

/// The tiles on the table with arbitrary tiles in the hand, for each size of hand that they fit.
struct Tables {
    /// Hands that a tile won.
    of_tiles: Vec<Hand>,
    /// Hands that bonus tiles alone won.
    of_bonus_tiles: Vec<Hand>,
}

impl Tables {
    fn new(setup: &HandSetup) -> Tables {
        let tables = HandSize::ALL.into_iter();
        let whole =
            tables.clone().filter_map(|size| complete_hand(setup, size)?.to_hand(size).ok());
        let waiting = tables.filter_map(|size| {
            let mut hand = complete_hand(setup, size)?;
            hand.winning = None;
            hand.to_bonus_win(size).ok()
        });
        Tables { of_tiles: whole.collect(), of_bonus_tiles: waiting.collect() }
    }

    /// Returns whether the rules refuse what the context says in a field; always if the tiles do
    /// not fit them.
    fn are_refused(&self, profile: &Profile, context: &Context, field: ContextField) -> bool {
        let by_bonus_tiles = context.declared.has_bonus_win();
        let tables = if by_bonus_tiles { &self.of_bonus_tiles } else { &self.of_tiles };
        let size = profile.rules().size();
        let fitting = tables.iter().find(|table| table.size() == size);
        fitting.is_none_or(|table| refuses(profile, table, context, field))
    }
}

/// Returns the possible ways to win. A tile other than the assumed one may have won.
fn possible_wins(book: &Book, tables: &Tables, given: &ContextSetup) -> Vec<WinKind> {
    let wins = WinKind::ALL.into_iter().filter(|&kind| {
        let context = context_of(&ContextSetup { win: Some(kind), ..*given });
        book.profiles().any(|profile| !tables.are_refused(profile, &context, ContextField::Win))
    });
    wins.collect()
}

fn possible_declarations(book: &Book, tables: &Tables, given: &ContextSetup) -> DeclaredSet {
    let context = context_of(given);
    let possible = Declaration::ALL.into_iter().filter(|&one| {
        let context = Context { declared: DeclaredSet::NONE.with(one), ..context };
        book.profiles()
            .filter(|profile| profile.rules().declared().contains(one))
            .any(|profile| !tables.are_refused(profile, &context, ContextField::Declared))
    });
    possible.collect()
}

fn possible_feeders(book: &Book, hand: &Hand, given: &ContextSetup) -> Vec<Feeder> {
    let context = context_of(given);
    let possible = Feeder::ALL.into_iter().filter(|&feeder| {
        book.profiles()
            .map(|profile| profile.rules())
            .filter(|rules| rules.context_fields().contains(&ContextField::Feeder))
            .any(|rules| rules.accepts_feeder(hand, &context, feeder))
    });
    possible.collect()
}

/// Returns the given context without the answers that are tried; a discarder of a self-drawn tile
/// is ignored.
fn context_of(given: &ContextSetup) -> Context {
    let given = ContextSetup { won: None, ..*given };
    let undisputed = given.resolve().or_else(|_| ContextSetup { from: None, ..given }.resolve());
    let context = undisputed.map_or(Context::PLAIN, |(context, _)| context);
    Context { declared: DeclaredSet::NONE, feeder: None, completes: None, ..context }
}

fn refuses(profile: &Profile, hand: &Hand, context: &Context, field: ContextField) -> bool {
    match profile.rules().points(hand, context) {
        Err(
            RulesError::WrongSize(_)
            | RulesError::FlowersNotPlayed { .. }
            | RulesError::TileNotPlayed { .. }
            | RulesError::TooManyReds { .. }
            | RulesError::ChowNotCallable,
        ) => true,
        Err(error) => error.contradictions().iter().any(|one| one.field() == field),
        Ok(_) => false,
    }
}

/// Returns a hand with the tiles on the table and arbitrary tiles in the hand; `None` if there are
/// more melds than sets.
fn complete_hand(setup: &HandSetup, size: HandSize) -> Option<HandSetup> {
    let table = HandSetup { concealed: Vec::new(), winning: None, ..setup.clone() };
    let count = size.tiles().checked_sub(3 * table.melds.len())?;
    let there = table.all();
    let free = Tile::ALL.into_iter().filter(|&tile| there.count(tile) == 0);
    let mut others = free.filter(|&tile| is_in_every_game(tile)).take(count);
    let winning = others.next();
    Some(HandSetup { concealed: others.collect(), winning, ..table })
}

/// Returns whether every game has a tile: three players have no other characters.
fn is_in_every_game(tile: Tile) -> bool {
    tile.suit() != Some(Suit::Characters) || tile.is_terminal()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::Notation;
    use crate::rules::RulesetId;

    /// Declarations that only the game of sixteen tiles has.
    const OF_SIXTEEN_TILES: [&str; 6] =
        ["human", "heaven_ready", "earth_ready", "ready", "eight_flowers", "seven_flowers"];

    fn possible(text: &str, given: &str) -> PossibleAnswers {
        let written: Notation = text.parse().expect(text);
        let given = serde_json::from_str(given).expect(given);
        possible_answers(&Book::shipped(), &written.hand, &given)
    }

    /// Checks declarations against the classical rules, which say what each of them needs.
    #[test]
    fn declarations_that_the_win_excludes_are_not_possible() {
        let always = "original_call";
        for (text, given, expected) in [
            // While a hand is typed, only the melds on the table and the win count.
            ("123m", r#"{"seat":"E","win":"self_drawn"}"#, vec!["heaven", "ninth_east_win"]),
            ("123m", r#"{"seat":"S","win":"discard"}"#, vec!["earth", "dangerous_game"]),
            ("123m", "{}", vec!["ninth_east_win", "dangerous_game"]),
            ("[EEE,1]123m", r#"{"seat":"S","win":"robbed_kong"}"#, vec![]),
            ("[EEE,1]123m||a", r#"{"seat":"S","win":"self_drawn"}"#, vec!["flower_replacement"]),
            (
                "[EEEE][1111p]123m",
                r#"{"seat":"S","win":"kong_replacement"}"#,
                vec!["twofold_fortune"],
            ),
            ("[EEEE]123m", r#"{"seat":"S","win":"kong_replacement"}"#, vec![]),
            // A discarder of a self-drawn tile is ignored.
            (
                "123456789m11pFF+F",
                r#"{"seat":"E","win":"self_drawn","from":"left"}"#,
                vec!["heaven", "ninth_east_win"],
            ),
        ] {
            let found = possible(text, given).declared;
            // The game of sixteen tiles knows more of them.
            let names = found.iter().map(Declaration::name);
            let names: Vec<&str> = names.filter(|name| !OF_SIXTEEN_TILES.contains(name)).collect();
            let expected: Vec<&str> = Declaration::ALL
                .into_iter()
                .map(Declaration::name)
                .filter(|name| *name == always || expected.contains(name))
                .collect();
            assert_eq!(names, expected, "{text} {given}");
        }
        // Three open sets, the winning one included: the hand changed after the original call.
        let open = possible("[EEE,1][CCC,2]123456m11p", r#"{"seat":"S","win":"discard"}"#);
        assert!(!open.declared.contains(Declaration::OriginalCall), "{open:?}");
    }

    #[test]
    fn declarations_of_sixteen_tiles_need_what_their_rules_say() {
        for (text, given, expected) in [
            (
                "123m",
                r#"{"seat":"S","win":"discard"}"#,
                vec!["human", "heaven_ready", "earth_ready", "ready"],
            ),
            (
                "123m",
                r#"{"seat":"E","win":"self_drawn"}"#,
                vec!["heaven_ready", "earth_ready", "ready"],
            ),
            ("[EEE,1]123m", r#"{"seat":"S","win":"discard"}"#, vec!["ready"]),
            ("[EEE,1]||8", r#"{"seat":"S","win":"self_drawn"}"#, vec!["ready", "eight_flowers"]),
            ("[EEE,1]||7", r#"{"seat":"S","win":"discard"}"#, vec!["ready", "seven_flowers"]),
            (
                "[EEE,1][SSS,1][WWW,1][NNN,1][CCC,1]",
                r#"{"seat":"S","win":"discard"}"#,
                vec!["ready"],
            ),
        ] {
            let found = possible(text, given).declared;
            let names = found.iter().map(Declaration::name);
            let names: Vec<&str> = names.filter(|name| OF_SIXTEEN_TILES.contains(name)).collect();
            assert_eq!(names, expected, "{text} {given}");
        }
    }

    #[test]
    fn a_replacement_needs_a_kong() {
        use WinKind::{Discard, RobbedKong, SelfDrawn};
        for (text, expected) in [
            ("123m", vec![SelfDrawn, Discard, RobbedKong]),
            ("[EEE,1]123m", vec![SelfDrawn, Discard, RobbedKong]),
            ("[EEEE]123m", WinKind::ALL.to_vec()),
            ("[EEEE]123456m11pFF+F", WinKind::ALL.to_vec()),
            ("123456789m11pFF+F", vec![SelfDrawn, Discard, RobbedKong]),
            // Five of a kind: nothing can be excluded.
            ("[EEE,1][EEE,1]123m", WinKind::ALL.to_vec()),
        ] {
            assert_eq!(possible(text, "{}").win, expected, "{text}");
        }
    }

    /// Checks MMM 1.4.2 and 1.4.3: the third pung of dragons, the fourth of winds.
    #[test]
    fn only_certain_hands_make_a_feeder_pay() {
        use Feeder::{Across, Left, Nobody, Right};
        for (text, expected) in [
            ("[CCC,2][FFF,1][PPP,1]123m2s+2s", vec![Left, Across]),
            ("[CCC,2][FFF,1]PPP123m2s+2s", vec![Left, Across, Nobody]),
            ("[CCC,2][FFF,3]PP123m22s+P", vec![Left]),
            ("[CCC,2][FFF,1]PP123m234s", vec![]),
            ("[CCC,2][FFF,1]PPP12m", vec![]),
            ("[EEE,2][SSSS,1][WWW,3]NNN2s+2s", vec![Left, Across, Right, Nobody]),
        ] {
            assert_eq!(possible(text, r#"{"win":"discard"}"#).feeder, expected, "{text}");
        }
    }

    /// Checks that an answer that is refused here is refused by each rule set that knows it.
    #[test]
    fn rules_take_what_is_possible_and_nothing_else() {
        let book = Book::shipped();
        let hand: Notation = "[EEEE]123456m11pFF+F".parse().expect("a hand");
        let hand = hand.hand.into_hand().expect("a hand");
        let given = ContextSetup { win: Some(WinKind::KongReplacement), ..Default::default() };
        let possible = possible_answers(&book, &HandSetup::from(&hand), &given);
        let profile = book.get(RulesetId::CLASSICAL_DMJL).expect("shipped");
        for one in Declaration::ALL {
            if OF_SIXTEEN_TILES.contains(&one.name()) {
                continue;
            }
            let declared = Some(DeclaredSet::NONE.with(one));
            let (context, _) = ContextSetup { declared, ..given }.resolve().expect("a context");
            let taken = profile.rules().points(&hand, &context).is_ok();
            let known = profile.rules().declared().contains(one);
            assert_eq!(possible.declared.contains(one), taken && known, "{one}");
        }
    }
}
