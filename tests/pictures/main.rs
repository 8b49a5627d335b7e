//! Pictures of every hand of the corpus: each shows exactly the tiles of its hand, and its total.

#[path = "../support/mcr_rows.rs"]
mod mcr_rows;

use tilesight_core::explain::Lang;
use tilesight_core::hand::HandSetup;
use tilesight_core::rules::Book;
use tilesight_core::tiles::Counts;
use tilesight_pictures::picture::Picture;

use crate::mcr_rows::corpus;

#[test]
fn every_picture_shows_the_tiles_of_its_hand() {
    let (mut failures, book) = (Vec::new(), Book::shipped());
    for row in corpus() {
        let (hand, context) = (row.row.hand(), row.row.context());
        let score = book.usual().score(&hand, &context).expect("a winning hand");
        let setup = HandSetup::from(&hand);
        let (ruleset, lang) = (book.usual(), Lang::En);
        let (setup, context, score) = (&setup, &context, &score);
        let (assumed, range) = (&[], None);
        let picture = Picture { setup, context, assumed, score, range, ruleset, lang };
        let svg = picture.svg();
        let codes = codes_of_the_hand(&svg);
        let shown: Counts = codes.iter().filter_map(|code| code.parse().ok()).collect();
        let concealed_kongs = setup.melds.iter().filter(|meld| meld.is_concealed());
        let mut expected = hand.all();
        for kong in concealed_kongs.clone() {
            // Two of its tiles are face down.
            let both = expected.remove(kong.first_tile()).and(expected.remove(kong.first_tile()));
            both.expect("a kong has four tiles");
        }
        let backs = codes.iter().filter(|&&code| code == "back").count();
        let total = format!(">{}</text>", score.total);
        if shown != expected || backs != 2 * concealed_kongs.count() || !svg.contains(&total) {
            failures.push(format!("{codes:?} {row:?}"));
        }
    }
    assert!(failures.is_empty(), "{} pictures differ:\n{}", failures.len(), failures.join("\n"));
}

/// Returns the codes of the tiles within the group `hand`, in order.
fn codes_of_the_hand(svg: &str) -> Vec<&str> {
    let hand = svg.split_once(r#"<g id="hand""#).and_then(|(_, rest)| rest.split_once("</g>"));
    let (hand, _) = hand.expect("the group of the hand");
    let uses = hand.split(r##"href="#"##).skip(1);
    uses.filter_map(|text| text.split_once('"')).map(|(code, _)| code).collect()
}
