//! A deal: its round, its dealer and the seats.
//!
//! Input: a [`Law`] and the ending of each deal. Output: the next [`Deal`], or none after the last.
//! Invariants: every player has exactly one seat; the dealer sits East, unless the opened wall gave
//! the winds.

use crate::context::MAX_COUNT;
use crate::meld::Relation;
use crate::rules::law::{Ending, Law};
use crate::tile::Wind;

use super::{PLAYERS, Player};

/// A deal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deal {
    /// Number in the game, from 1.
    pub number: u32,
    /// Wind of the round.
    pub round: Wind,
    /// Number of times that the deal has passed in this round, 0 to 3.
    pub turn: u8,
    /// Number of times in a row that this dealer has dealt again.
    pub repeats: u32,
    /// Number of counters on the table, where riichi is played: deals since a player other than
    /// East won.
    pub honba: u8,
    /// Number of riichi sticks on the table.
    pub sticks: u8,
    /// Whether each player laid one of the sticks in this deal.
    declared: [bool; PLAYERS],
    /// Players by their seats at the beginning of the round, East first.
    began: [Player; PLAYERS],
    /// Number of players from the dealer to East, in the order of play: 0 unless the opened wall
    /// gave the winds.
    east_from_dealer: u8,
}

impl Deal {
    /// The first deal of a game.
    pub const FIRST: Deal = Deal {
        number: 1,
        round: Wind::East,
        turn: 0,
        repeats: 0,
        honba: 0,
        sticks: 0,
        declared: [false; PLAYERS],
        began: Player::ALL,
        east_from_dealer: 0,
    };

    /// Returns the player on a seat.
    #[must_use]
    pub const fn player_at(&self, seat: Wind) -> Player {
        let east = self.turn as usize + self.east_from_dealer as usize;
        self.began[(seat as usize + east) % PLAYERS]
    }

    /// Returns the player who deals.
    #[must_use]
    pub const fn dealer(&self) -> Player {
        self.began[self.turn as usize]
    }

    /// Returns the deal with the winds that the opened wall gave it.
    #[must_use]
    pub(super) fn with_east(self, east: Player) -> Deal {
        let from_dealer = Deal { east_from_dealer: 0, ..self };
        Deal { east_from_dealer: from_dealer.seat_of(east) as u8, ..self }
    }

    /// Returns the seat that a player would have if the dealer sat East.
    pub(super) fn seat_from_dealer(&self, player: Player) -> Wind {
        Deal { east_from_dealer: 0, ..*self }.seat_of(player)
    }

    /// Returns the seat of a player.
    #[must_use]
    pub fn seat_of(&self, player: Player) -> Wind {
        Wind::ALL
            .into_iter()
            .find(|&seat| self.player_at(seat) == player)
            .expect("every player has a seat")
    }

    /// Returns whether a player declared riichi in this deal and laid a stick for it.
    #[must_use]
    pub const fn has_declared(&self, player: Player) -> bool {
        self.declared[player.index()]
    }

    /// Lays a player's riichi stick on the table.
    pub(super) const fn lay_stick(&mut self, player: Player) {
        self.declared[player.index()] = true;
        if self.sticks < MAX_COUNT {
            self.sticks += 1;
        }
    }

    /// Returns the place of another player as a player sees it; `None` for the player's own seat.
    #[must_use]
    pub fn relation(&self, player: Player, other: Player) -> Option<Relation> {
        let seat = self.seat_of(player);
        let of_other = self.seat_of(other);
        let relations = [Relation::Left, Relation::Across, Relation::Right];
        relations.into_iter().find(|&relation| seat.seat_of(relation) == of_other)
    }

    /// Returns the deal after this one, or `None` when the game is over.
    #[must_use]
    pub fn next(&self, law: &Law, ending: Ending) -> Option<Deal> {
        let number = self.number + 1;
        let (honba, sticks) = self.left_on_table(law, ending);
        let declared = [false; PLAYERS];
        let deal = Deal { number, honba, sticks, declared, east_from_dealer: 0, ..*self };
        if !law.passes(ending) {
            return Some(Deal { repeats: self.repeats + 1, ..deal });
        }
        if usize::from(self.turn) + 1 < PLAYERS {
            return Some(Deal { turn: self.turn + 1, repeats: 0, ..deal });
        }
        if self.round as u8 + 1 >= law.rounds {
            return None;
        }
        let mut began = self.began;
        for (from, to) in Wind::ALL.into_iter().zip(law.exchanges[self.round as usize]) {
            began[to as usize] = self.began[from as usize];
        }
        let round = self.round.next();
        Some(Deal { round, turn: 0, repeats: 0, began, ..deal })
    }

