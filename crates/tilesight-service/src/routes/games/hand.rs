//! `POST /v1/games/{id}/hands` takes a photo of the hand that won the next deal, and photos of the
//! other players' hands.
//!
//! The game knows the rule set, the round and the seats; beside the photos a form states only who
//! won, who discarded, and whose hand each photo shows. Sure readings are entered at once. Doubtful
//! readings are returned like any other, but nothing is entered: a person checks them and enters
//! the hands as a change.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use tilesight_core::contract::{
    ContextDto, HandField, HandInput, OtherInRequest, PhotoFields, Problem, RequestFault,
    ScoreRequest, SetChoice, merge_values, object_or_null, read_json,
};
use tilesight_core::evening::{
    Action, Deal, GameError, GameView, HandText, Meta, Other, OtherPlayerDto, Play, Player, Win,
    WinDto,
};
use tilesight_core::notation::Notation;
use tilesight_core::rules::Book;
use tilesight_jobs::evenings::{EveningStoreError, StoredEvening};
use tilesight_vision::Status;
use tilesight_vision::contract::{
    AnswerDto, CompactOtherDto, CompactReadingDto, Detail, OtherReadingDto, ReadingDto, TablePlan,
    TableRequest,
};
use utoipa::ToSchema;

use super::Games;
use crate::Limits;
use crate::answer::failure::Failure;
use crate::answer::json::WrittenJson;
use crate::answer::language::Language;
use crate::guard::admission::WorkSize;
use crate::input::body::limit_body;
use crate::input::form::{MultipartForm, Part, receive_form};
use crate::input::idempotency_key::parse_key;
use crate::input::query::{DETAIL, DetailInQuery, Query, SET, SetInQuery, parse_value};
use crate::input::upload::UploadHead;
use crate::openapi::{BodyRefusals, GameChangeRefusals, NoRoom};
use crate::routes::caller::Caller;
use crate::routes::hands::{ReadTable, read_table};
use crate::routes::journals::{InPath, now, precondition, revision_headers, status};
use crate::routes::sets;

/// Win that a photo shows: the winner, the discarder, and the context.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct WonPhoto {
    /// Player who won.
    winner: Player,
    /// Player who discarded the winning tile; absent on a self-draw.
    discarder: Option<Player>,
    /// Whether the hand won on the discard of the entry before, beside its winner, where the rules
    /// allow several winners.
    #[serde(default)]
    #[schema(required = false)]
    same_discard: bool,
    /// Player who sits East, where the opened wall gives the winds; the dealer when absent.
    east: Option<Player>,
    /// Player who let the set be called that makes them liable for the hand.
    liable: Option<Player>,
    /// Win context, without seat, round, rule set and discarder.
    #[serde(default, deserialize_with = "object_or_null")]
    #[schema(value_type = Option<ContextDto>)]
    context: ContextDto,
    /// Hands of the players who did not win, where the rules score every player.
    #[serde(default)]
    #[schema(required = false)]
    others: Vec<OtherPlayerDto>,
    /// Name of the person who enters the win, as they call themselves.
    #[schema(max_length = 40)]
    by: Option<String>,
}

/// Form with photos for a game.
#[derive(Default, ToSchema)]
struct WonPhotoForm {
    /// Photo of the hand that won.
    #[schema(value_type = String, format = Binary, min_length = 1, required = true)]
    photo: Option<Bytes>,
    /// Photo of the hand of player 0, who did not win, where the rules score every player.
    #[schema(value_type = String, format = Binary, min_length = 1, required = false)]
    photo_0: Option<Bytes>,
    /// Photo of the hand of player 1.
    #[schema(value_type = String, format = Binary, min_length = 1, required = false)]
    photo_1: Option<Bytes>,
    /// Photo of the hand of player 2.
    #[schema(value_type = String, format = Binary, min_length = 1, required = false)]
    photo_2: Option<Bytes>,
    /// Photo of the hand of player 3.
    #[schema(value_type = String, format = Binary, min_length = 1, required = false)]
    photo_3: Option<Bytes>,
    /// The win, as JSON.
    #[schema(value_type = WonPhoto, required = true)]
    win: Option<WonPhoto>,
    /// Level of detail of the readings in the answer; `full` when absent.
    #[schema(value_type = Detail, required = false)]
    detail: Option<Detail>,
    /// Own set that the tiles are named with: its name, or `auto` for the set that explains each
    /// photo best.
    #[schema(value_type = SetChoice, required = false)]
    set: Option<SetChoice>,
}

