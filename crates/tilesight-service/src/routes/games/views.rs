//! The forms in which games are serialized: JSON for players and viewers, and files for
//! spreadsheets.

use tilesight_core::evening::Game;
use tilesight_core::explain::Lang;
use tilesight_jobs::evenings::StoredEvening;
use tilesight_jobs::score_sheet::{ScoreSheetError, score_sheet};
use tilesight_jobs::table_file::SheetFormat;

use crate::answer::failure::Failure;
use crate::routes::journals::views::{Audience, View, Viewed};

/// Audience or format for which a game is serialized.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::routes) enum GameForm {
    /// JSON.
    Json(Audience),
    /// File for spreadsheets.
    File(SheetFormat),
}

impl From<Audience> for GameForm {
    fn from(audience: Audience) -> GameForm {
        GameForm::Json(audience)
    }
}

impl Viewed for Game {
    type Form = GameForm;

    fn lang_of(form: GameForm, lang: Lang) -> Lang {
        match form {
            GameForm::Json(_) => lang,
            GameForm::File(_) => Lang::default(),
        }
    }

    fn view(found: &StoredEvening, form: GameForm, lang: Lang) -> Result<View, Failure> {
        let view = match form {
            GameForm::Json(Audience::Players) => found.view(lang)?,
            GameForm::Json(Audience::Onlookers) => found.view_of_onlookers(lang)?,
            GameForm::File(format) => {
                let file = score_sheet(&found.document.journal, format).map_err(failure_of)?;
                return Ok(View::file(file));
            }
        };
        Ok(View::json("game", found.revision, &view))
    }
}

/// Returns the failure of a file that could not be written.
fn failure_of(error: ScoreSheetError) -> Failure {
    match error {
        ScoreSheetError::Game(error) => error.into(),
        other => Failure::Internal { cause: other.to_string() },
    }
}