    /// Returns the counters and the sticks on the table after this deal.
    fn left_on_table(&self, law: &Law, ending: Ending) -> (u8, u8) {
        let more = self.honba.saturating_add(1).min(MAX_COUNT);
        match ending {
            _ if law.riichi.is_none() => (0, 0),
            Ending::Won(Wind::East) => (more, 0),
            Ending::Won(_) => (0, 0),
            Ending::Drawn | Ending::DrawnWithoutEast => (more, self.sticks),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Book, RulesetId};
    use crate::tile::Wind::South;

    /// Returns all deals of a game in which every deal ends the same way.
    fn deals(law: &Law, ending: Ending) -> Vec<Deal> {
        std::iter::successors(Some(Deal::FIRST), |deal| deal.next(law, ending)).collect()
    }

    fn seats(deal: &Deal) -> [usize; 4] {
        Wind::ALL.map(|seat| deal.player_at(seat).index())
    }

    #[test]
    fn an_mcr_game_has_sixteen_deals_and_everybody_has_every_seat_for_a_round() {
        let law = Book::shipped().usual().rules().law();
        let deals = deals(&law, Ending::Drawn);
        assert_eq!(deals.len(), 16);
        let begins: Vec<_> = deals.iter().step_by(4).map(seats).collect();
        // Computed by hand from the German source: before the South and the North round East
        // changes with South and West with North, before the West round E→W, S→N, W→S, N→E.
        assert_eq!(begins, [[0, 1, 2, 3], [1, 0, 3, 2], [2, 3, 1, 0], [3, 2, 0, 1]]);
        let rounds: Vec<_> = deals.iter().step_by(4).map(|deal| deal.round).collect();
        assert_eq!(rounds, Wind::ALL);
        for player in Player::ALL {
            let dealt = deals.iter().filter(|deal| deal.player_at(Wind::East) == player);
            assert_eq!(dealt.count(), 4);
            let mut began: Vec<_> =
                deals.iter().step_by(4).map(|deal| deal.seat_of(player)).collect();
            began.sort();
            assert_eq!(began, Wind::ALL);
        }
    }

    #[test]
    fn winds_that_always_rotate_make_sixteen_deals_whoever_wins() {
        let law = Book::shipped().get(RulesetId::MMM).expect("shipped").rules().law();
        for ending in [Ending::Drawn, Ending::Won(Wind::East), Ending::Won(Wind::North)] {
            let deals = deals(&law, ending);
            assert_eq!(deals.len(), 16);
            assert!(deals.iter().step_by(4).all(|deal| seats(deal) == [0, 1, 2, 3]));
            assert_eq!(seats(&deals[5]), [1, 2, 3, 0]);
        }
    }

    #[test]
    fn east_deals_again_where_the_law_says_so() {
        let book = Book::shipped();
        let law = book.get(RulesetId::CLASSICAL_DMJL).expect("shipped").rules().law();
        let again = Deal::FIRST.next(&law, Ending::Won(Wind::East)).expect("it goes on");
        assert_eq!((seats(&again), again.repeats, again.number), ([0, 1, 2, 3], 1, 2));
        let drawn = again.next(&law, Ending::Drawn).expect("it goes on");
        assert_eq!((drawn.turn, drawn.repeats), (0, 2));
        let passed = drawn.next(&law, Ending::Won(Wind::West)).expect("it goes on");
        assert_eq!((seats(&passed), passed.repeats, passed.round), ([1, 2, 3, 0], 0, Wind::East));
        assert_eq!(deals(&law, Ending::Won(Wind::South)).len(), 16, "nobody deals twice");
    }

    #[test]
    fn the_opened_wall_moves_the_winds_and_neither_the_dealer_nor_the_order_of_play() {
        let second = Deal::FIRST.next(&Law::ROTATING, Ending::Drawn).expect("it goes on");
        for (east, winds) in [(0, [0, 1, 2, 3]), (1, [1, 2, 3, 0]), (3, [3, 0, 1, 2])] {
            let deal = second.with_east(Player::ALL[east]);
            assert_eq!(seats(&deal), winds);
            assert_eq!((deal.dealer().index(), deal.seat_from_dealer(Player::ALL[2])), (1, South));
            let relation = deal.relation(Player::ALL[2], Player::ALL[1]);
            assert_eq!(relation, Some(Relation::Left));
            let next = deal.next(&Law::ROTATING, Ending::Drawn).expect("it goes on");
            assert_eq!(seats(&next), [2, 3, 0, 1]);
        }
    }

    #[test]
    fn neighbours_are_those_who_play_before_and_after() {
        let deal = Deal::FIRST.next(&Law::ROTATING, Ending::Drawn).expect("it goes on");
        let [first, second, third, fourth] = Player::ALL;
        assert_eq!(deal.relation(second, first), Some(Relation::Left));
        assert_eq!(deal.relation(second, third), Some(Relation::Right));
        assert_eq!(deal.relation(second, fourth), Some(Relation::Across));
        assert_eq!(deal.relation(second, second), None);
    }
}