/// Result of sending photos to a game.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct GameHandAnswer {
    /// Id of the request.
    request_id: String,
    /// Whether the hand was entered. A doubtful reading is not entered.
    added: bool,
    /// Reading of the hand that won; `null` if this request was answered before.
    reading: Option<ReadingDto>,
    /// Readings of the photos of other players' hands, by seat, if any were sent.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    others: Vec<OtherReadingDto>,
    /// Reliability of the whole table, if other players' hands were sent; `ok` if every reading is
    /// `ok`.
    #[serde(skip_serializing_if = "Option::is_none")]
    table_status: Option<Status>,
    /// Current game.
    game: GameView,
}

/// Result of sending photos to a game, with `detail=compact`.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct CompactGameHandAnswer {
    /// Id of the request.
    request_id: String,
    /// Whether the hand was entered. A doubtful reading is not entered.
    added: bool,
    /// Reading of the hand that won; `null` if this request was answered before.
    reading: Option<CompactReadingDto>,
    /// Readings of the photos of other players' hands, by seat, if any were sent.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    others: Vec<CompactOtherDto>,
    /// Reliability of the whole table, if other players' hands were sent; `ok` if every reading is
    /// `ok`.
    #[serde(skip_serializing_if = "Option::is_none")]
    table_status: Option<Status>,
    /// Current game.
    game: GameView,
}

/// Result with the requested level of detail.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
#[allow(clippy::large_enum_variant, reason = "it is written at once")]
enum HandAnswer {
    Full(GameHandAnswer),
    Compact(CompactGameHandAnswer),
}

/// Enters the next deal by a photo of the hand that won, and by photos of the other players' hands
/// where the rules score every player.
#[utoipa::path(post, path = "/v1/games/{id}/hands", tag = "games", operation_id = "add_photo",
    params(("id" = String, Path, description = "The game."),
        ("If-Match" = String, Header, description = "The revision that the author saw."),
        ("Idempotency-Key" = Option<String>, Header, description = "The same hand with the same key is entered once."), DetailInQuery, SetInQuery, Language),
    request_body(content = WonPhotoForm, content_type = "multipart/form-data"),
    responses((status = 200, body = inline(HandAnswer), description = "The reading is doubtful and nothing was entered; or it was before, under the same key."),
        (status = 201, body = inline(HandAnswer), description = "The hand was entered."),
        BodyRefusals, GameChangeRefusals, NoRoom))]
pub(super) async fn photo(
    named: InPath<Games>,
    caller: Caller,
    request: Request,
) -> Result<Response, Failure> {
    caller.service.in_time(enter_photo(named, &caller, request)).await
}

async fn enter_photo(
    InPath(games, found): InPath<Games>,
    caller: &Caller,
    request: Request,
) -> Result<Response, Failure> {
    let Caller { service, turns, .. } = caller;
    let lang = caller.lang;
    let seen = precondition(request.headers())?;
    let key = parse_key(request.headers())?;
    let Query((DetailInQuery { detail }, SetInQuery { set })) = Query::from_uri(request.uri())?;
    let UploadHead { bodies, limits, .. } = UploadHead::from_request(&request, service.limits());
    let (reader, permit, request) = service.admit(request, bodies, &limits)?;
    let mut form = receive_hand(request, &limits).await?;
    form.set = merge_values(SET, form.set, set)?;
    let detail = merge_values(DETAIL, form.detail, detail)?.unwrap_or_default();
    let writer = AnswerWriter { caller, detail };
    if key.as_deref().is_some_and(|key| found.document.journal.knows(key)) {
        return writer.write(StatusCode::OK, true, None, found).await;
    }
    if !seen.allows(found.revision) {
        return Err(Failure::StaleGame);
    }
    let by = form.win.by.clone();
    let reader = sets::reader_for(service, reader, turns, form.set.as_ref()).await?;
    reader.sets().check(form.set.as_ref()).map_err(|error| Problem::from(&error))?;
    let book = Arc::clone(service.book());
    let planned = turns.compute(WorkSize::Sheet, move || {
        let table = form.table(&found, &book)?;
        Ok::<_, Failure>((found, table))
    });
    let (found, (table, win, deal)) = planned.await??;
    let read = read_table(service, &reader, permit, table).await?;
    let ReadTable { table, rulesets, worker, .. } = read;
    let answered = worker.run(move || {
        AnswerDto::from_table(&table, rulesets.as_deref(), reader.model().manifest(), &[], lang)
    });
    let (read, _) = answered.await?;
    if !is_sure(&read) {
        return writer.write(StatusCode::OK, false, Some(read), found).await;
    }
    let play = Play::Win(with_hands(win, &read, &deal)?);
    let meta = Meta { at: now(), by, key };
    let action = Action::Add { play, before: None };
    let changed = turns.use_store(games.store.change(found.clone(), seen, meta, action)).await;
    match changed {
        Ok((found, new)) => writer.write(status(new), true, Some(read), found).await,
        // Sure readings can contradict each other if no score depends on the difference, such as
        // two hands with the same flower.
        Err(EveningStoreError::Refused(GameError::Hand { .. })) if !read.others.is_empty() => {
            writer.write(StatusCode::OK, false, Some(read), found).await
        }
        Err(error) => Err(error.into()),
    }
}

