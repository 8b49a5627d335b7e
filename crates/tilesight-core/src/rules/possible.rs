//! Which answers to the questions about a win are possible for a hand: a form offers these and no
//! others.
//!
//! Input: rule sets, a hand as it was written (perhaps not all of it yet) and what is known of the
//! win. Output: [`PossibleAnswers`]. Each answer is tried beside the rest of the context, and is
//! possible where one of the rule sets that ask for it does not refuse it. Invariants: what is
//! refused here contradicts the hand by every rule set; how the hand was won and what was declared
//! hang on what lies on the table alone, so that these answers stay while the hand is typed; what
//! hangs on whole sets is not asked before they are there.

use serde::Serialize;

use super::{Book, Contradiction, Profile, completions};
use crate::context::{
    CompletedSet, Context, ContextField, ContextSetup, Declaration, DeclaredSet, Feeder, WinKind,
};
use crate::hand::{HAND_TILES, Hand, HandSetup};
use crate::tile::Tile;

/// The answers that are possible.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PossibleAnswers {
    /// Where the winning tile may have come from.
    pub win: Vec<WinKind>,
    /// What may have been declared.
    pub declared: DeclaredSet,
    /// Who may have fed the last of the sets that make their feeder pay; none where no set does.
    pub feeder: Vec<Feeder>,
    /// The sets that the winning tile can have completed.
    pub completes: Vec<CompletedSet>,
}

/// The answers that one of a book's rule sets takes for a hand, beside what is given of the win.
#[must_use]
pub fn possible_answers(book: &Book, setup: &HandSetup, given: &ContextSetup) -> PossibleAnswers {
    let whole = setup.clone().into_hand().ok();
    let table = completed(setup);
    let context = context_of(given);
    let tried = |hand: Option<Hand>, context, asks: &dyn Fn(&Profile) -> bool, field| {
        let mut asking = book.profiles().filter(|profile| asks(profile));
        hand.is_none_or(|hand| asking.any(|profile| !refuses(profile, &hand, &context, field)))
    };
    let win = |kind: &WinKind| {
        let context = context_of(&ContextSetup { win: Some(*kind), ..*given });
        // Another tile than the one that is supposed may have won.
        tried(table, context, &|_| true, ContextField::Win)
    };
    let declared = |one: &Declaration| {
        let context = Context { declared: DeclaredSet::NONE.with(*one), ..context };
        let asks = |profile: &Profile| profile.rules().declared().contains(*one);
        tried(table, context, &asks, ContextField::Declared)
    };
    let feeder = |feeder: &Feeder| {
        let context = Context { feeder: Some(*feeder), ..context };
        let asks =
            |profile: &Profile| profile.rules().context_fields().contains(&ContextField::Feeder);
        tried(whole, context, &asks, ContextField::Feeder)
    };
    PossibleAnswers {
        win: WinKind::ALL.into_iter().filter(win).collect(),
        declared: Declaration::ALL.into_iter().filter(declared).collect(),
        feeder: whole.map_or(Vec::new(), |_| Feeder::ALL.into_iter().filter(feeder).collect()),
        completes: completions(setup),
    }
}

/// What is given, but for the answers that are tried; a discarder of a self-drawn tile is passed
/// over.
fn context_of(given: &ContextSetup) -> Context {
    let given = ContextSetup { won: None, ..*given };
    let undisputed = given.resolve().or_else(|_| ContextSetup { from: None, ..given }.resolve());
    let context = undisputed.map_or(Context::PLAIN, |(context, _)| context);
    Context { declared: DeclaredSet::NONE, feeder: None, completes: None, ..context }
}

fn refuses(profile: &Profile, hand: &Hand, context: &Context, field: ContextField) -> bool {
    let error = profile.rules().points(hand, context).err();
    let is_of = |one: &Contradiction| one.field() == field;
    error.is_some_and(|error| error.contradictions().iter().any(is_of))
}

/// What lies on the table, with any tiles in the hand; `None` if that is not legal as it lies.
fn completed(setup: &HandSetup) -> Option<Hand> {
    let table = HandSetup { concealed: Vec::new(), winning: None, ..setup.clone() };
    let count = HAND_TILES.checked_sub(3 * table.melds.len())?;
    let there = table.all();
    let mut others = Tile::ALL.into_iter().filter(|&tile| there.of(tile) == 0).take(count);
    let winning = others.next();
    HandSetup { concealed: others.collect(), winning, ..table }.into_hand().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::Notation;
    use crate::rules::RulesetId;

    fn possible(text: &str, given: &str) -> PossibleAnswers {
        let written: Notation = text.parse().expect(text);
        let given = serde_json::from_str(given).expect(given);
        possible_answers(&Book::shipped(), &written.hand, &given)
    }

    /// The classical rules say what each declaration needs.
    #[test]
    fn what_the_win_or_the_table_excludes_can_not_be_declared() {
        let always = "original_call";
        for (text, given, expected) in [
            // While a hand is typed, only the table and the win count.
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
            // A discarder of a self-drawn tile is passed over.
            (
                "123456789m11pFF+F",
                r#"{"seat":"E","win":"self_drawn","from":"left"}"#,
                vec!["heaven", "ninth_east_win"],
            ),
        ] {
            let found = possible(text, given).declared;
            let names: Vec<&str> = found.iter().map(Declaration::name).collect();
            let expected: Vec<&str> = Declaration::ALL
                .into_iter()
                .map(Declaration::name)
                .filter(|name| *name == always || expected.contains(name))
                .collect();
            assert_eq!(names, expected, "{text} {given}");
        }
        // Two claimed sets and the one won with are open: nothing was kept unchanged.
        let open = possible("[EEE,1][CCC,2]123456m11p", r#"{"seat":"S","win":"discard"}"#);
        assert!(!open.declared.contains(Declaration::OriginalCall), "{open:?}");
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
            // Five of a kind: nothing is known.
            ("[EEE,1][EEE,1]123m", WinKind::ALL.to_vec()),
        ] {
            assert_eq!(possible(text, "{}").win, expected, "{text}");
        }
    }

    /// MMM 1.4.2 and 1.4.3: the third pung of dragons, the fourth of winds.
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

    /// What is refused here is refused by each rule set that knows it.
    #[test]
    fn rules_take_what_is_possible_and_nothing_else() {
        let book = Book::shipped();
        let hand: Notation = "[EEEE]123456m11pFF+F".parse().expect("a hand");
        let hand = hand.hand.into_hand().expect("a hand");
        let given = ContextSetup { win: Some(WinKind::KongReplacement), ..Default::default() };
        let possible = possible_answers(&book, &HandSetup::from(&hand), &given);
        let profile = book.get(RulesetId::CLASSICAL_DMJL).expect("shipped");
        for one in Declaration::ALL {
            let declared = Some(DeclaredSet::NONE.with(one));
            let (context, _) = ContextSetup { declared, ..given }.resolve().expect("a context");
            let taken = profile.rules().points(&hand, &context).is_ok();
            let known = profile.rules().declared().contains(one);
            assert_eq!(possible.declared.contains(one), taken && known, "{one}");
        }
    }
}
