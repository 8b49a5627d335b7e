//! Doubts about fields of the win context that cannot be true of the hand as it was read.
//!
//! The reading may be wrong, or its winning tile only supposed, so a contradiction is a doubt and
//! not an error.

use tilesight_core::rules::Contradiction;
use tilesight_core::tile::{Face, Tile};

use super::super::doubt::{Doubt, DoubtKind};
use super::super::joint::Candidate;
use super::super::question::{Question, Reason};

/// Returns a doubt for every contradiction.
pub(super) fn doubts(best: &Candidate, contradictions: &[Contradiction]) -> Vec<Doubt> {
    contradictions.iter().map(|&one| doubt(best, one)).collect()
}

fn doubt(best: &Candidate, contradiction: Contradiction) -> Doubt {
    let field = contradiction.field();
    let reason = match contradiction {
        Contradiction::RobbedTileInHand { .. } if best.setup.winning.is_none() => {
            Reason::NoTileWasRobbed
        }
        Contradiction::LastOfKindInHand { .. } if best.setup.winning.is_none() => {
            Reason::NoTileIsLast
        }
        _ => Reason::Rules(contradiction),
    };
    Doubt {
        kind: DoubtKind::Contradiction,
        tiles: concerned(best, contradiction),
        question: Question::Contradiction { field, reason },
        alternatives: Vec::new(),
        field: Some(field),
        affects_score: true,
    }
}

/// Returns the tiles that contradict the field; all tiles if any of them may.
fn concerned(best: &Candidate, contradiction: Contradiction) -> Vec<usize> {
    let kind: Option<Tile> = match contradiction {
        Contradiction::RobbedTileInHand { tile } | Contradiction::LastOfKindInHand { tile } => {
            best.setup.winning.and(Some(tile))
        }
        Contradiction::TooManyCopies { tile, .. } => Some(tile),
        _ => None,
    };
    let faces = best.faces.iter();
    let concerned = faces.filter(|(_, face)| kind.is_none_or(|tile| *face == Face::Tile(tile)));
    concerned.map(|&(i, _)| i).collect()
}
