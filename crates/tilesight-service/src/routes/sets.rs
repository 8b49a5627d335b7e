//! `GET /v1/sets`: the own sets that photos can be read with; `GET`, `PUT` and `DELETE
//! /v1/sets/{name}`: those that a key uploaded.
//!
//! Input: the file of a set, as the page and `tilesight set learn` write it. Output: the list of
//! the service's sets, which are in a folder, and of the key's own. Invariants: an uploaded set is
//! for its key alone, and takes the place of a set of the service that has its name; a file is
//! stored only after all of it was checked, and after the networks in use could take it.

mod job_sets;
mod uploaded;

use std::sync::Arc;

use axum::Json;
use axum::extract::{Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use tilesight_core::contract::{SetChoice, SetName};
use tilesight_vision::Reader;
use tilesight_vision::contract::{OwnSetDto, OwnSetsDto};
use tilesight_vision::sets::{OwnSet, SetError};

pub(crate) use self::job_sets::JobSets;
use self::uploaded::UploadedSets;
use crate::Service;
use crate::answer::failure::Failure;
use crate::answer::language::Language;
use crate::guard::admission::{Turns, WorkSize};
use crate::guard::client::Client;
use crate::guard::discard::refuse_unless;
use crate::input::body::{is_encoded, receive_bytes};
use crate::input::query::NameInPath;
use crate::input::upload::Photo;
use crate::openapi::{BodyRefusals, NoRoom, OwnSetRefusals, Unavailable};
use crate::routes::caller::Caller;

/// Header of answers that another request may change.
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// Returns the own sets of the service and of the key that asks, of which a request with a photo
/// may name one.
#[utoipa::path(get, path = "/v1/sets", tag = "hands", operation_id = "list_own_sets",
    params(Language), responses(
        (status = 200, body = OwnSetsDto, description = "Every own set; none if the service has no sets."),
        Unavailable))]
pub(crate) async fn list(
    State(service): State<Service>,
    client: Client,
) -> Result<impl IntoResponse, Failure> {
    let mut sets = OwnSetsDto::from(service.reader()?.sets().as_ref());
    if let Ok(uploaded) = UploadedSets::for_client(&service, &client) {
        for set in uploaded.all().await? {
            sets.sets.retain(|shared| shared.name != set.name().as_str());
            sets.sets.push(describe(&set));
        }
        sets.sets.sort_by(|one, other| one.name.cmp(&other.name));
    }
    Ok(([(CACHE_CONTROL, NO_STORE)], Json(sets)))
}

fn describe(set: &OwnSet) -> OwnSetDto {
    OwnSetDto { name: set.name().to_string(), id: set.id().to_string(), uploaded: true }
}

/// Returns the file of a set that was uploaded with this key.
#[utoipa::path(get, path = "/v1/sets/{name}", tag = "hands", operation_id = "get_own_set",
    params(("name" = String, Path, description = "Name of the set."), Language),
    responses((status = 200, content_type = "application/octet-stream", body = Photo, description = "The file, as it was uploaded, with this name."), OwnSetRefusals))]
pub(crate) async fn get(caller: Caller, NameInPath(name): NameInPath) -> Result<Response, Failure> {
    let sets = UploadedSets::for_client(&caller.service, caller.turns.client())?;
    let name: SetName = name.parse().map_err(|_| Failure::NoSuchSet)?;
    let set = sets.get(&name).await?.ok_or(Failure::NoSuchSet)?;
    let kind = HeaderValue::from_static("application/octet-stream");
    Ok(([(CACHE_CONTROL, NO_STORE), (CONTENT_TYPE, kind)], set.to_bytes()).into_response())
}

/// Stores a set for this key, or replaces it.
///
/// The body is the file that the page or `tilesight set learn` made. Photos of this key can name
/// the set in `set`; nobody else sees it. A key may have 16 sets.
#[utoipa::path(put, path = "/v1/sets/{name}", tag = "hands", operation_id = "put_own_set",
    params(("name" = String, Path, description = "Name of the set, of at most 40 characters, whatever name is in the file."), Language),
    request_body(description = "The file of a set.", content((Photo = "application/octet-stream"))),
    responses((status = 200, body = OwnSetDto, description = "The set, which replaced an earlier one."),
        (status = 201, body = OwnSetDto, description = "The set, which is new."),
        BodyRefusals, OwnSetRefusals, NoRoom))]
