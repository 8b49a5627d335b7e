//! JSON of hands: requests to score, corrected readings, several rule sets, lines of manifests.
//!
//! Law: the quick total and the explained score agree, and payments sum to zero.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tilesight_jobs::batch::ManifestLine;
use tilesight_core::contract::{ScoreRequest, SideBySideRequest, find_rulesets, hand_of_reading, side_by_side};
use tilesight_core::explain::Lang;
use tilesight_core::rules::Book;
use tilesight_vision::contract::AnswersRequest;

fuzz_target!(|json: &[u8]| {
    let book = Book::shipped();
    if let Ok(corrected) = AnswersRequest::from_json(json) {
        let _ = hand_of_reading(&corrected.reading.hand);
    }
    if let Ok(asked) = SideBySideRequest::from_json(json) {
        let (request, rulesets) = asked.into_request();
        let rulesets = rulesets.and_then(|list| find_rulesets(&book, &list).ok());
        if let (Ok(prepared), Some(rulesets)) = (request.prepare(&book), rulesets) {
            let _ = side_by_side(&prepared, &rulesets, Lang::default());
        }
    }
    let _ = ManifestLine::parse(json, &book);
    let Ok(prepared) = ScoreRequest::from_json(json).and_then(|request| request.prepare(&book)) else {
        return;
    };
    for ruleset in book.profiles() {
        let counted = ruleset.rules().points(&prepared.hand, &prepared.context);
        let explained = ruleset.score(&prepared.hand, &prepared.context);
        assert_eq!(counted.as_ref().ok(), explained.as_ref().ok().map(|score| &score.total));
    }
    if let Ok(scored) = prepared.score() {
        let payments = scored.score().payments.iter();
        assert_eq!(payments.map(|(_, points)| i64::from(points)).sum::<i64>(), 0);
        let _ = scored.to_dto(Lang::default());
    }
});
