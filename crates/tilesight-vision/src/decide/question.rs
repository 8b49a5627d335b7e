//! The questions that doubts ask, in every language.
//!
//! Input: the subject of a doubt. Output: one sentence for a person. Tiles are named by their
//! codes, as everywhere in a reading. Invariant: every question has a text in the catalogues, and a
//! new one does not compile without it.

use tilesight_core::context::ContextField;
use tilesight_core::explain::{Lang, Message, display_english};
use tilesight_core::hand::HandSize;
use tilesight_core::rules::{Contradiction, game_of};
use tilesight_core::tile::{Bonus, Face, Tile};

use crate::pixels::faces::name;
use crate::texts;

/// Question of a doubt.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Question {
    /// Too few or too many tiles for a hand.
    TileCount {
        /// Number of tiles that were seen.
        seen: usize,
        /// Number of tiles that the hand needs.
        needed: usize,
    },
    /// A hand of the size of games with sixteen tiles, too large for the rule set.
    LargeHand {
        /// Number of tiles that were seen.
        seen: usize,
        /// Number of tiles that the hand needs.
        needed: usize,
    },
    /// A tile beside the hand would complete it.
    Offered {
        /// The tile.
        tile: Tile,
    },
    /// A tile that was left out touches the hand.
    Touching {
        /// The tile.
        tile: Tile,
    },
    /// Tiles without print beside the hand were left out: white dragons or backs.
    BlankSet,
    /// A tile's face could be a different one.
    Face {
        /// Face that the tile was given.
        face: Face,
    },
    /// The limits of a hand gave a tile another face than the one it most resembles.
    LooksLike {
        /// Face that the tile most resembles; `None` for an object that is not a tile.
        seen: Option<Face>,
        /// Face that the tile was given.
        face: Face,
    },
    /// The hand would win with another face in one place.
    Repair {
        /// Face that the tile was given.
        face: Tile,
    },
    /// The hand has more tiles of a face than exist.
    TooManyCopies {
        /// The face.
        face: Face,
        /// Number of tiles with this face.
        count: usize,
    },
    /// The hands of a table have more tiles of a face than exist.
    TooManyOnTable {
        /// The face.
        face: Face,
        /// Number of tiles with this face.
        count: usize,
    },
    /// No tile is set apart as the winning tile.
    NoWinningTile,
    /// Two tiles could be the winning tile.
    WinningTile,
    /// A tile lies across the others of a set that was read as concealed.
    LiesAcross,
    /// A set lies apart: it may be claimed or concealed.
    ExposedSet,
    /// A kong lies apart: it may be claimed or concealed.
    ConcealedKong,
    /// A pung may have been extended to a kong.
    AddedKong,
    /// A tile that was left out may be the fourth of a pung.
    FourthTile {
        /// The tile.
        tile: Tile,
    },
    /// A kong shows only backs.
    HiddenKong,
    /// Tiles lie together like a set, but do not form one.
    NotASet {
        /// Faces of the tiles.
        faces: Vec<Face>,
    },
    /// A flower may or may not be the winner's.
    Flower {
        /// The flower.
        flower: Bonus,
    },
    /// The hand has a flower, but its rules are played without flowers.
    FlowerNotPlayed {
        /// The flower.
        flower: Bonus,
    },
    /// Two flowers have room for another one between them.
    FlowerGap,
    /// The photo's edge cuts tiles off.
    CutTile,
    /// The tiles are complete, but do not win.
    NotAWin,
    /// The tiles can't be a hand.
    NotAHand,
    /// A field of the win context contradicts the hand.
    Contradiction {
        /// The field.
        field: ContextField,
        /// Reason for the contradiction.
        reason: Reason,
    },
    /// Several players fed the sets whose feeder pays, and it is unknown who fed the last one.
    Feeder,
    /// Tiles lie face up on a wall.
    Indicator {
        /// The tiles.
        tiles: Vec<Tile>,
    },
    /// A five may be a red one.
    RedFive {
        /// The five.
        tile: Tile,
    },
}

impl Question {
    /// Returns the game that the question asks about: one whose hands are larger than those of the
    /// rule set.
    pub(crate) fn game(&self) -> Option<&'static str> {
        matches!(self, Question::LargeHand { .. }).then(|| game_of(HandSize::MAX))
    }
}

/// Reason why a field of the win context contradicts a hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The rules exclude it.
    Rules(Contradiction),
    /// Whichever tile won, no kong was robbed of it.
    NoTileWasRobbed,
    /// Whichever tile won, it is not the last of its kind.
    NoTileIsLast,
}

fn names(faces: &[Face]) -> String {
    faces.iter().map(Face::to_string).collect::<Vec<_>>().join(" ")
}

display_english!(Question);

