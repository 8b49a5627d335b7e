//! Permits for clients that follow games or series as events; each keeps a connection open for an
//! evening.
//!
//! Players have permits of their own, so that viewers can't take them. Among the permits of either
//! kind no client and no journal can take all, by [`Shares`]; the players of one game, or the
//! organisers of one series, and the viewers of one link have limits too. Invariant: a permit is
//! given back when its stream ends, for whatever reason.

use std::sync::Arc;

use tilesight_jobs::Name;

use crate::answer::failure::{Failure, StreamLimit};
use crate::guard::client::Client;
use crate::guard::shares::{Full, Share, Shares};

/// Maximum number of players' streams.
const MAX_PLAYERS: usize = 256;
/// Maximum number of players' streams for one journal: four phones, each of which may reconnect
/// three times before its old connection is known to be dead.
const MAX_PLAYERS_OF_JOURNAL: usize = 16;
/// Maximum number of viewers' streams.
const MAX_ONLOOKERS: usize = 256;
/// Maximum number of viewers' streams for one link: a room full of people.
const MAX_ONLOOKERS_OF_LINK: usize = 128;

/// Permits for journals of one kind.
#[derive(Debug)]
pub(in crate::routes) struct StreamPermits {
    players: SharedPermits,
    onlookers: SharedPermits,
    links: Arc<Shares<Name>>,
}

/// Permits of players or of viewers, shared among clients and among journals.
#[derive(Debug)]
struct SharedPermits {
    clients: Arc<Shares<Client>>,
    journals: Arc<Shares<Name>>,
}

/// Permit to follow a journal; given back on drop.
#[derive(Debug)]
pub(in crate::routes) struct StreamPermit {
    _client: Share<Client>,
    _journal: Share<Name>,
    _link: Option<Share<Name>>,
}

impl SharedPermits {
    fn new(all: usize) -> SharedPermits {
        SharedPermits { clients: Shares::new(all), journals: Shares::new(all) }
    }
}

impl Default for StreamPermits {
    fn default() -> StreamPermits {
        StreamPermits {
            players: SharedPermits::new(MAX_PLAYERS),
            onlookers: SharedPermits::new(MAX_ONLOOKERS),
            links: Shares::new(MAX_ONLOOKERS),
        }
    }
}

impl StreamPermits {
    /// Takes a permit for a player of a game, or an organiser of a series.
    pub(in crate::routes) fn permit_player(
        &self,
        client: &Client,
        journal: &Name,
    ) -> Result<StreamPermit, Failure> {
        let _client = self.players.clients.take(client).map_err(refusal(StreamLimit::Client))?;
        let of_journal = self.players.journals.take_limited(journal, MAX_PLAYERS_OF_JOURNAL);
        let _journal = of_journal.map_err(refusal(StreamLimit::Players))?;
        Ok(StreamPermit { _client, _journal, _link: None })
    }

    /// Takes a permit for a viewer.
    pub(in crate::routes) fn permit_onlooker(
        &self,
        client: &Client,
        journal: &Name,
        link: &Name,
    ) -> Result<StreamPermit, Failure> {
        let _client = self.onlookers.clients.take(client).map_err(refusal(StreamLimit::Client))?;
        let _link = Some(
            self.links
                .take_limited(link, MAX_ONLOOKERS_OF_LINK)
                .map_err(refusal(StreamLimit::Link))?,
        );
        let of_journal = self.onlookers.journals.take(journal);
        let _journal = of_journal.map_err(refusal(StreamLimit::Onlookers))?;
        Ok(StreamPermit { _client, _journal, _link })
    }
}

fn refusal(reached: StreamLimit) -> impl Fn(Full) -> Failure {
    move |full| {
        Failure::Crowded(match full {
            Full::Share => reached,
            Full::All => StreamLimit::All,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::iter::from_fn;

    use super::*;

    fn at(last: u8) -> Client {
        Client::Address(std::net::IpAddr::from([192, 0, 2, last]).into())
    }

    fn name(text: &str) -> Name {
        text.parse().unwrap()
    }

    #[test]
    fn onlookers_take_no_place_of_those_who_play() {
        let places = StreamPermits::default();
        let mut crowd = Vec::new();
        for last in 0..=255 {
            crowd.extend(from_fn(|| {
                places.permit_onlooker(&at(last), &name("a"), &name(&format!("l{last}"))).ok()
            }));
        }
        assert!(crowd.len() >= 192, "they have all that a game may: {}", crowd.len());
        let table: Vec<_> = from_fn(|| places.permit_player(&at(1), &name("a")).ok()).collect();
        assert_eq!(table.len(), MAX_PLAYERS_OF_JOURNAL);
        assert_eq!(
            places.permit_player(&at(2), &name("a")).err(),
            Some(Failure::Crowded(StreamLimit::Players))
        );
        assert!(places.permit_player(&at(2), &name("b")).is_ok());
        assert!(places.permit_onlooker(&at(2), &name("b"), &name("other")).is_ok());
    }

    #[test]
    fn a_link_a_game_and_a_client_each_leave_room() {
        let places = StreamPermits::default();
        let look = |last, game, link| places.permit_onlooker(&at(last), &name(game), &name(link));
        let mut held: Vec<_> = from_fn(|| look(1, "a", "one").ok()).collect();
        assert_eq!(held.len(), MAX_ONLOOKERS_OF_LINK);
        assert_eq!(look(2, "a", "one").err(), Some(Failure::Crowded(StreamLimit::Link)));
        held.extend(from_fn(|| look(2, "a", "two").ok()));
        assert_eq!(look(3, "a", "three").err(), Some(Failure::Crowded(StreamLimit::Onlookers)));
        assert!(look(3, "b", "four").is_ok(), "another game has its share");
        drop(held);
        let games = ["a", "b", "c"];
        let held: Vec<_> =
            games.iter().flat_map(|game| from_fn(move || look(1, game, game).ok())).collect();
        assert_eq!(held.len(), 192);
        assert_eq!(look(1, "d", "d").err(), Some(Failure::Crowded(StreamLimit::Client)));
        assert!(look(2, "d", "d").is_ok());
    }
}
