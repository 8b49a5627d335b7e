use proptest::prelude::*;

use super::*;
use crate::Faces;
use crate::geometry::Point;
use crate::pixels::seen_tile::SeenTile;

/// Hands as they are typed.
const HANDS: [&str; 6] = [
    "123m456p666789sEE",
    "[123m,1][555p,2]23467788s",
    "19m19p19sESWNCFP1m",
    "[EEEE]234m678m22s34s5s",
    "123456789mEECCC|EE0000|f1f3s2",
    "1235m456p678sEEE+4m",
];

fn typed(text: &str) -> Notation {
    text.parse().expect("a notation")
}

/// Returns the tile at a place of the photo, which the networks name with these probabilities.
fn tile(at: usize, faces: Faces) -> ReadTile {
    let quad = Quad::rectangle(50.0 + 42.0 * at as f32, 60.0, 40.0, 54.0);
    let face = faces.best();
    let turns = [1.0, 0.0, 0.0, 0.0];
    ReadTile {
        seen: SeenTile { quad, score: 0.95, inside: 1.0, faces, turns, red: 0.0, likeness: None },
        face,
        up: Point::new(0.0, -1.0),
        sideways: false,
        role: Role::Concealed,
        group: None,
        meld: None,
        ignored: None,
        views: None,
    }
}

/// Returns what the networks say of a tile that they take for a face.
fn looks_like(face: Face) -> Faces {
    Faces::from_weights([(Some(face), 0.9), (None, 0.1)])
}

/// Returns what the networks say of a tile of unseen art.
fn looks_like_none() -> Faces {
    Faces::from_weights(Face::printed().map(|face| (Some(face), 1.0)))
}

/// Tile as it lies in the photo, with what it is.
#[derive(Debug, Clone)]
struct Laid {
    is: Face,
    looks: Faces,
}

fn laid(notation: &Notation) -> Vec<Laid> {
    let tiles = tiles_of(&notation.hand).into_iter();
    tiles.map(|sought| Laid { is: sought.tile, looks: looks_like(sought.tile) }).collect()
}

fn lesson(tiles: &[Laid], notation: &Notation) -> Result<HandLesson, SheetError> {
    let tiles = tiles.iter().enumerate().map(|(at, laid)| tile(at, laid.looks.clone()));
    let tiles: Vec<ReadTile> = tiles.collect();
    HandLesson::from_tiles(tiles.iter().collect(), &notation.hand)
}

/// Returns the number of learned tiles whose names are wrong.
fn count_wrong(lesson: &HandLesson, tiles: &[Laid]) -> usize {
    let wrong = lesson.tiles.iter().filter(|learned| {
        let at = ((learned.quad.centre().x - 70.0) / 42.0).round() as usize;
        learned.label != tiles[at].is.into()
    });
    wrong.count()
}

#[test]
fn a_whole_hand_is_learned_and_its_order_names_unseen_art() {
    for text in HANDS {
        let notation = typed(text);
        let mut tiles = laid(&notation);
        tiles[4].looks = looks_like_none();
        let lesson = lesson(&tiles, &notation).expect(text);
        assert_eq!((lesson.tiles.len(), lesson.left_out.len()), (tiles.len(), 0), "{text}");
        assert_eq!(count_wrong(&lesson, &tiles), 0, "{text}");
    }
}

#[test]
fn a_covered_tile_is_named_and_the_others_are_learned() {
    let notation = typed(HANDS[0]);
    let mut tiles = laid(&notation);
    tiles.remove(4);
    let found = lesson(&tiles, &notation).expect("the others");
    let five: Face = "5p".parse().expect("a face");
    assert_eq!((found.tiles.len(), &*found.left_out), (13, &[UntaughtTile::Unseen(five)][..]));
    let text = found.left_out[0].text(Lang::En);
    assert_eq!(text, "5p of the notation was left out: the photo does not show it");
    // Its neighbour of unseen art may be either of both.
    tiles[4].looks = looks_like_none();
    let found = lesson(&tiles, &notation).expect("the others");
    assert_eq!(found.tiles.len(), 12);
    assert!(matches!(found.left_out[0], UntaughtTile::Unsure { .. }), "{:?}", found.left_out);
}

