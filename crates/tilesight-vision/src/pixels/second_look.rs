//! Looks again at crops that the classifier leaves in doubt, with the large classifier.
//!
//! Input: crops with the classifier's [`Look`] at each, and a [`Model`]. Output: the looks; those
//! in doubt are combined with the large classifier's look at the same crop. Invariant: without a
//! large classifier all looks stay as they are, and so do sure ones and those that nobody wants; at
//! most as many crops are looked at again as are left, the most doubtful ones.

use super::crop::planes;
use super::faces::Sort;
use super::look::{Look, looks_in};
use crate::networks::{Model, ModelError};
use crate::params::ClassifyParams;
use image::RgbImage;

const PARAMS: ClassifyParams = ClassifyParams::DEFAULT;

/// Combines the looks in doubt, of those at the places `open`, with those of the large classifier.
/// `embeddings` are the classifier's for all crops, if it has any; `max` is the number of crops
/// that the large classifier may get. Returns the places that it looked at.
///
/// # Errors
/// [`ModelError::Failed`] if the network does not run.
pub(super) fn look_again(
    crops: &[RgbImage],
    looks: &mut [Look],
    embeddings: &[Vec<f32>],
    open: &[usize],
    model: &dyn Model,
    max: usize,
) -> Result<Vec<usize>, ModelError> {
    let manifest = model.manifest();
    let Some(spec) = &manifest.large_classifier else { return Ok(Vec::new()) };
    let doubtful = select_doubtful(looks, open, model, max);
    let share = model.large_share().unwrap_or(PARAMS.large_share);
    for part in doubtful.chunks(model.max_crops()) {
        let again: Vec<RgbImage> = part.iter().map(|&i| crops[i].clone()).collect();
        let known = part.iter().filter_map(|&i| embeddings.get(i).cloned()).collect::<Vec<_>>();
        let rows = model.classify_large(&planes(&again, &spec.crop), &known)?;
        let Some(rows) = rows else { return Ok(Vec::new()) };
        for (&i, large) in part.iter().zip(looks_in(&rows, manifest, spec.temperature, 0.0)) {
            looks[i] = combine(&looks[i], &large, share);
        }
    }
    Ok(doubtful)
}

/// Returns the places, of those that are `open`, of looks in doubt, the most doubtful first.
fn select_doubtful(looks: &[Look], open: &[usize], model: &dyn Model, max: usize) -> Vec<usize> {
    let mut doubtful: Vec<usize> =
        open.iter().copied().filter(|&i| is_doubtful(&looks[i], model)).collect();
    doubtful.sort_by(|&a, &b| looks[a].faces.top().1.total_cmp(&looks[b].faces.top().1));
    doubtful.truncate(max);
    doubtful
}

/// Returns whether the large classifier may change the name. The classifier is often sure of the
/// wrong bonus tile, unless an own set knows the tile's art.
pub(super) fn is_doubtful(look: &Look, model: &dyn Model) -> bool {
    let faces = &look.faces;
    match faces.sort() {
        (Sort::Back | Sort::Nothing, p) if p >= PARAMS.clearly_no_face => false,
        (Sort::Bonus, _) if !faces.best().is_some_and(|face| model.knows(face)) => true,
        _ => faces.top().1 < PARAMS.certain,
    }
}

/// Combines two classifiers' looks at one crop; `share` is the weight of the second one.
fn combine(first: &Look, second: &Look, share: f32) -> Look {
    let first_red = [first.red, 1.0 - first.red];
    let second_red = [second.red, 1.0 - second.red];
    Look {
        faces: first.faces.combined(&second.faces, |a, b| log_mean(a, b, share)),
        turns: log_mean(&first.turns, &second.turns, share),
        red: log_mean(&first_red, &second_red, share)[0],
        likeness: first.likeness,
    }
}

/// Returns the weighted mean of the logarithms of two networks' probabilities, as probabilities;
/// `share` is the weight of the second network.
fn log_mean<const N: usize>(first: &[f32; N], second: &[f32; N], share: f32) -> [f32; N] {
    let logs: [f32; N] =
        std::array::from_fn(|i| (1.0 - share) * log(first[i]) + share * log(second[i]));
    let highest = logs.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let powers = logs.map(|log| (log - highest).exp());
    let sum: f32 = powers.iter().sum();
    powers.map(|power| power / sum)
}

/// Returns the logarithm of a probability, that of the least positive number for zero.
fn log(p: f32) -> f32 {
    p.max(f32::MIN_POSITIVE).ln()
}

#[cfg(test)]
mod tests {
    use tilesight_core::tile::{Bonus, Face, Tile};
    use tilesight_stills::Photo;

    use super::*;
    use crate::geometry::Quad;
    use crate::networks::fake::{PaintedModel, PaintedTile, WatchedModel, paint};
    use crate::pixels::classify::classify;
    use crate::pixels::detect::Detection;
    use crate::pixels::seen_tile::SeenTile;

    const FIRST: [f32; 4] = [0.5, 0.3, 0.15, 0.05];
    const SECOND: [f32; 4] = [0.9, 0.06, 0.03, 0.01];

