//! Cost of answers to the doubts of a reading (`cargo bench -p tilesight-vision --bench answers`).
//!
//! The readings are generated: a riichi hand of which neither the winning tile nor the win is
//! known, with a few doubts (a body of 1 kB), and with as many doubts and answers as a request may
//! have. One hand wins, the other one has repairs.

use serde_json::json;
use tilesight_core::contract::Scoring;
use tilesight_core::explain::Lang;
use tilesight_core::rules::Book;
use tilesight_core::tile::Tile;
use tilesight_vision::contract::AnswersRequest;

fn main() {
    divan::main();
}

/// Hands of 14 concealed tiles: one that wins, and one that is a tile away from it. Both have a
/// pair of 8 of dots, which any other pair may replace.
const HANDS: [&str; 2] = ["223344556677m88p", "22334455667m9s88p"];

/// Returns a request with a number of doubts about the pair, with a number of answers each.
fn request(hand: &str, doubts: usize, answers: usize) -> String {
    let code = |at: usize| Tile::ALL[9 + at % 25].to_string();
    let doubt = |at: usize| {
        let answer = |answer: usize| {
            let tile = code(at + answer);
            let made = format!("{}{tile}{tile}+?", hand.replace("88p", ""));
            json!({ "answer": tile, "p": 0.1, "total": null, "hand": made })
        };
        let alternatives: Vec<_> = (0..answers).map(answer).collect();
        json!({ "id": format!("tile-{at}"), "kind": "tile", "tiles": [at], "question": at.to_string(),
                "affects_score": true, "alternatives": alternatives })
    };
    let doubts: Vec<_> = (0..doubts).map(doubt).collect();
    let reading = json!({ "hand": { "notation": format!("{hand}+?") }, "doubts": doubts });
    json!({ "reading": reading, "context": { "ruleset": "riichi-tenhou" } }).to_string()
}

#[divan::bench(args = [(0, 3, 3), (1, 3, 3), (0, 21, 24), (1, 21, 24)], sample_count = 5)]
fn answer(bencher: divan::Bencher, (hand, doubts, answers): (usize, usize, usize)) {
    let body = request(HANDS[hand], doubts, answers);
    let book = Book::shipped();
    println!("{} bytes", body.len());
    bencher.bench(|| {
        let request = AnswersRequest::from_json(body.as_bytes()).expect("a request");
        let rulesets = Scoring { context: request.context, rulesets: None }.find(&book);
        request.answer(&request.context, &rulesets.expect("known"), Lang::En).expect("an answer")
    });
}
