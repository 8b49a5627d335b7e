//! Changes that would have made a hand below the minimum legal.
//!
//! Input: a hand that wins but scores too little, and its win context. Output: the smallest changes
//! in how the hand came together that would have been enough, each with the lines that it adds: the
//! last tile drawn instead of claimed, nothing called, or both. The tiles do not change. Every game
//! is treated alike, by scoring the changed hand. Invariant: a change is listed only if the changed
//! hand is legal, and both together only if neither is enough.

use crate::context::{Context, WinSource};
use crate::hand::{Hand, HandSetup};
use crate::meld::{KongKind, Meld};

use super::score::more_often;
use super::{Change, Reach, RulesError, Score};

/// Function with which an engine explains a hand.
type Explain<'a> = &'a dyn Fn(&Hand, &Context) -> Result<Score, RulesError>;

/// Returns the score of a hand, with the changes that would have made it legal. A legal hand has no
/// such changes.
pub(super) fn with_reach(
    hand: &Hand,
    context: &Context,
    explain: Explain<'_>,
) -> Result<Score, RulesError> {
    let score = explain(hand, context)?;
    if score.is_legal() {
        return Ok(score);
    }
    let short = ShortHand { hand, context, score: &score, explain };
    let mut within_reach: Vec<Reach> = [Change::SelfDraw, Change::NothingCalled]
        .into_iter()
        .filter_map(|one| short.try_change(one))
        .collect();
    if within_reach.is_empty() {
        within_reach.extend(short.try_change(Change::NothingCalledAndSelfDraw));
    }
    Ok(Score { within_reach, ..score })
}

/// A hand below the minimum.
struct ShortHand<'a> {
    hand: &'a Hand,
    context: &'a Context,
    score: &'a Score,
    explain: Explain<'a>,
}

impl ShortHand<'_> {
    /// Returns the effect of a change; `None` if it changes nothing or is not enough.
    fn try_change(&self, change: Change) -> Option<Reach> {
        let hand = self.hand;
        let context = self.context;
        let was_called = hand.melds().any(|meld| !meld.is_concealed());
        let was_drawn = context.win.is_self_drawn();
        if change.draws() && was_drawn || change.calls_nothing() && !was_called {
            return None;
        }
        let hand = if change.calls_nothing() { conceal_all(hand)? } else { *hand };
        let win = if change.draws() { WinSource::SelfDrawn } else { context.win };
        // The given feeder and completed set belong to the hand as it was.
        let context = Context { win, feeder: None, completes: None, ..*context };
        let changed = (self.explain)(&hand, &context).ok().filter(Score::is_legal)?;
        let lines = more_often(&changed.awards, &self.score.awards);
        Some(Reach { change, total: changed.total, lines })
    }
}

/// Returns the same tiles without a called set: kongs become concealed, and all other sets move
/// into the hand.
fn conceal_all(hand: &Hand) -> Option<Hand> {
    let mut setup = HandSetup { melds: Vec::new(), ..HandSetup::from(hand) };
    for meld in hand.melds() {
        match meld {
            Meld::Kong { tile, .. } => {
                setup.melds.push(Meld::Kong { tile, kind: KongKind::Concealed });
            }
            _ => setup.concealed.extend(meld.tiles()),
        }
    }
    setup.reds = setup.reds.limit_to(&setup);
    setup.into_hand_of(hand.size()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::Notation;
    use crate::rules::Book;

    /// Returns the changes that would have been enough, with the codes of the lines.
    fn sentences(ruleset: &str, text: &str) -> Vec<String> {
        let notation: Notation = text.parse().expect(text);
        let (context, _) = notation.context.resolve().expect(text);
        let hand = notation.hand.into_hand().expect(text);
        let book = Book::shipped();
        let profile = book.get(ruleset.parse().expect(ruleset)).expect("shipped");
        let codes = |reach: &Reach| {
            let lines: Vec<&str> = reach.lines.iter().map(|line| line.rule.code).collect();
            format!("{} {}: {}", reach.change.name(), reach.total, lines.join(" "))
        };
        let score = profile.score(&hand, &context).expect(text);
        score.within_reach.iter().map(codes).collect()
    }

    #[test]
    fn the_smallest_change_that_is_enough_is_named() {
        for (ruleset, text, expected) in [
            // Concealed: four chows would have been "only chows" (1.2.2); drawn alone is 10 points
            // and no doubling.
            ("mmm", "[345p,1]123m678s234sCC|EW0000", ["nothing_called 20: only_chows"].as_slice()),
            // A claimed tile into a concealed hand of pungs and chows: drawn, it is fully concealed
            // (1.2.1).
            ("mmm", "123m678s234s999pCC|EW0000", &["self_draw 20: self_draw fully_concealed"]),
            // One called pung: only both together make it fully concealed.
            (
                "mmm",
                "[999p,1]123m678s234sCC|EW0000",
                &[
                    "nothing_called_and_self_draw 20: concealed_officer_pung self_draw fully_concealed",
                ],
            ),
            // A legal hand, and one of a game without a minimum.
            ("mmm", "[CCC,2]222p999s456m7m7m|ES1000", &[]),
            ("classical-dmjl", "[345p,1]123m678s234sCC|EW0000", &[]),
            // Six points in a concealed hand: drawn, Fully Concealed Hand (56) takes the place of
            // 62.
            ("mcr-wmo", "234m234p678m678s9s9s|EW0000", &["self_draw 8: fully_concealed_hand"]),
            // Five short: no change of this kind is enough.
            ("mcr-wmo", "[999p,1]123m678s234s5p5p|EW0000", &[]),
        ] {
            assert_eq!(sentences(ruleset, text), expected, "{ruleset} {text}");
        }
    }
}
