//! `POST /v1/games/{id}/hands`: a photo of the hand that won the next deal.
//!
//! The game knows rule set, round and seats; beside the photo only who won, and who discarded, is told. A
//! reading that is sure is entered at once. A doubtful one is answered like any other and nothing is
//! entered: whoever looked at it enters the hand as a change.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use tokio::time::timeout;
use utoipa::ToSchema;

use super::change::{key, now, seen, status};
use super::{GameInPath, revised};
use crate::contract::{
    ContextDto, HandInput, Problem, ReadingDto, RequestFault, ScoreRequest, SeatPhoto,
    object_or_null, read_json,
};
use crate::game::{
    Action, GameError, GameView, HandText, Meta, OtherPlayerDto, Play, Player, Win, WinDto,
};
use crate::games::StoredGame;
use crate::http::Service;
use crate::http::body::{receive, refuse};
use crate::http::client::Client;
use crate::http::failure::Failure;
use crate::http::hands;
use crate::http::language;
use crate::http::openapi::{BodyRefusals, Language, Unavailable};
use crate::http::request_id::RequestId;
use crate::http::upload::{broken_form, part, parts, small_part};
use crate::pipeline::Status;

/// Who won the hand in a photo, and how.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct WonPhoto {
    /// Who won.
    winner: Player,
    /// Who discarded the winning tile; absent on a self-draw.
    discarder: Option<Player>,
    /// The circumstances beside seat, round, rule set and discarder.
    #[serde(default, deserialize_with = "object_or_null")]
    #[schema(value_type = Option<ContextDto>)]
    context: ContextDto,
    /// The hands of those who did not win, where the rules score every player.
    #[serde(default)]
    #[schema(required = false)]
    others: Vec<OtherPlayerDto>,
    /// Who enters it, as they call themselves.
    #[schema(max_length = 40)]
    by: Option<String>,
}

/// The form of a photo for a game.
#[derive(ToSchema)]
#[allow(dead_code, reason = "describes the form")]
struct WonPhotoForm {
    /// The photo.
    #[schema(value_type = String, format = Binary)]
    photo: Bytes,
    /// Who won, as JSON.
    win: WonPhoto,
}

/// What became of a photo.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct HandTaken {
    /// The id of the request.
    request_id: String,
    /// Whether the hand was entered. A doubtful reading is not.
    added: bool,
    /// The reading; `null` where this request was answered before.
    reading: Option<ReadingDto>,
    /// The game as it stands.
    game: GameView,
}

/// Enters the next deal by a photo of the hand that won.
#[utoipa::path(post, path = "/v1/games/{id}/hands", tag = "games", operation_id = "add_photo",
    params(("id" = String, Path, description = "The game."),
        ("If-Match" = String, Header, description = "The revision that the author saw."),
        ("Idempotency-Key" = Option<String>, Header, description = "The same hand with the same key is entered once."), Language),
    request_body(content = WonPhotoForm, content_type = "multipart/form-data"),
    responses((status = 200, body = HandTaken, description = "The reading is doubtful and nothing was entered; or it was before, under the same key."),
        (status = 201, body = HandTaken, description = "The hand was entered."),
        (status = 404, description = "The game does not exist, or belongs to another key.", body = Problem, content_type = "application/problem+json"),
        (status = 409, description = "The game is over.", body = Problem, content_type = "application/problem+json"),
        (status = 412, description = "The game was modified concurrently.", body = Problem, content_type = "application/problem+json"),
        (status = 428, description = "`If-Match` is missing.", body = Problem, content_type = "application/problem+json"),
        BodyRefusals, Unavailable))]
pub(super) async fn photo(
    State(service): State<Service>,
    named: GameInPath,
    id: RequestId,
    request: Request,
) -> Result<Response, Failure> {
    let limit = service.limits().request;
    timeout(limit, take(&service, named, &id, request)).await.unwrap_or(Err(Failure::Overdue))
}

async fn take(
    service: &Service,
    GameInPath(games, found): GameInPath,
    id: &RequestId,
    request: Request,
) -> Result<Response, Failure> {
    let lang = language::preferred(request.headers());
    let (seen, key) = (seen(request.headers())?, key(request.headers())?);
    let client = Client::of(request.extensions());
    let entered =
        service.reader().and_then(|reader| Ok((reader, service.admission().enter(&client)?)));
    let (reader, place) = match entered {
        Ok(entered) => entered,
        Err(failure) => {
            refuse(request, service.limits());
            return Err(failure);
        }
    };
    let (photo, won) = received(request, service).await?;
    let answer = async |status, added, reading, found: StoredGame| {
        let revision = found.revision;
        let game = games.store.compute(move || found.view(lang)).await??;
        let request_id = id.as_str().to_owned();
        let taken = HandTaken { request_id, added, reading, game };
        Ok::<_, Failure>((status, revised(revision), Json(taken)).into_response())
    };
    if key.as_deref().is_some_and(|key| found.document.game.knows(key)) {
        return answer(StatusCode::OK, true, None, found).await;
    }
    if !seen.allows(found.revision) {
        return Err(Failure::StaleGame);
    }
    let WonPhoto { winner, discarder, context, others, by } = won;
    // Only the tiles are missing now: the game knows the rest.
    let hand = HandInput::Notation(String::new());
    let win = Win::try_from(WinDto { winner, discarder, hand, context, others })?;
    let (found, win, asked) = games
        .store
        .compute(move || {
            let asked = found.document.game.win_context(&win)?.setup;
            Ok::<_, GameError>((found, win, asked))
        })
        .await??;
    let ruleset = found.document.game.ruleset();
    let slot = place.slot(&photo).await?;
    let photo = SeatPhoto { place: None, photo, context: asked, options: ruleset.into() };
    let (reading, slot) = hands::read_in(service, slot, reader, photo).await?;
    if reading.status == Status::NoHand {
        return Err(Problem::no_hand(&reading).into());
    }
    drop(slot);
    let told = ReadingDto::new(&reading, lang);
    if reading.status != Status::Ok || told.score.is_none() {
        return answer(StatusCode::OK, false, Some(told), found).await;
    }
    let hand = HandText::try_from(HandInput::Object(told.hand.clone()))?;
    let play = Play::Win(Win { hand, ..win });
    let meta = Meta { at: now(), by, key };
    let adding = games.store.change(found, seen, meta, Action::Add { play, before: None });
    let (found, new) = adding.await?;
    answer(status(new), true, Some(told), found).await
}

/// The photo and who won, out of the form.
async fn received(request: Request, service: &Service) -> Result<(Bytes, WonPhoto), Failure> {
    let limits = service.limits();
    receive(request, limits, limits.body_bytes, async |request| {
        let mut form = parts(request).await?;
        let (mut photo, mut won) = (None, None);
        while let Some(field) =
            form.next_field().await.map_err(|error| broken_form(&error, limits))?
        {
            match field.name() {
                Some("photo") if photo.is_none() => photo = Some(part(field, limits).await?),
                Some("win") if won.is_none() => {
                    let text = small_part("win", field, ScoreRequest::MAX_BYTES, limits).await?;
                    won = Some(read_json::<WonPhoto>(&text, "win")?);
                }
                _ => {
                    let detail = "the form has the parts `photo` and `win`, each once";
                    return Err(Failure::bad_request("body", detail));
                }
            }
        }
        let photo = photo.filter(|photo| !photo.is_empty());
        let photo = photo.ok_or_else(|| Failure::invalid("photo", &RequestFault::PartMissing))?;
        let won = won.ok_or_else(|| Failure::invalid("win", &RequestFault::PartMissing))?;
        Ok((photo, won))
    })
    .await
}
