//! Evenings: each line is an action in JSON, as `POST /v1/games/ID/changes` accepts it.
//!
//! Laws: an action that is refused changes nothing; after an accepted action there is a sheet whose
//! payments sum to zero; a game that is written and read again is unchanged.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tilesight_core::explain::Lang;
use tilesight_core::evening::{Action, ActionDto, Game, GameRecord, GameView, Meta, csv};
use tilesight_core::rules::Book;

/// Maximum number of actions. Each change computes the whole sheet once more.
const MAX_ACTIONS: usize = 24;

fuzz_target!(|input: &[u8]| {
    let Some((&which, lines)) = input.split_first() else { return };
    let book = Book::shipped();
    let at = usize::from(which) % book.profiles().count();
    let Some(ruleset) = book.profiles().nth(at).cloned() else { return };
    let count = ruleset.rules().seats().winds().len();
    let players = ["Anna", "Bo", "Clara", "Dorte"].map(str::to_owned)[..count].to_vec();
    let Ok(mut game) = Game::new(String::new(), players, ruleset) else { return };
    for line in lines.split(|&byte| byte == b'\n').take(MAX_ACTIONS) {
        let Ok(action) = serde_json::from_slice::<ActionDto>(line) else { continue };
        let Ok(action) = Action::try_from(action) else { continue };
        let before = game.clone();
        match game.apply(Meta::default(), action) {
            Ok(_) => look_at(&game),
            Err(error) => assert_eq!(game, before, "{error}"),
        }
    }
});

fn look_at(game: &Game) {
    let sheet = game.sheet().expect("an applied action leaves a sheet");
    for row in &sheet.rows {
        let sum: i64 = row.payments.iter().copied().map(i64::from).sum();
        assert_eq!(sum, 0, "{:?}", row.play);
    }
    let _ = csv(game).expect("a sheet");
    let _ = GameView::for_onlookers(game, 1, Lang::default()).expect("a sheet");
    let written = serde_json::to_vec(game).expect("its keys are texts");
    let stored: GameRecord = serde_json::from_slice(&written).expect("it was written");
    assert_eq!(stored.open(&Book::shipped()).as_ref(), Ok(game));
}
