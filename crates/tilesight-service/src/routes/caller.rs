//! Caller of an endpoint: what most answers need of the head of their request.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use tilesight_core::explain::Lang;

use crate::Service;
use crate::answer::failure::Failure;
use crate::answer::language::Language;
use crate::answer::request_id::RequestId;
use crate::guard::admission::Turns;

/// Sender of a request that is being answered.
#[derive(Debug, Clone)]
pub(crate) struct Caller {
    pub(crate) service: Service,
    /// Id of the request.
    pub(crate) id: RequestId,
    pub(crate) turns: Turns,
    /// Language of the answer.
    pub(crate) lang: Lang,
}

impl FromRequestParts<Service> for Caller {
    type Rejection = Infallible;

    async fn from_request_parts(
        parts: &mut Parts,
        service: &Service,
    ) -> Result<Caller, Infallible> {
        let id = RequestId::from_request_parts(parts, service).await?;
        let turns = Turns::from_request_parts(parts, service).await?;
        let Language(lang) = Language::from_request_parts(parts, service).await?;
        Ok(Caller { service: service.clone(), id, turns, lang })
    }
}

impl Caller {
    /// Returns the id of the request as text, for its answer.
    pub(crate) fn request_id(&self) -> String {
        self.id.as_str().to_owned()
    }

    /// Answers a request with large work, which holds a place meanwhile, within the time limit.
    pub(crate) async fn answer_in_place<T>(
        &self,
        answering: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        let _place = self.turns.enter()?;
        self.service.in_time(answering).await
    }
}
