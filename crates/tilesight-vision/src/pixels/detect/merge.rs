//! Merging of the detections from several sizes into one per tile.
//!
//! Input: detections that may cover each other. Output: those that remain, best first. Invariant:
//! no two of them share more than [`DetectParams::same_tile`] of the smaller one, and there are at
//! most [`DetectParams::max_tiles`].
//!
//! [`DetectParams::same_tile`]: crate::params::DetectParams::same_tile
//! [`DetectParams::max_tiles`]: crate::params::DetectParams::max_tiles

use super::{Detection, PARAMS};

/// Keeps the best of several detections of the same tile: non-maximum suppression, ranked by score
/// and size.
///
/// At 640 pixels the dots of a close-up look like tiles, and each such dot may have a higher score
/// than the tile. Candidates are therefore ranked by their score times how well they agree with the
/// usual size.
#[must_use]
pub fn merge(mut found: Vec<Detection>) -> Vec<Detection> {
    drop_tables(&mut found);
    let usual = usual_scale(&found);
    found.sort_by(|a, b| rank(b, usual).total_cmp(&rank(a, usual)));
    let mut kept: Vec<Detection> = Vec::new();
    for tile in found {
        if kept.len() == PARAMS.max_tiles {
            break;
        }
        if kept.iter().all(|other| other.quad.overlap(&tile.quad) <= PARAMS.same_tile) {
            kept.push(tile);
        }
    }
    kept
}

/// Returns the score of a tile, lowered by how far its scale is from the usual one.
fn rank(tile: &Detection, usual: f32) -> f32 {
    let octaves = (tile.quad.scale() / usual).log2();
    tile.score * (-PARAMS.size_penalty * octaves * octaves).exp()
}

/// Removes whole tables that were detected as one tile: a detection that covers half the photo
/// would set the usual size, and every tile on it would be suppressed.
fn drop_tables(found: &mut Vec<Detection>) {
    let tables: Vec<bool> = found.iter().map(|tile| is_table(tile, found)).collect();
    let mut at = tables.iter();
    found.retain(|_| at.next() == Some(&false));
}

/// Returns whether a detection holds so many confident tiles that it is a table.
fn is_table(table: &Detection, found: &[Detection]) -> bool {
    let scale = table.quad.scale();
    let held = found.iter().filter(|other| {
        other.score >= PARAMS.confident
            && other.quad.scale() < PARAMS.table_tile_scale * scale
            && other.quad.overlap(&table.quad) > PARAMS.same_tile
    });
    held.take(PARAMS.table_tiles).count() == PARAMS.table_tiles
}

/// Returns the median of all scales, each weighted by itself and by the square of its score.
/// Weighted by area, one dim false alarm over half the table would outweigh a row of confident
/// tiles.
fn usual_scale(found: &[Detection]) -> f32 {
    let mut scales: Vec<(f32, f32)> = found
        .iter()
        .map(|tile| (tile.quad.scale(), tile.score * tile.score * tile.quad.scale()))
        .collect();
    scales.sort_by(|a, b| a.0.total_cmp(&b.0));
    let half = scales.iter().map(|(_, weight)| weight).sum::<f32>() / 2.0;
    let mut sum = 0.0;
    for (scale, weight) in scales {
        sum += weight;
        if sum >= half {
            return scale;
        }
    }
    1.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Quad;

    fn tile(x: f32, y: f32, side: f32, score: f32) -> Detection {
        Detection { quad: Quad::rectangle(x, y, side, side * 1.3), score, face_up: 1.0 }
    }

    #[test]
    fn a_table_seen_as_one_tile_does_not_hide_the_tiles_on_it() {
        let seen = |x: f32, y: f32, width: f32, score: f32| Detection {
            quad: Quad::rectangle(x, y, width, 1.3 * width),
            score,
            face_up: 1.0,
        };
        let row = (0..14).map(|n| seen(100.0 + 32.0 * n as f32, 300.0, 30.0, 0.6));
        let found: Vec<Detection> = row.chain([seen(50.0, 50.0, 600.0, 0.9)]).collect();
        assert_eq!(merge(found).len(), 14);
        // A tile with its pips is one tile.
        let pips = (0..9)
            .map(|n| seen(60.0 + 25.0 * (n % 3) as f32, 60.0 + 40.0 * (n / 3) as f32, 20.0, 0.6));
        let found: Vec<Detection> = pips.chain([seen(50.0, 50.0, 100.0, 0.9)]).collect();
        assert_eq!(merge(found).len(), 1);
    }

    #[test]
    fn neighbours_stay_and_duplicates_go() {
        let found =
            vec![tile(0.0, 0.0, 30.0, 0.8), tile(1.0, 1.0, 30.0, 0.9), tile(29.0, 0.0, 30.0, 0.5)];
        let kept = merge(found);
        assert_eq!(kept.len(), 2);
        assert_eq!(kept[0].score, 0.9);
    }

    #[test]
    fn a_dim_alarm_over_the_whole_table_does_not_hide_the_row() {
        let mut found = vec![tile(0.0, 0.0, 700.0, 0.3)];
        found.extend((0..14u8).map(|i| tile(50.0 * f32::from(i), 100.0, 48.0, 0.9)));
        let kept = merge(found);
        assert_eq!(kept.iter().filter(|tile| tile.quad.scale() < 100.0).count(), 14);
    }

    #[test]
    fn of_more_tiles_than_a_set_has_the_best_are_kept() {
        let place = |n: u16| (f32::from(n % 40) * 40.0, f32::from(n / 40) * 50.0);
        let score = |n: u16| if n < 100 { 0.4 } else { 0.9 };
        let found = (0..400).map(|n| tile(place(n).0, place(n).1, 30.0, score(n))).collect();
        let kept = merge(found);
        assert_eq!(kept.len(), PARAMS.max_tiles);
        assert!(kept.iter().all(|tile| tile.score > 0.5));
    }

    #[test]
    fn the_dots_of_a_large_tile_are_not_tiles() {
        let mut found = vec![tile(0.0, 0.0, 300.0, 0.6), tile(310.0, 0.0, 300.0, 0.6)];
        found.extend((0..4u8).map(|i| tile(40.0, 60.0 * f32::from(i), 50.0, 0.95)));
        let kept = merge(found);
        assert_eq!(kept.len(), 2);
        assert!(kept.iter().all(|tile| tile.quad.scale() > 300.0));
    }
}