    fn is_near(a: &[f32], b: &[f32]) -> bool {
        a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6)
    }

    #[test]
    fn a_mean_sums_to_one_and_keeps_the_order_of_both() {
        for share in [0.0, 0.3, 0.7, 1.0] {
            let mean = log_mean(&FIRST, &SECOND, share);
            assert!((mean.iter().sum::<f32>() - 1.0).abs() < 1e-6, "{mean:?}");
            assert!(mean.is_sorted_by(|a, b| a > b), "{mean:?}");
        }
    }

    #[test]
    fn without_weight_a_network_does_not_count() {
        assert!(is_near(&log_mean(&FIRST, &SECOND, 0.0), &FIRST));
        assert!(is_near(&log_mean(&FIRST, &SECOND, 1.0), &SECOND));
    }

    #[test]
    fn agreement_is_no_sharper_than_the_sharper_network() {
        assert!(is_near(&log_mean(&FIRST, &FIRST, 0.7), &FIRST));
        let mean = log_mean(&FIRST, &SECOND, 0.7);
        assert!(mean[0] > FIRST[0] && mean[0] < SECOND[0], "{mean:?}");
        let none = log_mean(&[1.0, 0.0], &[0.0, 1.0], 0.5);
        assert!(is_near(&none, &[0.5, 0.5]), "{none:?}");
    }

    fn make_look(code: &str, p: f32) -> Look {
        let other = if code == "1m" { "2m" } else { "1m" };
        Look::from_faces(&[(code, p), (other, 1.0 - p)])
    }

    #[test]
    fn the_most_doubtful_come_first() {
        let looks = [
            make_look("3p", 0.9),
            make_look("3p", 0.995),
            make_look("f2", 0.995),
            make_look("3p", 0.6),
            make_look("back", 0.95),
            make_look("none", 0.95),
            make_look("none", 0.55),
            make_look("3p", 0.6),
        ];
        let all = [0, 1, 2, 3, 4, 5, 6, 7];
        let model = PaintedModel::default();
        assert_eq!(select_doubtful(&looks, &all, &model, 48), [6, 3, 7, 0, 2]);
        assert_eq!(select_doubtful(&looks, &all, &model, 2), [6, 3]);
        assert_eq!(select_doubtful(&looks, &[0, 1, 2, 4, 5, 7], &model, 48), [7, 0, 2]);
    }

    #[test]
    fn a_bonus_tile_that_an_own_set_knows_is_sure() {
        let flower: Face = "f2".parse().expect("a face");
        let model = WatchedModel::knowing(&[flower]);
        assert!(!is_doubtful(&make_look("f2", 0.995), &model));
        assert!(is_doubtful(&make_look("f3", 0.995), &model));
    }

    /// Returns what a model sees of a row of tiles.
    fn seen(codes: &[&str], model: &WatchedModel) -> Vec<SeenTile> {
        let tiles: Vec<PaintedTile> = codes
            .iter()
            .enumerate()
            .map(|(n, code)| PaintedTile {
                quad: Quad::rectangle(20.0 + 60.0 * n as f32, 20.0, 50.0, 68.0),
                face: code.parse().expect("a face"),
            })
            .collect();
        let photo = Photo::from_rgb(paint(60 * codes.len() as u32 + 40, 110, &tiles))
            .expect("large enough");
        let found = |tile: &PaintedTile| Detection { quad: tile.quad, score: 0.9, face_up: 0.98 };
        let found: Vec<Detection> = tiles.iter().map(found).collect();
        classify(&photo, &found, model).expect("it runs")
    }

    #[test]
    fn only_tiles_in_doubt_are_looked_at_again() {
        let codes = ["1m", "8s", "f1", "back", "8s"];
        let doubted = Face::Tile("8s".parse::<Tile>().expect("a tile"));
        let with = WatchedModel::with_large_classifier(&[doubted]);
        let without = WatchedModel::doubting(&[doubted]);
        let (again, once) = (seen(&codes, &with), seen(&codes, &without));
        assert_eq!((with.crops(), with.large_crops()), (5, 3), "both 8s and the flower");
        assert_eq!((without.crops(), without.large_crops()), (5, 0));
        for ((code, again), once) in codes.iter().zip(&again).zip(&once) {
            assert_eq!(again.faces.best(), code.parse().ok(), "{code}");
            match *code {
                "8s" => assert!(once.faces.top().1 < 0.5 && again.faces.top().1 > 0.9, "{again:?}"),
                "f1" => assert!(is_near(&[once.faces.top().1], &[again.faces.top().1])),
                _ => assert_eq!(once, again),
            }
        }
        let sure = WatchedModel::with_large_classifier(&[]);
        let _ = seen(&["1m", "8s", "back"], &sure);
        assert_eq!(sure.large_crops(), 0);
    }

    #[test]
    fn the_large_classifier_counts_as_much_as_the_model_says() {
        let doubted = Face::Tile("8s".parse::<Tile>().expect("a tile"));
        let top = |share: Option<f32>| {
            let model = WatchedModel::with_large_classifier(&[doubted]).with_large_share(share);
            seen(&["8s"], &model)[0].faces.top().1
        };
        assert!(top(Some(0.2)) < top(Some(0.4)) && top(Some(0.4)) < top(None));
        assert_eq!(top(None).to_bits(), top(Some(PARAMS.large_share)).to_bits());
    }

    /// Checks the order of crops and of their embeddings, which the model compares: the sure bonus
    /// tiles come last, and one run does not take all.
    #[test]
    fn each_look_is_combined_with_the_one_at_the_same_crop() {
        let bonus = Bonus::ALL.map(|bonus| bonus.to_string());
        let codes: Vec<String> =
            bonus.into_iter().chain(Tile::ALL.map(|t| t.to_string())).collect();
        let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
        let model = WatchedModel::with_large_classifier(&Tile::ALL.map(Face::Tile));
        let seen = seen(&codes, &model);
        assert_eq!(model.large_crops(), codes.len());
        for (code, seen) in codes.iter().zip(&seen) {
            assert_eq!(seen.faces.best(), code.parse().ok(), "{code}");
        }
    }
}