#[test]
fn a_tile_that_the_notation_does_not_have_is_left_out() {
    let notation = typed(HANDS[0]);
    let mut tiles = laid(&notation);
    let north: Face = "N".parse().expect("a face");
    tiles.push(Laid { is: north, looks: looks_like(north) });
    let lesson = lesson(&tiles, &notation).expect("the others");
    assert_eq!(lesson.tiles.len(), 14);
    let [UntaughtTile::Surplus { seen, .. }] = *lesson.left_out else { panic!("{lesson:?}") };
    assert_eq!(seen, Some(north));
}

#[test]
fn a_winning_tile_may_lie_anywhere() {
    let notation = typed(HANDS[5]);
    let mut tiles = laid(&notation);
    let winning = tiles.remove(13);
    tiles.insert(3, winning);
    let lesson = lesson(&tiles, &notation).expect("all");
    assert_eq!((lesson.tiles.len(), count_wrong(&lesson, &tiles)), (14, 0));
}

#[test]
fn hidden_tiles_of_a_kong_are_backs_and_not_missed() {
    let notation = typed(HANDS[3]);
    let mut tiles = laid(&notation);
    let kong = tiles.iter().position(|laid| laid.is == "E".parse().expect("a face"));
    let kong = kong.expect("a kong");
    for at in [kong, kong + 3] {
        tiles[at] = Laid { is: Face::Back, looks: looks_like(Face::Back) };
    }
    let lesson = lesson(&tiles, &notation).expect("all");
    assert_eq!((lesson.tiles.len(), lesson.left_out.len()), (tiles.len(), 0));
    assert_eq!(count_wrong(&lesson, &tiles), 0);
}

#[test]
fn seven_tiles_that_are_seen_of_fourteen_are_learned() {
    let notation = typed(HANDS[0]);
    let mut tiles = laid(&notation)[..7].to_vec();
    for _ in 0..2 {
        let lesson = lesson(&tiles, &notation).expect("all");
        assert_eq!((lesson.tiles.len(), lesson.left_out.len()), (7, 7));
        assert_eq!(count_wrong(&lesson, &tiles), 0);
        tiles.reverse();
    }
}

#[test]
fn a_photo_of_which_nothing_is_sure_is_refused() {
    let notation = typed(HANDS[0]);
    let refused = Err(SheetError::Hand { named: 14 });
    let mut unknown = laid(&notation);
    unknown.iter_mut().for_each(|laid| laid.looks = looks_like_none());
    assert_eq!(lesson(&unknown, &notation), refused, "they may lie in any order");
    assert_eq!(lesson(&laid(&typed(HANDS[2])), &notation), refused, "another hand");
    assert_eq!(lesson(&[], &notation), refused);
}

#[test]
fn tiles_of_unseen_art_are_named_by_their_places_where_the_others_lie_as_typed() {
    let notation = typed(HANDS[0]);
    let mut tiles = laid(&notation);
    for at in [1, 4, 9] {
        tiles[at].looks = looks_like_none();
    }
    let found = lesson(&tiles, &notation).expect("all");
    assert_eq!((found.tiles.len(), count_wrong(&found, &tiles)), (14, 0));
    tiles.rotate_left(3);
    let found = lesson(&tiles, &notation).expect("all");
    assert_eq!(
        (found.tiles.len(), count_wrong(&found, &tiles)),
        (14, 0),
        "groups in another order"
    );
    // In any order each of the three may be any of the three.
    tiles.swap(0, 8);
    tiles.swap(2, 13);
    tiles.swap(3, 6);
    tiles.swap(5, 10);
    let found = lesson(&tiles, &notation).expect("those that the networks know");
    assert_eq!((found.tiles.len(), count_wrong(&found, &tiles)), (11, 0), "{found:?}");
    let is_unsure = |tile: &UntaughtTile| matches!(tile, UntaughtTile::Unsure { .. });
    assert!(found.left_out.iter().all(is_unsure), "{found:?}");
}

