//! Texts of the failures for clients, in every language.
//!
//! Input: a [`Failure`]. Output: its detail. Invariant: no text contains a cause, and a new failure
//! does not compile without its texts.

use tilesight_core::explain::{Lang, Message, display_english};

use super::{Failure, SharedResource, StreamLimit};
use crate::answer::quota::{QuotaKind, QuotaReached};
use crate::texts;

display_english!(Failure);

impl Message for Failure {
    fn text(&self, lang: Lang) -> String {
        match self {
            Failure::Problem(problem) => problem.detail.text(lang).to_owned(),
            Failure::TooLarge { limit } => texts::failure::too_large(lang, limit),
            Failure::UnsupportedBody { expected } => {
                texts::failure::unsupported_body(lang, expected)
            }
            Failure::EncodedBody => texts::failure::encoded_body(lang).to_owned(),
            Failure::SlowBody => texts::failure::slow_body(lang).to_owned(),
            Failure::NoKey { .. } => texts::failure::no_key(lang).to_owned(),
            Failure::OverRate { wait } => texts::failure::over_rate(lang, wait),
            Failure::OverQuota(reached) => reached.text(lang),
            Failure::NoFeedback => texts::failure::no_feedback(lang).to_owned(),
            Failure::NoSuchFeedback => texts::failure::no_such_feedback(lang).to_owned(),
            Failure::WrongToken => texts::failure::wrong_token(lang).to_owned(),
            Failure::FeedbackFull => texts::failure::feedback_full(lang).to_owned(),
            Failure::NoJobs => texts::failure::no_jobs(lang).to_owned(),
            Failure::NoSuchJob => texts::failure::no_such_job(lang).to_owned(),
            Failure::InFlight { .. } => texts::failure::in_flight(lang).to_owned(),
            Failure::KeyReused => texts::failure::key_reused(lang).to_owned(),
            Failure::TooManyJobs { max } => texts::failure::too_many_jobs(lang, *max),
            Failure::NoWebhooks => texts::failure::no_webhooks(lang).to_owned(),
            Failure::TooMuchKept { max } => texts::failure::too_much_kept(lang, max),
            Failure::NoRoom => texts::failure::no_room(lang).to_owned(),
            Failure::NoSpace { .. } => texts::failure::no_space(lang).to_owned(),
            Failure::DiskFull { .. } => texts::failure::disk_full(lang).to_owned(),
            Failure::Storage { .. } => texts::failure::storage(lang).to_owned(),
            Failure::NoSetStore => texts::failure::no_set_store(lang).to_owned(),
            Failure::KeylessSets => texts::failure::keyless_sets(lang).to_owned(),
            Failure::NoSuchSet => texts::failure::no_such_set(lang).to_owned(),
            Failure::TooManySets { max } => texts::failure::too_many_sets(lang, *max),
            Failure::NoGames => texts::failure::no_games(lang).to_owned(),
            Failure::NoSuchGame => texts::failure::no_such_game(lang).to_owned(),
            Failure::UnlistedGames => texts::failure::unlisted_games(lang).to_owned(),
            Failure::StaleGame => texts::failure::stale_game(lang).to_owned(),
            Failure::NoSuchSeries => texts::failure::no_such_series(lang).to_owned(),
            Failure::UnlistedSeries => texts::failure::unlisted_series(lang).to_owned(),
            Failure::StaleSeries => texts::failure::stale_series(lang).to_owned(),
            Failure::TooManySeries { max } => texts::failure::too_many_series(lang, *max),
            Failure::SeriesFull { max } => texts::failure::series_full(lang, *max),
            Failure::NoSuchLink => texts::failure::no_such_link(lang).to_owned(),
            Failure::Unconditional => texts::failure::unconditional(lang).to_owned(),
            Failure::TooManyGames { max } => texts::failure::too_many_games(lang, *max),
            Failure::GamesFull { max } => texts::failure::games_full(lang, *max),
            Failure::Crowded(StreamLimit::Client) => texts::crowded::client(lang).to_owned(),
            Failure::Crowded(StreamLimit::Players) => texts::crowded::players(lang).to_owned(),
            Failure::Crowded(StreamLimit::Link) => texts::crowded::link(lang).to_owned(),
            Failure::Crowded(StreamLimit::Onlookers) => texts::crowded::onlookers(lang).to_owned(),
            Failure::Crowded(StreamLimit::All) => texts::crowded::all(lang).to_owned(),
            Failure::WrongHost { name } => texts::failure::wrong_host(lang, name),
            Failure::ForeignPage => texts::failure::foreign_page(lang).to_owned(),
            Failure::Share { what } => {
                let what = what.text(lang);
                texts::failure::share(lang, what)
            }
            Failure::Busy => texts::failure::busy(lang).to_owned(),
            Failure::Starting => texts::failure::starting(lang).to_owned(),
            Failure::Stopping => texts::failure::stopping(lang).to_owned(),
            Failure::Overdue => texts::failure::overdue(lang).to_owned(),
            Failure::NoSuchPath => texts::failure::no_such_path(lang).to_owned(),
            Failure::NoSuchMethod => texts::failure::no_such_method(lang).to_owned(),
            Failure::Internal { .. } => texts::failure::internal(lang).to_owned(),
        }
    }
}

display_english!(QuotaReached);

impl Message for QuotaReached {
    fn text(&self, lang: Lang) -> String {
        let max = usize::try_from(self.max).unwrap_or(usize::MAX);
        match self.kind {
            QuotaKind::PhotosADay => texts::quota_reached::photos_a_day(lang, max),
            QuotaKind::PhotosAMonth => texts::quota_reached::photos_a_month(lang, max),
            QuotaKind::RequestsADay => texts::quota_reached::requests_a_day(lang, max),
            QuotaKind::RequestsAMonth => texts::quota_reached::requests_a_month(lang, max),
        }
    }
}

display_english!(SharedResource);

impl Message for SharedResource {
    fn text(&self, lang: Lang) -> String {
        match self {
            SharedResource::Uploads => texts::shared_resource::uploads(lang).to_owned(),
            SharedResource::JobUploads => texts::shared_resource::job_uploads(lang).to_owned(),
            SharedResource::Feedback => texts::shared_resource::feedback(lang).to_owned(),
            SharedResource::EventStreams => texts::shared_resource::event_streams(lang).to_owned(),
            SharedResource::Computing => texts::shared_resource::computing(lang).to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::failure::tests::failures;

    #[test]
    fn a_limit_of_one_is_singular() {
        let failures = [Failure::TooManySeries { max: 1 }, Failure::SeriesFull { max: 1 }];
        let texts = failures.map(|failure| failure.text(Lang::De));
        assert!(texts.iter().all(|text| text.contains("höchstens 1 Serie")), "{texts:?}");
        assert!(texts.iter().all(|text| !text.contains("Serien")), "{texts:?}");
    }

    #[test]
    fn no_text_contains_a_cause() {
        for failure in failures() {
            assert!(!failure.text(Lang::De).contains("secret"), "{failure:?}");
        }
    }
}