impl Message for Question {
    fn text(&self, lang: Lang) -> String {
        match self {
            Question::TileCount { seen, needed } => {
                texts::question::tile_count(lang, *seen, needed)
            }
            Question::LargeHand { seen, needed } => texts::question::large_hand(lang, seen, needed),
            Question::Offered { tile } => texts::question::offered(lang, tile),
            Question::Touching { tile } => texts::question::touching(lang, tile),
            Question::BlankSet => texts::question::blank_set(lang).to_owned(),
            Question::Face { face } => texts::question::face(lang, face),
            Question::LooksLike { seen: None, face } => {
                texts::question::looks_like_no_tile(lang, face)
            }
            Question::LooksLike { seen, face } => {
                let seen = name(*seen);
                texts::question::looks_like(lang, seen, face)
            }
            Question::Repair { face } => texts::question::repair(lang, face),
            Question::TooManyCopies { face: face @ Face::Bonus(_), count } => {
                texts::question::too_many_copies_of_flower(lang, face, count)
            }
            Question::TooManyCopies { face, count } => {
                texts::question::too_many_copies(lang, count, face)
            }
            Question::TooManyOnTable { face: face @ Face::Bonus(_), count } => {
                texts::question::too_many_flowers_on_table(lang, face, count)
            }
            Question::TooManyOnTable { face, count } => {
                texts::question::too_many_on_table(lang, count, face)
            }
            Question::NoWinningTile => texts::question::no_winning_tile(lang).to_owned(),
            Question::WinningTile => texts::question::winning_tile(lang).to_owned(),
            Question::LiesAcross => texts::question::lies_across(lang).to_owned(),
            Question::ExposedSet => texts::question::exposed_set(lang).to_owned(),
            Question::ConcealedKong => texts::question::concealed_kong(lang).to_owned(),
            Question::AddedKong => texts::question::added_kong(lang).to_owned(),
            Question::FourthTile { tile } => texts::question::fourth_tile(lang, tile),
            Question::HiddenKong => texts::question::hidden_kong(lang).to_owned(),
            Question::NotASet { faces } => {
                let faces = names(faces);
                texts::question::not_a_set(lang, faces)
            }
            Question::Flower { flower } => texts::question::flower(lang, flower),
            Question::FlowerNotPlayed { flower } => {
                texts::question::flower_not_played(lang, flower)
            }
            Question::FlowerGap => texts::question::flower_gap(lang).to_owned(),
            Question::CutTile => texts::question::cut_tile(lang).to_owned(),
            Question::NotAWin => texts::question::not_a_win(lang).to_owned(),
            Question::NotAHand => texts::question::not_a_hand(lang).to_owned(),
            Question::Contradiction { field, reason } => {
                let reason = reason.text(lang);
                texts::question::contradiction(lang, field, reason)
            }
            Question::Feeder => texts::question::feeder(lang).to_owned(),
            Question::Indicator { tiles } => match tiles.as_slice() {
                [tile] => texts::question::indicator(lang, tile),
                all => {
                    let codes: Vec<String> = all.iter().map(Tile::to_string).collect();
                    texts::question::indicators(lang, codes.join(" "))
                }
            },
            Question::RedFive { tile } => texts::question::red_five(lang, tile),
        }
    }
}

display_english!(Reason);

impl Message for Reason {
    fn text(&self, lang: Lang) -> String {
        match self {
            Reason::Rules(contradiction) => contradiction.text(lang),
            Reason::NoTileWasRobbed => texts::reason::no_tile_was_robbed(lang).to_owned(),
            Reason::NoTileIsLast => texts::reason::no_tile_is_last(lang).to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DoubtKind;

    /// Returns a question of each kind, as the table in `docs/contract.md` shows it.
    fn documented() -> [(DoubtKind, Question); 15] {
        let tile = |code: &str| code.parse::<Tile>().expect("a tile");
        let face = |code: &str| Face::Tile(tile(code));
        let set = ["1m", "2m", "4m"].map(face).to_vec();
        let (field, reason) = (ContextField::Win, Reason::NoTileWasRobbed);
        let flower: Bonus = "f1".parse().expect("a flower");
        [
            (DoubtKind::TileCount, Question::TileCount { seen: 13, needed: 14 }),
            (DoubtKind::WinningTile, Question::NoWinningTile),
            (DoubtKind::Tile, Question::Face { face: face("7m") }),
            (DoubtKind::TooManyCopies, Question::TooManyCopies { face: face("5s"), count: 5 }),
            (DoubtKind::ExposedSet, Question::ExposedSet),
            (DoubtKind::ConcealedKong, Question::ConcealedKong),
            (DoubtKind::AddedKong, Question::AddedKong),
            (DoubtKind::HiddenKong, Question::HiddenKong),
            (DoubtKind::NotASet, Question::NotASet { faces: set }),
            (DoubtKind::Flower, Question::Flower { flower }),
            (DoubtKind::CutTile, Question::CutTile),
            (DoubtKind::NotAWin, Question::NotAWin),
            (DoubtKind::Contradiction, Question::Contradiction { field, reason }),
            (DoubtKind::Feeder, Question::Feeder),
            (DoubtKind::Indicator, Question::Indicator { tiles: vec![tile("3m")] }),
        ]
    }

    #[test]
    fn every_kind_of_doubt_is_documented_with_its_question() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/contract.md");
        let page = std::fs::read_to_string(page).expect("the docs are committed");
        let page = page.split("\n## ").find(|part| part.starts_with("Doubts\n")).expect("a part");
        let documented = documented();
        assert_eq!(documented.each_ref().map(|(kind, _)| *kind), DoubtKind::ALL);
        for (kind, question) in documented {
            let head = format!("| `{}` | ", kind.name());
            let mut rows = page.lines().filter(|line| line.starts_with(&head));
            let row = rows.next().unwrap_or_else(|| panic!("no row {head} in docs/contract.md"));
            let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
            assert_eq!(cells.len(), 5, "{row}");
            assert!(cells.iter().all(|cell| !cell.is_empty()), "{row}");
            assert_eq!(cells[2], question.to_string(), "the question of {}", kind.name());
            assert_eq!(rows.next(), None, "{head} is there twice");
        }
    }
}