/// Writer of the answer to a request, with what each of its answers has in common.
struct AnswerWriter<'a> {
    caller: &'a Caller,
    detail: Detail,
}

impl AnswerWriter<'_> {
    /// Writes what was read, and the current game.
    async fn write(
        &self,
        status: StatusCode,
        added: bool,
        read: Option<AnswerDto>,
        found: StoredEvening,
    ) -> Result<Response, Failure> {
        let revision = found.revision;
        let request_id = self.caller.request_id();
        let lang = self.caller.lang;
        let detail = self.detail;
        let written = self.caller.turns.compute(WorkSize::Sheet, move || {
            let game = found.view(lang)?;
            let taken = GameHandAnswer::new(request_id, added, read, game);
            Ok::<_, GameError>(WrittenJson::new(&taken.cut(detail)))
        });
        let body = written.await??;
        Ok((status, revision_headers(revision), body).into_response())
    }
}

/// Returns whether all readings can be entered without a person checking them.
fn is_sure(read: &AnswerDto) -> bool {
    let table = read.table_status.unwrap_or(Status::Ok);
    read.reading.status == Status::Ok && table == Status::Ok && read.reading.score.is_some()
}

/// Returns the win with the hands that were read in photos.
fn with_hands(win: Win, read: &AnswerDto, deal: &Deal) -> Result<Win, GameError> {
    let supposed = supposed_hand(&read.reading);
    let winning_tile_supposed = supposed.is_some();
    let hand = supposed.map_or_else(|| text_of(&read.reading), HandText::try_from)?;
    let mut others = win.others;
    for other in &read.others {
        let player = deal.player_at(other.seat);
        others.push(Other { player, hand: text_of(&other.reading)? });
    }
    Ok(Win { hand, winning_tile_supposed, others, ..win })
}

fn text_of(reading: &ReadingDto) -> Result<HandText, GameError> {
    HandText::try_from(HandInput::Object(reading.hand.clone()))
}

/// Returns the hand with the winning tile that its score supposes; `None` if the photo shows which
/// tile won.
fn supposed_hand(reading: &ReadingDto) -> Option<Notation> {
    let tile = reading.supposed_winning_tile.as_ref()?.parse().ok()?;
    let setup = HandInput::Object(reading.hand.clone()).setup().ok()?;
    setup.won_by(tile).map(Notation::from_hand)
}

impl GameHandAnswer {
    fn new(
        request_id: String,
        added: bool,
        read: Option<AnswerDto>,
        game: GameView,
    ) -> GameHandAnswer {
        let (reading, others, table_status) = match read {
            Some(read) => (Some(read.reading), read.others, read.table_status),
            None => (None, Vec::new(), None),
        };
        GameHandAnswer { request_id, added, reading, others, table_status, game }
    }

    fn cut(self, detail: Detail) -> HandAnswer {
        if detail == Detail::Full {
            return HandAnswer::Full(self);
        }
        let GameHandAnswer { request_id, added, reading, others, table_status, game } = self;
        let reading = reading.map(CompactReadingDto::from);
        let others = others.into_iter().map(CompactOtherDto::from).collect();
        HandAnswer::Compact(CompactGameHandAnswer {
            request_id,
            added,
            reading,
            others,
            table_status,
            game,
        })
    }
}

/// Content of the form of a request.
struct HandForm {
    /// Photo of the hand that won.
    photo: Bytes,
    /// Photos of the other hands, by player.
    others: Vec<(Player, Bytes)>,
    win: WonPhoto,
    detail: Option<Detail>,
    set: Option<SetChoice>,
}