#[test]
fn groups_of_unseen_art_are_named_unless_they_may_have_changed_places() {
    for (text, named) in [("123m456p666789s|EE0000|f1s2", 14), ("123m456p666789s5m|EE0000|f1", 12)]
    {
        let notation = typed(text);
        let mut tiles = laid(&notation);
        for tile in &mut tiles[12..] {
            tile.looks = looks_like_none();
        }
        let found = lesson(&tiles, &notation).expect(text);
        assert_eq!((found.tiles.len(), count_wrong(&found, &tiles)), (named, 0), "{text}");
    }
}

/// Order of the tiles in the photo.
#[derive(Debug, Clone, Copy)]
enum Laying {
    AsTyped,
    WinningAnywhere,
    ByGroups,
    Anyhow,
}

/// A photo of a hand.
#[derive(Debug, Clone)]
struct Scene {
    notation: Notation,
    tiles: Vec<Laid>,
}

fn scene() -> impl Strategy<Value = Scene> {
    let layings = prop_oneof![
        Just(Laying::AsTyped),
        Just(Laying::WinningAnywhere),
        Just(Laying::ByGroups),
        Just(Laying::Anyhow),
    ];
    let keys = proptest::collection::vec(any::<u32>(), 18);
    let hidden = proptest::collection::vec(any::<prop::sample::Index>(), 0..=2);
    let unknown = proptest::collection::vec(any::<prop::sample::Index>(), 0..=3);
    let surplus =
        proptest::option::of((any::<prop::sample::Index>(), any::<prop::sample::Index>()));
    (0..HANDS.len(), layings, keys, hidden, unknown, surplus).prop_map(
        |(hand, laying, keys, hidden, unknown, surplus)| {
            let notation = typed(HANDS[hand]);
            let sought = tiles_of(&notation.hand);
            let mut tiles: Vec<(usize, Laid)> = laid(&notation).into_iter().enumerate().collect();
            for at in unknown {
                let at = at.index(tiles.len());
                tiles[at].1.looks = looks_like_none();
            }
            match laying {
                Laying::AsTyped => {}
                Laying::WinningAnywhere => {
                    if let Some(winning) = sought.iter().position(|sought| sought.wins) {
                        let winning = tiles.remove(winning);
                        tiles.insert(keys[0] as usize % (tiles.len() + 1), winning);
                    }
                }
                Laying::ByGroups => tiles.sort_by_key(|(at, _)| keys[sought[*at].group]),
                Laying::Anyhow => tiles.sort_by_key(|(at, _)| keys[*at]),
            }
            let mut tiles: Vec<Laid> = tiles.into_iter().map(|(_, laid)| laid).collect();
            // A tile in the place of another one would be taken for it: the person is believed.
            for at in hidden.into_iter().filter(|_| surplus.is_none()) {
                tiles.remove(at.index(tiles.len()));
            }
            if let Some((face, at)) = surplus {
                let is = Face::printed().nth(face.index(42)).expect("a face");
                tiles.insert(at.index(tiles.len()), Laid { is, looks: looks_like(is) });
            }
            Scene { notation, tiles }
        },
    )
}

proptest! {
    #[test]
    fn every_pair_that_is_learned_is_right(scene in scene()) {
        let lesson = lesson(&scene.tiles, &scene.notation);
        let lesson = lesson.expect("some tiles are sure");
        prop_assert_eq!(count_wrong(&lesson, &scene.tiles), 0, "{:?}", lesson);
        // A tile is never left out without being named.
        let unlearned = scene.tiles.len() - lesson.tiles.len();
        let named = lesson.left_out.iter().filter(|it| !matches!(it, UntaughtTile::Unseen(_)));
        prop_assert_eq!(named.count(), unlearned);
        let known = scene.tiles.iter().filter(|laid| laid.looks.top().1 > 0.5).count();
        prop_assert!(2 * lesson.tiles.len() > known, "{:?}", lesson);
    }
}
