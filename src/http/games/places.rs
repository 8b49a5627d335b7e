//! Places for clients that follow games as events; each keeps a connection open for an evening.
//!
//! Players have places of their own, so that viewers can't take them. Among the places of either
//! kind no client and no game can take all, by [`Shares`]; the players of one game and the viewers
//! of one link have limits too. Invariant: a place is given back when its stream ends, for whatever
//! reason.

use std::sync::Arc;

use tilesight_jobs::Name;

use crate::http::client::Client;
use crate::http::failure::{Crowd, Failure};
use crate::http::shares::{Full, Share, Shares};

/// Maximum number of players' streams.
const PLAYERS: usize = 256;
/// Maximum number of players' streams for one game: four phones, each of which may reconnect three
/// times before its old connection is known to be dead.
const OF_A_TABLE: usize = 16;
/// Maximum number of viewers' streams.
const ONLOOKERS: usize = 256;
/// Maximum number of viewers' streams for one link: a room full of people.
const OF_A_LINK: usize = 128;

/// Places of a service.
#[derive(Debug)]
pub(super) struct Places {
    players: Seats,
    onlookers: Seats,
    links: Arc<Shares<Name>>,
}

/// Places of one kind, shared among clients and among games.
#[derive(Debug)]
struct Seats {
    clients: Arc<Shares<Client>>,
    games: Arc<Shares<Name>>,
}

/// Place of a stream; given back on drop.
#[derive(Debug)]
pub(super) struct Place {
    _client: Share<Client>,
    _game: Share<Name>,
    _link: Option<Share<Name>>,
}

impl Default for Places {
    fn default() -> Places {
        let seats = |all| Seats { clients: Shares::new(all), games: Shares::new(all) };
        let (players, onlookers) = (seats(PLAYERS), seats(ONLOOKERS));
        Places { players, onlookers, links: Shares::new(ONLOOKERS) }
    }
}

impl Places {
    /// Takes a place for a player.
    pub(super) fn to_play(&self, client: &Client, game: &Name) -> Result<Place, Failure> {
        let _client = self.players.clients.take(client).map_err(why(Crowd::Client))?;
        let at_table = self.players.games.take_one_of(game, OF_A_TABLE);
        let _game = at_table.map_err(why(Crowd::Players))?;
        Ok(Place { _client, _game, _link: None })
    }

    /// Takes a place for a viewer.
    pub(super) fn to_look_on(
        &self,
        client: &Client,
        game: &Name,
        link: &Name,
    ) -> Result<Place, Failure> {
        let _client = self.onlookers.clients.take(client).map_err(why(Crowd::Client))?;
        let _link = Some(self.links.take_one_of(link, OF_A_LINK).map_err(why(Crowd::Link))?);
        let _game = self.onlookers.games.take(game).map_err(why(Crowd::Onlookers))?;
        Ok(Place { _client, _game, _link })
    }
}

fn why(share: Crowd) -> impl Fn(Full) -> Failure {
    move |full| {
        Failure::Crowded(match full {
            Full::Share => share,
            Full::All => Crowd::All,
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
        let places = Places::default();
        let mut crowd = Vec::new();
        for last in 0..=255 {
            crowd.extend(from_fn(|| {
                places.to_look_on(&at(last), &name("a"), &name(&format!("l{last}"))).ok()
            }));
        }
        assert!(crowd.len() >= 192, "they have all that a game may: {}", crowd.len());
        let table: Vec<_> = from_fn(|| places.to_play(&at(1), &name("a")).ok()).collect();
        assert_eq!(table.len(), OF_A_TABLE);
        assert_eq!(
            places.to_play(&at(2), &name("a")).err(),
            Some(Failure::Crowded(Crowd::Players))
        );
        assert!(places.to_play(&at(2), &name("b")).is_ok());
        assert!(places.to_look_on(&at(2), &name("b"), &name("other")).is_ok());
    }

    #[test]
    fn a_link_a_game_and_a_client_each_leave_room() {
        let places = Places::default();
        let look = |last, game, link| places.to_look_on(&at(last), &name(game), &name(link));
        let mut held: Vec<_> = from_fn(|| look(1, "a", "one").ok()).collect();
        assert_eq!(held.len(), OF_A_LINK);
        assert_eq!(look(2, "a", "one").err(), Some(Failure::Crowded(Crowd::Link)));
        held.extend(from_fn(|| look(2, "a", "two").ok()));
        assert_eq!(look(3, "a", "three").err(), Some(Failure::Crowded(Crowd::Onlookers)));
        assert!(look(3, "b", "four").is_ok(), "another game has its share");
        drop(held);
        let games = ["a", "b", "c"];
        let held: Vec<_> =
            games.iter().flat_map(|game| from_fn(move || look(1, game, game).ok())).collect();
        assert_eq!(held.len(), 192);
        assert_eq!(look(1, "d", "d").err(), Some(Failure::Crowded(Crowd::Client)));
        assert!(look(2, "d", "d").is_ok());
    }
}
