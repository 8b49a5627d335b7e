use super::*;
use crate::Faces;
use crate::geometry::Quad;

/// Returns a tile at a place of a grid, of which the network says a face with a probability.
fn tile(row: usize, column: usize, said: &str, p: f32) -> SeenTile {
    let face: Face = said.parse().expect(said);
    let faces = Faces::from_weights([(Some(face), p), (None, 1.0 - p)]);
    let quad = Quad::rectangle(50.0 + 42.0 * column as f32, 60.0 + 60.0 * row as f32, 40.0, 54.0);
    SeenTile {
        quad,
        score: 0.95,
        inside: 1.0,
        faces,
        turns: [1.0, 0.0, 0.0, 0.0],
        red: 0.0,
        likeness: None,
    }
}

fn sheet(rows: &[&str]) -> Vec<SeenTile> {
    let rows = rows.iter().enumerate();
    let tiles = rows.flat_map(|(row, codes)| {
        let codes = codes.split_whitespace().enumerate();
        codes.map(move |(column, code)| tile(row, column, code, 0.9)).collect::<Vec<_>>()
    });
    tiles.collect()
}

fn names(sheet: &SetSheet) -> Vec<String> {
    let row = |row: &Vec<ProposedTile>| {
        let names =
            row.iter().map(|tile| tile.label.as_ref().map_or("-".into(), |it| it.to_string()));
        names.collect::<Vec<String>>().join(" ")
    };
    sheet.rows().iter().map(row).collect()
}

const WHOLE: [&str; 6] = [
    "1m 2m 3m 4m 5m 6m 7m 8m 9m",
    "1p 2p 3p 4p 5p 6p 7p 8p 9p",
    "1s 2s 3s 4s 5s 6s 7s 8s 9s",
    "E S W N C F P",
    "f1 f2 f3 f4 s1 s2 s3 s4",
    "back back",
];

#[test]
fn a_whole_sheet_is_named_by_its_order() {
    let found = SetSheet::new(&sheet(&WHOLE)).expect("tiles");
    assert_eq!(names(&found), WHOLE);
    assert_eq!(found.open(), []);
    assert_eq!(found.labelled().len(), 44);
}

#[test]
fn tiles_unknown_to_the_network_are_named_by_their_place() {
    // Words in Latin letters look like characters, a six like a four, the back like a dragon.
    let seen = [
        "1m 2m 3m 4m 5m 6m 7m 8m 9m",
        "1p 2p 3p 4p 5p 6p 7p 8p 9p",
        "1s 2s 3s 4s 5s 4s 7s 8s 9s",
        "E S W N C F 8s",
        "4m 7p f3 1p s1 9s s3 s4",
        "P P",
    ];
    let found = SetSheet::new(&sheet(&seen)).expect("tiles");
    assert_eq!(names(&found), WHOLE);
    // Rows of which the network knows half are trusted, the backs are asked about.
    assert_eq!(found.open(), [(5, 0), (5, 1)]);
}

#[test]
fn faces_may_be_missing_or_lie_there_several_times() {
    let rows = ["1m 1m 2m 2m 4m 4m", "1p 2p 3p 5p 6p 7p 8p 9p", "E S W N C F P", "back"];
    let found = SetSheet::new(&sheet(&rows)).expect("tiles");
    assert_eq!(names(&found), rows);
    assert_eq!(found.open(), []);
}

#[test]
fn a_whole_row_is_named_as_one_even_where_the_network_says_otherwise() {
    let seen = ["1m 2m 3m 4m 5m 6m 7m 8m 9m", "f1 f2 f3 f4 s2 s2 s3 s4"];
    let found = SetSheet::new(&sheet(&seen)).expect("tiles");
    assert_eq!(names(&found), [WHOLE[0], WHOLE[4]]);
    assert_eq!(found.open(), [(1, 4)], "or it is a second tile of the same face");
}

#[test]
fn names_that_are_given_count() {
    let mut found = SetSheet::new(&sheet(&["1m 2m 3m", "E S"])).expect("tiles");
    let parse = |text: &str| SheetNames::parse(text).expect(text);
    let counts = [
        ("1m 2m 3m", SheetError::Rows { named: 1, found: 2 }),
        ("1m 2m\nE S", SheetError::Row { row: 1, named: 2, found: 3 }),
        ("1m 2m 3m\nE S W", SheetError::Row { row: 2, named: 3, found: 2 }),
    ];
    for (text, error) in counts {
        assert_eq!(found.name_all(parse(text)), Err(error), "{text}");
    }
    let text = "# from left to right\n1m - extra:joker\n\nE f2 # a flower";
    found.name_all(parse(text)).expect("as many");
    assert_eq!(names(&found), ["1m - extra:joker", "E f2"]);
    assert_eq!(found.labelled().len(), 4);
    let wrong = SheetNames::parse("1m\n2x").expect_err("no face");
    assert_eq!(wrong, SheetError::Name { row: 2, name: "2x".to_owned() });
    assert!(wrong.to_string().starts_with("`2x` in row 2 is not a face"), "{wrong}");
    assert_eq!(SetSheet::new(&[]).expect_err("nothing"), SheetError::NoTiles);
}