pub(crate) async fn put(
    caller: Caller,
    NameInPath(name): NameInPath,
    request: Request,
) -> Result<Response, Failure> {
    caller.service.in_time(store(&caller, &name, request)).await
}

async fn store(caller: &Caller, name: &str, request: Request) -> Result<Response, Failure> {
    let Caller { service, turns, .. } = caller;
    let limits = service.limits();
    let (upload, request) = refuse_unless(begin(caller, name, &request), request, limits)?;
    let Upload { sets, name, reader } = upload;
    let (_place, request) = refuse_unless(turns.enter(), request, limits)?;
    let body = receive_bytes(request, limits).await?;
    let checked = turns.compute(WorkSize::Large, move || check(&reader, &body, name));
    let set = checked.await??;
    let status = if sets.save(&set).await? { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, [(CACHE_CONTROL, NO_STORE)], Json(describe(&set))).into_response())
}

/// Upload of a set that passed the checks that need no body.
struct Upload {
    sets: UploadedSets,
    name: SetName,
    reader: Arc<Reader>,
}

fn begin(caller: &Caller, name: &str, request: &Request) -> Result<Upload, Failure> {
    let sets = UploadedSets::for_client(&caller.service, caller.turns.client())?;
    let name = name.parse::<SetName>().map_err(|error| Failure::invalid("name", &error))?;
    if is_encoded(request.headers()) {
        return Err(Failure::EncodedBody);
    }
    Ok(Upload { sets, name, reader: caller.service.reader()? })
}

/// Checks that a file is a set that photos can be read with.
fn check(reader: &Reader, body: &[u8], name: SetName) -> Result<OwnSet, Failure> {
    let set = OwnSet::from_bytes(body).map_err(refuse_set)?.with_name(name);
    reader.with_more_sets(vec![set.clone()]).map_err(refuse_set)?;
    Ok(set)
}

fn refuse_set(error: SetError) -> Failure {
    match error {
        SetError::Model(error) => Failure::Internal { cause: error.to_string() },
        error => Failure::invalid("body", &error),
    }
}

/// Removes a set that was uploaded with this key.
#[utoipa::path(delete, path = "/v1/sets/{name}", tag = "hands", operation_id = "delete_own_set",
    params(("name" = String, Path, description = "Name of the set."), Language),
    responses((status = 204, description = "It was deleted."), OwnSetRefusals))]
pub(crate) async fn remove(
    caller: Caller,
    NameInPath(name): NameInPath,
) -> Result<StatusCode, Failure> {
    let sets = UploadedSets::for_client(&caller.service, caller.turns.client())?;
    let name: SetName = name.parse().map_err(|_| Failure::NoSuchSet)?;
    if sets.remove(&name).await? { Ok(StatusCode::NO_CONTENT) } else { Err(Failure::NoSuchSet) }
}

/// Returns the reader for a photo that is to be read with a choice of own sets: with those that its
/// key uploaded, if the choice may be one of them.
pub(crate) async fn reader_for(
    service: &Service,
    reader: Arc<Reader>,
    turns: &Turns,
    choice: Option<&SetChoice>,
) -> Result<Arc<Reader>, Failure> {
    let (Some(choice), Ok(sets)) = (choice, UploadedSets::for_client(service, turns.client()))
    else {
        return Ok(reader);
    };
    let own = match choice {
        SetChoice::Named(name) => sets.get(name).await?.into_iter().collect(),
        SetChoice::Auto => sets.all().await?,
    };
    if own.is_empty() {
        return Ok(reader);
    }
    let merged = turns.compute(WorkSize::Large, move || reader.with_more_sets(own)).await?;
    merged.map(Arc::new).map_err(refuse_set)
}

#[cfg(test)]
mod tests;
