//! Faults of a request other than those of its hand, its win context and the rules, in five
//! languages.
//!
//! Input: none. Output: a [`RequestFault`] for each sentence. Invariant: the same mistake has the
//! same message in every form of request.

use crate::explain::{Lang, Message, display_english};
use crate::texts;
use crate::tile::{Tile, Wind};

/// A fault of a field or a part of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum RequestFault {
    /// A part or parameter occurs twice.
    GivenTwice,
    /// A field occurs twice, with different values.
    GivenDifferently {
        /// First value, as clients write it.
        one: String,
        /// Second value.
        other: String,
    },
    /// The query and the body contradict each other.
    QueryAndBodyDiffer,
    /// The query is not form-encoded.
    BadQuery,
    /// A part of the form is missing.
    PartMissing,
    /// A part of the form is too large.
    PartTooLarge {
        /// Maximum number of bytes.
        limit: usize,
    },
    /// A photo has no bytes.
    EmptyPhoto,
    /// A text is not base64.
    NotBase64,
    /// More photos of one hand than are read together.
    TooManyPhotos {
        /// Maximum number of photos.
        limit: usize,
    },
    /// The JSON of a hand is too large.
    HandTooLarge {
        /// Maximum number of bytes.
        limit: usize,
    },
    /// More concealed tiles than any hand has.
    TooManyTiles {
        /// Number of tiles in the request.
        found: usize,
    },
    /// More melds than any hand has.
    TooManyMelds {
        /// Number of melds in the request.
        found: usize,
    },
    /// More tiles than any meld has.
    TooManyInMeld {
        /// Number of tiles in the request.
        found: usize,
    },
    /// More flowers than exist.
    TooManyFlowers {
        /// Number of flowers in the request.
        found: usize,
    },
    /// The claimed tile is not part of its meld.
    NotInMeld {
        /// The tile.
        tile: Tile,
    },
    /// The tiles of a meld do not form its kind of set.
    NotAMeld {
        /// `chow`, `pung` or `kong`.
        kind: &'static str,
        /// Tiles of the meld, as they were sent.
        tiles: String,
    },
    /// A concealed meld is not a kong.
    OnlyKongConcealed,
    /// A tile was added to a meld that is not a kong.
    OnlyKongAdded,
    /// A concealed kong has an added tile.
    ConcealedKongAdded,
    /// A concealed kong has a claimed tile.
    ConcealedKongClaimed,
    /// A chow has a tile from another player than the one to the left.
    ChowFromLeft,
    /// A list of rule sets is empty.
    NoRulesets,
    /// More hands than players beside the winner.
    TooManyOthers {
        /// Number of players who did not win.
        max: usize,
    },
    /// The winner's photo is of a hand that has not won.
    WinnerNotFirst,
    /// The only hand of a request has not won.
    OtherNotWon,
    /// Photos of other hands for a rule set that scores only the winner.
    WinnerAlone {
        /// The rule set.
        ruleset: String,
        /// Names of the rule sets that score every player.
        every: String,
    },
    /// A second hand is in the seat that the winner has by default.
    SeatAssumed {
        /// The seat.
        seat: Wind,
    },
    /// A second hand is in the winner's seat.
    SeatOfWinner {
        /// The seat.
        seat: Wind,
    },
    /// A list has more entries than are accepted.
    TooMany {
        /// Maximum number of entries.
        max: usize,
    },
    /// The reading has no doubt of this id.
    UnknownDoubt,
    /// The doubt has no such answer.
    NotAnAnswer {
        /// Answers of the doubt, separated by commas.
        answers: String,
    },
    /// The answer does not determine the hand.
    AnswerNeedsHand,
    /// A value is not a point in a photo.
    NotAPoint,
    /// A value is not a list of points.
    NotPoints,
    /// A value is neither a photo nor a list of photos.
    NotPhotos,
    /// A value is neither the index of a tile nor its outline.
    NotATile,
    /// A number is not a player of an evening.
    NotAPlayer,
    /// Number that no player of a series has.
    NotASeriesPlayer,
    /// A number is not whole or is out of range.
    OutOfRange {
        /// Smallest accepted number.
        min: u64,
        /// Largest accepted number.
        max: u64,
    },
    /// A part of a form is not in UTF-8.
    PartNotUtf8,
    /// The discarder of the winning tile is missing.
    WhoDiscarded,
    /// A text has no characters.
    EmptyText,
    /// A text contains a character that can't be printed.
    Unprintable {
        /// The character.
        letter: char,
    },
    /// A line is too long.
    LineTooLong {
        /// Maximum number of bytes.
        max: usize,
    },
}

display_english!(RequestFault);