impl HandForm {
    /// Returns the photos to be read, the win without the hands in them, and the deal that was won.
    fn table(
        self,
        found: &StoredEvening,
        book: &Book,
    ) -> Result<(TablePlan<Bytes>, Win, Deal), Failure> {
        let HandForm { photo, others: photos, win, set, .. } = self;
        let WonPhoto {
            winner, discarder, same_discard, east, liable, context, others: typed, ..
        } = win;
        let game = &found.document.journal;
        // The photo supplies the hand; the game knows the rest.
        let hand = HandInput::Notation(String::new());
        let others = typed.clone();
        let win = Win::try_from(WinDto {
            winner,
            discarder,
            same_discard,
            east,
            liable,
            hand,
            winning_tile_supposed: false,
            context,
            others,
        })?;
        let deal = game.deal_won(&win)?;
        let mut others = others_of_photos(&deal, photos);
        others.extend(typed.iter().enumerate().map(|(at, other)| typed_other(&deal, at, other)));
        let context = game.win_context(&win, &deal)?;
        let fields = PhotoFields { set, ..PhotoFields::from(context) };
        let table = TableRequest { fields, others, ..TableRequest::from_photo(photo) };
        Ok((table.plan(book)?, win, deal))
    }
}

fn others_of_photos(deal: &Deal, photos: Vec<(Player, Bytes)>) -> Vec<OtherInRequest<Bytes>> {
    let sent = photos.into_iter().map(|(player, photo)| {
        OtherInRequest::photo(HandField::Player(player.index()), deal.seat_of(player), photo)
    });
    sent.collect()
}

fn typed_other(deal: &Deal, at: usize, other: &OtherPlayerDto) -> OtherInRequest<Bytes> {
    let seat = deal.seat_of(other.player);
    OtherInRequest::from_typed(HandField::OfWin(at), seat, other.hand.clone())
}

/// Names of the parts that a form may have.
const PARTS: [&str; 8] = ["photo", "photo_0", "photo_1", "photo_2", "photo_3", "win", DETAIL, SET];

/// Receives the form of a request, within the limits.
async fn receive_hand(mut request: Request, limits: &Limits) -> Result<HandForm, Failure> {
    limit_body(&mut request, limits.body_bytes);
    receive_form::<WonPhotoForm>(request, limits).await?.finish()
}

impl MultipartForm for WonPhotoForm {
    async fn read(&mut self, part: Part<'_>) -> Result<(), Failure> {
        let name = part.name().to_owned();
        match name.as_str() {
            "photo" => self.photo = Some(part.photo().await?),
            "photo_0" => self.photo_0 = Some(part.photo().await?),
            "photo_1" => self.photo_1 = Some(part.photo().await?),
            "photo_2" => self.photo_2 = Some(part.photo().await?),
            "photo_3" => self.photo_3 = Some(part.photo().await?),
            "win" => {
                let win = part.bytes(ScoreRequest::MAX_BYTES).await?;
                self.win = Some(read_json(&win, "win")?);
            }
            DETAIL => {
                let level = part.text(ScoreRequest::MAX_BYTES).await?;
                self.detail = Some(parse_value(DETAIL, &level)?);
            }
            SET => {
                let name = part.text(ScoreRequest::MAX_BYTES).await?;
                self.set = Some(parse_value(SET, &name)?);
            }
            _ => return Err(part.unknown(&PARTS)),
        }
        Ok(())
    }
}

impl WonPhotoForm {
    /// Checks that no part is missing or empty.
    fn finish(self) -> Result<HandForm, Failure> {
        let mut others = Vec::new();
        let photos = [self.photo_0, self.photo_1, self.photo_2, self.photo_3];
        for (player, photo) in Player::ALL.into_iter().zip(photos) {
            let Some(photo) = photo else { continue };
            if photo.is_empty() {
                let name = HandField::Player(player.index()).photo();
                return Err(Failure::invalid(&name, &RequestFault::EmptyPhoto));
            }
            others.push((player, photo));
        }
        let photo = self.photo.filter(|photo| !photo.is_empty()).ok_or_else(|| missing("photo"))?;
        let win = self.win.ok_or_else(|| missing("win"))?;
        Ok(HandForm { photo, others, win, detail: self.detail, set: self.set })
    }
}

