//! `GET /v1/sets`: the own sets that photos can be read with.
//!
//! The service reads their folder when it starts, together with the models. Until then it does not
//! know them, and the list is refused like a photo.

use axum::Json;
use axum::extract::State;
use axum::http::HeaderValue;
use axum::http::header::CACHE_CONTROL;
use axum::response::IntoResponse;
use tilesight_vision::contract::OwnSetsDto;

use crate::Service;
use crate::answer::failure::Failure;
use crate::answer::language::Language;
use crate::openapi::Unavailable;

/// Returns the own sets of the service, of which a request with a photo may name one.
#[utoipa::path(get, path = "/v1/sets", tag = "hands", operation_id = "list_own_sets",
    params(Language), responses(
        (status = 200, body = OwnSetsDto, description = "Every own set; none if the service has no sets."),
        Unavailable))]
pub(crate) async fn list(State(service): State<Service>) -> Result<impl IntoResponse, Failure> {
    let sets = OwnSetsDto::from(service.reader()?.sets());
    // The next start of the service may read other files.
    Ok(([(CACHE_CONTROL, HeaderValue::from_static("no-store"))], Json(sets)))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use axum::body::Body;
    use axum::extract::Request;
    use serde_json::json;
    use tilesight_vision::Reader;
    use tilesight_vision::networks::fake::PaintedModel;
    use tilesight_vision::sets::OwnSet;

    use crate::Service;
    use crate::testing::{Answer, learn_set, limits, photo, send};

    async fn list(service: &Service) -> Answer {
        send(service, Request::get("/v1/sets").body(Body::empty()).unwrap()).await
    }

    async fn list_of(sets: Vec<OwnSet>) -> Answer {
        let reader = Reader::with_model(PaintedModel::default()).with_sets(sets).unwrap();
        let service = Service::builder(limits()).build();
        service.ready(Arc::new(reader));
        list(&service).await
    }

    #[tokio::test]
    async fn own_sets_are_listed_by_name_with_the_identity_of_their_content() {
        let tiles = photo("1m 2m 3m E E");
        let [home, club] = ["Home", "Club"].map(|name| learn_set(name, &tiles));
        let expected = json!({ "sets": [
            { "name": "Club", "id": club.id().to_string() },
            { "name": "Home", "id": home.id().to_string() },
        ] });
        let answer = list_of(vec![home, club]).await;
        assert_eq!((answer.status.as_u16(), &answer.json), (200, &expected));
        assert_eq!(answer.headers["cache-control"], "no-store");
    }

    #[tokio::test]
    async fn a_service_without_sets_lists_none_and_one_that_starts_refuses() {
        assert_eq!(list_of(Vec::new()).await.json, json!({ "sets": [] }));
        let starting = list(&Service::builder(limits()).build()).await;
        starting.is_problem(503, "unavailable");
        assert!(starting.headers.contains_key("retry-after"), "{starting:?}");
    }
}
