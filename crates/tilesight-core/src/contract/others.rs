//! Hands of the players who did not win, for rule sets that score every player.
//!
//! Input: `others`, each with a seat and a hand in any form. Output: [`OtherHand`]s. Invariant: an
//! error names its place, such as `others[1].hand.melds[0].tiles`. A win context in the notation of
//! such a hand is ignored.

use super::fault::RequestFault;
use super::hand_input::HandInput;
use super::problem::{Problem, ProblemKind, hand_faults};
use crate::hand::Other;
use crate::rules::{OtherHand, TableError};

/// Number of players who did not win.
pub const MAX_OTHERS: usize = 3;

/// A typed hand of another player: in JSON an object with `seat` and `hand`.
pub type OtherDto = Other<HandInput>;

/// Reads the hands of the other players.
///
/// # Errors
/// A [`Problem`] with all faults of the first wrong hand.
pub fn read(others: &[OtherDto]) -> Result<Vec<OtherHand>, Problem> {
    check_number(others.len())?;
    let others = others.iter().enumerate();
    others.map(|(at, other)| legal_other(other, &place(at))).collect()
}

/// Rejects more hands than there are players who did not win.
///
/// # Errors
/// A [`Problem`] about `others`.
pub fn check_number(others: usize) -> Result<(), Problem> {
    if others <= MAX_OTHERS {
        return Ok(());
    }
    let fault = RequestFault::TooManyOthers { max: MAX_OTHERS };
    Err(Problem::for_field(ProblemKind::InvalidHand, "others", &fault))
}

/// Returns the path of an entry of the list.
fn place(at: usize) -> String {
    format!("others[{at}]")
}

/// Checks a typed hand. Errors name the place where it was sent.
///
/// # Errors
/// A [`Problem`] with all faults of the hand.
pub fn legal_other(other: &OtherDto, place: &str) -> Result<OtherHand, Problem> {
    let Other { seat, hand } = other;
    let setup = hand.setup().map_err(|problem| problem.prefix_fields(place))?;
    let hand = setup.into_holding().map_err(|error| {
        Problem::with_errors(ProblemKind::InvalidHand, hand_faults(&error)).prefix_fields(place)
    })?;
    Ok(Other { seat: *seat, hand })
}

impl From<&TableError> for Problem {
    fn from(error: &TableError) -> Problem {
        problem_of_table(error, place)
    }
}

/// Returns the problem for a fault of a table; `part` names its hands as they were sent.
pub fn problem_of_table(error: &TableError, part: impl Fn(usize) -> String) -> Problem {
    let field = match error {
        TableError::Winner(error) => return Problem::from(error),
        TableError::SeatTaken { at, .. } => format!("{}.seat", part(*at)),
        TableError::TooManyCopies { at, .. } => format!("{}.hand", part(*at)),
        TableError::BonusTwice { at, .. } => format!("{}.hand.flowers", part(*at)),
    };
    Problem::for_field(ProblemKind::InvalidHand, field, error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::{ScoreDto, ScoreRequest};
    use crate::explain::Lang;
    use crate::tile::Wind;

    fn answer(json: &str) -> Result<ScoreDto, Problem> {
        let request = ScoreRequest::from_json(json.as_bytes())?;
        Ok(request.prepare(&crate::rules::Book::shipped())?.score()?.to_dto(Lang::En))
    }

    /// East wins 40 points; South, West and North hold 4, 8 and 0.
    fn table(others: &str) -> String {
        format!(
            r#"{{ "hand": "[EEE,2]123m456p789s5s5s", "others": [{others}],
                  "context": {{ "ruleset": "classical-dmjl", "win": "self_drawn" }} }}"#
        )
    }

    const SOUTH: &str = r#"{ "seat": "S", "hand": "[CCC,1]11m99p1289s" }"#;
    const WEST: &str = r#"{ "seat": "W", "hand": { "concealed": ["9m","9m","9m","1p"] } }"#;
    const NORTH: &str = r#"{ "seat": "N", "hand": "147m258p369sFPSW" }"#;

    #[test]
    fn a_table_is_scored_and_settled() {
        let json = table(&format!("{SOUTH}, {WEST}, {NORTH}"));
        let score = answer(&json).expect("a table");
        let totals: Vec<_> = score.others.iter().map(|other| (other.seat, other.total)).collect();
        // A pung of dragons: 4 points, doubled.
        assert_eq!(totals, [(Wind::South, 8), (Wind::West, 8), (Wind::North, 0)]);
        let paid = score.payments;
        let won = i32::try_from(score.total).expect("a small number");
        let expected = [6 * won, -2 * won + 8, -2 * won + 8, -2 * won - 16];
        assert_eq!([paid.e, paid.s, paid.w, paid.n], expected);
        assert_eq!(score.unsettled, []);
    }

    #[test]
    fn missing_players_are_named() {
        let score = answer(&table(WEST)).expect("a table");
        assert_eq!(score.unsettled, [Wind::South, Wind::North]);
        assert_eq!(answer(&table("")).expect("a hand").unsettled.len(), 3);
    }

    #[test]
    fn rules_that_score_the_winner_alone_pass_over_the_others() {
        let json = table(SOUTH).replace("classical-dmjl", "mcr-wmo");
        let score = answer(&json).expect("a hand");
        assert_eq!((score.others, score.unsettled), (vec![], vec![]));
    }

    #[test]
    fn an_invalid_hand_is_named_with_its_place() {
        for (others, field) in [
            (format!("{SOUTH}, {SOUTH}"), "others[1].seat"),
            (SOUTH.replace(r#""S""#, r#""E""#), "others[0].seat"),
            (format!("{WEST}, {}", SOUTH.replace("[CCC", "[EEE")), "others[1].hand"),
            (WEST.replace("1p", "0x"), "others[0].hand.concealed[3]"),
            (SOUTH.replace("11m", "11x"), "others[0].hand"),
            (SOUTH.replace("11m99p", "CC"), "others[0].hand.concealed"),
            (WEST.replace("\"W\"", "\"X\""), "others[0].seat"),
            (WEST.replace("seat", "set"), "others[0].set"),
            (format!("{SOUTH},{WEST},{NORTH},{NORTH}"), "others"),
            (format!(r#"{WEST}, ["S", "11m"]"#), "others[1]"),
        ] {
            let problem = answer(&table(&others)).expect_err(&others);
            let named = problem.errors.first().map(|error| error.field.as_str());
            assert_eq!(named, Some(field), "{others}: {problem}");
        }
    }
}