fn missing(part: &str) -> Failure {
    Failure::invalid(part, &RequestFault::PartMissing)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use axum::body::Body;
    use axum::extract::Request;
    use axum::http;
    use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, IF_MATCH};
    use tilesight_jobs::EmbeddedStore;
    use tilesight_jobs::evenings::EveningStore;
    use tilesight_vision::Reader;
    use tilesight_vision::networks::fake::PaintedModel;

    use crate::routes::games::Games;
    use crate::testing::{Answer, learn_set, limits, photo, post_json, send};
    use crate::{JobLimits, Jobs, Keys, NewKey, Service};

    const BOUNDARY: &str = "photo-of-a-hand";
    /// Seven pairs, which score the same whichever tile won.
    const SURE: &str = "2m 2m 4m 4m 6p 6p 2p 2p 6s 6s 7s 7s 5s 5s";
    /// Hand whose score depends on the winning tile, which the photo does not show.
    const DOUBTFUL: &str = "1m 2m 3m 4m 5m 6m 7m 8m 9m 1p 1p F F F";

    /// A win of the second player by the first one's discard.
    const WIN: &str = r#"{ "winner": 1, "discarder": 0 }"#;

    fn form(photo: &[u8], win: &str) -> Body {
        form_with(photo, win, None)
    }

    /// Returns a form with a further field, given by its name and value.
    fn form_with(photo: &[u8], win: &str, field: Option<(&str, &str)>) -> Body {
        let photo_head = part_head("\"photo\"; filename=\"hand.png\"");
        let win = format!("\r\n{}{win}\r\n", part_head("\"win\""));
        let field =
            field.map(|(name, value)| format!("{}{value}\r\n", part_head(&format!("\"{name}\""))));
        let end = format!("{win}{}--{BOUNDARY}--\r\n", field.unwrap_or_default());
        Body::from([photo_head.as_bytes(), photo, end.as_bytes()].concat())
    }

    /// Returns the head of a part, with its name and what follows it.
    fn part_head(name: &str) -> String {
        format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name={name}\r\n\r\n")
    }

    /// Returns a request that enters the hand of a form.
    fn entry(place: &str, query: &str) -> http::request::Builder {
        Request::post(format!("{place}{query}"))
            .header(CONTENT_TYPE, format!("multipart/form-data; boundary={BOUNDARY}"))
            .header(IF_MATCH, "*")
    }

    /// New game with its service.
    struct Evening {
        service: Service,
        _folder: tempfile::TempDir,
        place: String,
    }

    impl Evening {
        async fn new() -> Evening {
            let folder = tempfile::tempdir().unwrap();
            let store = EveningStore::new(Arc::new(EmbeddedStore::open(folder.path()).unwrap()));
            let service = Service::builder(limits()).games(Arc::new(Games::new(store))).build();
            service.ready(Arc::new(Reader::with_model(PaintedModel::default())));
            let players = r#"{ "players": ["Anna", "Bo", "Clara", "Dorte"] }"#;
            let game = post_json(&service, "/v1/games", players).await;
            let place = format!("/v1/games/{}/hands", game.json["id"].as_str().expect("an id"));
            Evening { service, _folder: folder, place }
        }

        async fn send(&self, query: &str, form: Body) -> Answer {
            let request = entry(&self.place, query).body(form).expect("a request");
            send(&self.service, request).await
        }
    }

    #[tokio::test]
    async fn the_answer_has_as_much_as_is_wanted() {
        let evening = Evening::new().await;
        let doubtful = photo(DOUBTFUL);
        let full = evening.send("", form(&doubtful, WIN)).await;
        assert!(full.json["reading"]["tiles"].is_array(), "{full:?}");
        let read =
            Request::post("/v1/hands?detail=compact&seat=S&prevalent=E&win=discard&from=left");
        let read = read.header(CONTENT_TYPE, "image/png").body(doubtful.clone().into());
        let read = send(&evening.service, read.expect("a request")).await;
        for (query, part) in [("?detail=compact", None), ("", Some(("detail", "compact")))] {
            let compact = evening.send(query, form_with(&doubtful, WIN, part)).await;
            assert_eq!((compact.status.as_u16(), &compact.json["added"]), (200, &false.into()));
            let reading = &compact.json["reading"];
            assert!(reading["tiles"].is_null() && reading["doubts"][0]["box"].is_array());
            for field in ["status", "hand", "score", "doubts", "supposed_winning_tile"] {
                assert_eq!(reading[field], read.json[field], "{field} as for a photo alone");
            }
        }
        let form_of_compact = form_with(&doubtful, WIN, Some(("detail", "compact")));
        let differing = evening.send("?detail=full", form_of_compact).await;
        differing.is_problem(422, "invalid-context");
        for (query, part, field) in [
            ("?detail=short", None, "detail"),
            ("", Some(("detail", "short")), "detail"),
            ("?detial=compact", None, "detial"),
        ] {
            let refused = evening.send(query, form_with(&doubtful, WIN, part)).await;
            refused.is_problem(400, "malformed-request");
            assert_eq!(refused.json["errors"][0]["field"], field);
        }
        let sure = evening.send("?detail=compact", form(&photo(SURE), WIN)).await;
        assert_eq!((sure.status.as_u16(), &sure.json["added"]), (201, &true.into()), "{sure:?}");
        assert!(sure.json["reading"]["tiles"].is_null() && sure.json["game"]["rows"].is_array());
    }

    /// Seven pairs score the same whichever tile won, so the reading is sure, although no tile lies
    /// apart.
    #[tokio::test]
    async fn a_winning_tile_that_is_supposed_is_kept_as_supposed() {
        let evening = Evening::new().await;
        let taken = evening.send("", form(&photo(SURE), WIN)).await;
        assert_eq!(taken.status, 201, "{taken:?}");
        let supposed = taken.json["reading"]["supposed_winning_tile"].as_str().expect("supposed");
        let play = &taken.json["game"]["rows"][0]["play"];
        assert_eq!(play["winning_tile_supposed"], true, "{play}");
        let hand = play["hand"].as_str().expect("notation");
        assert!(hand.ends_with(supposed), "{hand} by {supposed}");
    }

    /// A key's client, and the address where it enters hands of a game.
    struct KeyedEvening {
        service: Service,
        bearer: String,
        place: String,
    }

    impl KeyedEvening {
        async fn ask(&self, request: http::request::Builder, body: Body) -> Answer {
            let request = request.header(AUTHORIZATION, &self.bearer).body(body);
            send(&self.service, request.expect("a request")).await
        }

        /// Enters a sure hand, to be read with an own set.
        async fn enter(&self, query: &str, set: Option<&str>) -> Answer {
            let form = form_with(&photo(SURE), WIN, set.map(|set| ("set", set)));
            self.ask(entry(&self.place, query), form).await
        }
    }

    #[tokio::test]
    async fn a_hand_is_read_with_the_set_that_its_key_uploaded() {
        let folder = tempfile::tempdir().unwrap();
        let store = Arc::new(EmbeddedStore::open(folder.path()).unwrap());
        let key = NewKey::generate(&"club".parse().unwrap(), None, None).unwrap();
        let jobs = Jobs::new(store.backend(), JobLimits::default(), folder.path());
        let service = Service::builder(limits())
            .keys(Keys::read(&key.line, limits().key_rate).unwrap())
            .games(Arc::new(Games::new(EveningStore::new(store))))
            .jobs(Arc::new(jobs))
            .build();
        service.ready(Arc::new(Reader::with_model(PaintedModel::default())));
        let bearer = format!("Bearer {}", key.secret);
        let mut evening = KeyedEvening { service, bearer, place: String::new() };
        let file = learn_set("Home", &photo(SURE)).to_bytes();
        assert_eq!(evening.ask(Request::put("/v1/sets/Home"), file.into()).await.status, 201);
        let players = r#"{ "players": ["Anna", "Bo", "Clara", "Dorte"] }"#;
        let new = Request::post("/v1/games").header(CONTENT_TYPE, "application/json");
        let game = evening.ask(new, players.into()).await;
        let id = game.json["id"].as_str().expect("an id");
        evening.place = format!("/v1/games/{id}/hands");
        for (query, part) in [("", Some("Home")), ("?set=Home", None), ("?set=auto", Some("auto"))]
        {
            let taken = evening.enter(query, part).await;
            assert_eq!(taken.status, 201, "{taken:?}");
            assert_eq!(taken.json["reading"]["set"]["used"], "Home", "{query} {part:?}");
        }
        let differing = evening.enter("?set=auto", Some("Home")).await;
        differing.is_problem(422, "invalid-context");
        let unknown = evening.enter("", Some("Away")).await;
        unknown.is_problem(422, "invalid-context");
        assert_eq!(unknown.json["errors"][0]["field"], "set");
        evening.enter("?set=", None).await.is_problem(400, "malformed-request");
    }
}