impl Message for RequestFault {
    fn text(&self, lang: Lang) -> String {
        match self {
            RequestFault::GivenTwice => texts::request_fault::given_twice(lang).to_owned(),
            RequestFault::GivenDifferently { one, other } => {
                texts::request_fault::given_differently(lang, one, other)
            }
            RequestFault::QueryAndBodyDiffer => {
                texts::request_fault::query_and_body_differ(lang).to_owned()
            }
            RequestFault::BadQuery => texts::request_fault::bad_query(lang).to_owned(),
            RequestFault::PartMissing => texts::request_fault::part_missing(lang).to_owned(),
            RequestFault::PartTooLarge { limit } => {
                texts::request_fault::part_too_large(lang, limit)
            }
            RequestFault::EmptyPhoto => texts::request_fault::empty_photo(lang).to_owned(),
            RequestFault::NotBase64 => texts::request_fault::not_base64(lang).to_owned(),
            RequestFault::TooManyPhotos { limit } => {
                texts::request_fault::too_many_photos(lang, limit)
            }
            RequestFault::HandTooLarge { limit } => {
                texts::request_fault::hand_too_large(lang, limit)
            }
            RequestFault::TooManyTiles { found } => {
                texts::request_fault::too_many_tiles(lang, found)
            }
            RequestFault::TooManyMelds { found } => {
                texts::request_fault::too_many_melds(lang, found)
            }
            RequestFault::TooManyInMeld { found } => {
                texts::request_fault::too_many_in_meld(lang, found)
            }
            RequestFault::TooManyFlowers { found } => {
                texts::request_fault::too_many_flowers(lang, found)
            }
            RequestFault::NotInMeld { tile } => texts::request_fault::not_in_meld(lang, tile),
            RequestFault::NotAMeld { kind, tiles } => {
                texts::request_fault::not_a_meld(lang, kind, tiles)
            }
            RequestFault::OnlyKongConcealed => {
                texts::request_fault::only_kong_concealed(lang).to_owned()
            }
            RequestFault::OnlyKongAdded => texts::request_fault::only_kong_added(lang).to_owned(),
            RequestFault::ConcealedKongAdded => {
                texts::request_fault::concealed_kong_added(lang).to_owned()
            }
            RequestFault::ConcealedKongClaimed => {
                texts::request_fault::concealed_kong_claimed(lang).to_owned()
            }
            RequestFault::ChowFromLeft => texts::request_fault::chow_from_left(lang).to_owned(),
            RequestFault::NoRulesets => texts::request_fault::no_rulesets(lang).to_owned(),
            RequestFault::TooManyOthers { max } => texts::request_fault::too_many_others(lang, max),
            RequestFault::WinnerNotFirst => texts::request_fault::winner_not_first(lang).to_owned(),
            RequestFault::OtherNotWon => texts::request_fault::other_not_won(lang).to_owned(),
            RequestFault::WinnerAlone { ruleset, every } => {
                texts::request_fault::winner_alone(lang, ruleset, every)
            }
            RequestFault::SeatAssumed { seat } => texts::request_fault::seat_assumed(lang, seat),
            RequestFault::SeatOfWinner { seat } => texts::request_fault::seat_of_winner(lang, seat),
            RequestFault::TooMany { max } => texts::request_fault::too_many(lang, max),
            RequestFault::UnknownDoubt => texts::request_fault::unknown_doubt(lang).to_owned(),
            RequestFault::NotAnAnswer { answers } => {
                texts::request_fault::not_an_answer(lang, answers)
            }
            RequestFault::AnswerNeedsHand => {
                texts::request_fault::answer_needs_hand(lang).to_owned()
            }
            RequestFault::NotAPoint => texts::request_fault::not_a_point(lang).to_owned(),
            RequestFault::NotPoints => texts::request_fault::not_points(lang).to_owned(),
            RequestFault::NotPhotos => texts::request_fault::not_photos(lang).to_owned(),
            RequestFault::NotATile => texts::request_fault::not_a_tile(lang).to_owned(),
            RequestFault::NotAPlayer => texts::invalid::player(lang).to_owned(),
            RequestFault::NotASeriesPlayer => texts::invalid::series_player(lang).to_owned(),
            RequestFault::OutOfRange { min, max } => {
                texts::request_fault::out_of_range(lang, min, max)
            }
            RequestFault::PartNotUtf8 => texts::request_fault::part_not_utf8(lang).to_owned(),
            RequestFault::WhoDiscarded => texts::request_fault::who_discarded(lang).to_owned(),
            RequestFault::EmptyText => texts::request_fault::empty_text(lang).to_owned(),
            RequestFault::Unprintable { letter } => {
                let code = u32::from(*letter);
                texts::request_fault::unprintable(lang, format_args!("{code:04X}"))
            }
            RequestFault::LineTooLong { max } => texts::request_fault::line_too_long(lang, max),
        }
    }
}
