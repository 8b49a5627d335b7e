//! A deal: its round, its dealer and the seats.
//!
//! Input: a [`Law`] and the ending of each deal. Output: the next [`Deal`], or none after the last.
//! Invariants: every player has exactly one seat; the dealer sits East, unless the opened wall gave
//! the winds.

use crate::context::MAX_COUNT;
use crate::meld::{Relation, Seats};
use crate::rules::law::{Ending, Law};
use crate::settle::Payments;
use crate::tile::Wind;

use super::{PLAYERS, Player, Points};

/// A deal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deal {
    /// Number in the game, from 1.
    pub number: u32,
    /// Wind of the round.
    pub round: Wind,
    /// Number of times that the deal has passed in this round, less than there are players.
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
    /// Whether the hand of each player can't win any more in this deal.
    dead: [bool; PLAYERS],
    /// Seats that are taken.
    seats: Seats,
    /// Players by their seats at the beginning of the round, East first.
    began: [Player; PLAYERS],
    /// Number of players from the dealer to East, in the order of play: 0 unless the opened wall
    /// gave the winds.
    east_from_dealer: u8,
}

impl Deal {
    /// The first deal of a game of four.
    pub const FIRST: Deal = Deal {
        number: 1,
        round: Wind::East,
        turn: 0,
        repeats: 0,
        honba: 0,
        sticks: 0,
        declared: [false; PLAYERS],
        dead: [false; PLAYERS],
        seats: Seats::Four,
        began: Player::ALL,
        east_from_dealer: 0,
    };

    /// Returns the first deal of a game.
    #[must_use]
    pub const fn first(law: &Law) -> Deal {
        Deal { seats: law.seats, ..Deal::FIRST }
    }

    /// Returns the seats that are taken.
    #[must_use]
    pub const fn seats(&self) -> Seats {
        self.seats
    }

    /// Returns the players, East first.
    pub fn players(&self) -> impl Iterator<Item = Player> + use<> {
        let deal = *self;
        self.seats.winds().iter().map(move |&seat| deal.player_at(seat))
    }

    /// Returns the player on a seat that is taken.
    #[must_use]
    pub const fn player_at(&self, seat: Wind) -> Player {
        let east = self.turn as usize + self.east_from_dealer as usize;
        self.began[(seat as usize + east) % self.seats.winds().len()]
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

    /// Returns the seat of a player; North for one who is not there, where nobody sits.
    #[must_use]
    pub fn seat_of(&self, player: Player) -> Wind {
        let mut winds = self.seats.winds().iter().copied();
        winds.find(|&seat| self.player_at(seat) == player).unwrap_or(Wind::North)
    }

    /// Returns the points that each player gains or loses, in the order of the players.
    pub(super) fn points_of(&self, payments: &Payments) -> Points {
        Player::ALL.map(|player| payments.for_seat(self.seat_of(player)))
    }

    /// Returns the number of players from one to another in the order of play.
    pub(super) fn steps(&self, from: Player, to: Player) -> usize {
        let count = self.seats.winds().len();
        (self.seat_of(to) as usize + count - self.seat_of(from) as usize) % count
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

    /// Returns whether all players declared riichi in this deal.
    pub(super) fn all_declared(&self) -> bool {
        self.players().all(|player| self.has_declared(player))
    }

    /// Returns whether a player's hand can't win any more in this deal.
    #[must_use]
    pub const fn is_dead(&self, player: Player) -> bool {
        self.dead[player.index()]
    }

    /// Makes a player's hand dead for the rest of the deal.
    pub(super) const fn bury(&mut self, player: Player) {
        self.dead[player.index()] = true;
    }

    /// Returns the deal as a winner sees it who does not take what lies on the table.
    pub(super) const fn without_table(self) -> Deal {
        Deal { honba: 0, sticks: 0, ..self }
    }

    /// Returns the place of another player as a player sees it; `None` for the player's own seat.
    #[must_use]
    pub fn relation(&self, player: Player, other: Player) -> Option<Relation> {
        let seat = self.seat_of(player);
        let of_other = Some(self.seat_of(other));
        let relations = [Relation::Left, Relation::Across, Relation::Right];
        relations.into_iter().find(|&relation| self.seats.neighbor(seat, relation) == of_other)
    }

    /// Returns the deal after this one, or `None` when the game is over.
    #[must_use]
    pub fn next(&self, law: &Law, ending: Ending) -> Option<Deal> {
        self.next_within(law, ending, law.rounds)
    }

    /// Returns the deal after this one in a game of so many rounds.
    pub(super) fn next_within(&self, law: &Law, ending: Ending, rounds: u8) -> Option<Deal> {
        let deal = self.cleared(law, ending);
        if ending == Ending::Void {
            return Some(deal);
        }
        if !law.passes(ending) {
            return Some(Deal { repeats: self.repeats + 1, ..deal });
        }
        if !self.is_last_of_round() {
            return Some(Deal { turn: self.turn + 1, repeats: 0, ..deal });
        }
        if self.round as u8 + 1 >= rounds {
            return None;
        }
        let mut began = self.began;
        for (from, to) in Wind::ALL.into_iter().zip(law.exchanges[self.round as usize]) {
            began[to as usize] = self.began[from as usize];
        }
        let round = self.round.next();
        Some(Deal { round, turn: 0, repeats: 0, began, ..deal })
    }

    /// Returns whether the last player of the round deals.
    pub(super) fn is_last_of_round(&self) -> bool {
        usize::from(self.turn) + 1 == self.seats.winds().len()
    }

    /// Returns the deal as the next one begins, before it passes.
    fn cleared(&self, law: &Law, ending: Ending) -> Deal {
        let (honba, sticks) = self.left_on_table(law, ending);
        Deal {
            number: self.number + 1,
            honba,
            sticks,
            declared: [false; PLAYERS],
            dead: [false; PLAYERS],
            east_from_dealer: 0,
            ..*self
        }
    }

    /// Returns the number of sticks that were laid in this deal.
    pub(super) fn laid_sticks(&self) -> u8 {
        self.declared.iter().map(|&laid| u8::from(laid)).sum()
    }

    /// Returns the counters and the sticks on the table after this deal.
    fn left_on_table(&self, law: &Law, ending: Ending) -> (u8, u8) {
        let more = self.honba.saturating_add(1).min(MAX_COUNT);
        match ending {
            _ if law.riichi.is_none() => (0, 0),
            Ending::Won(Wind::East) => (more, 0),
            Ending::Won(_) => (0, 0),
            Ending::Drawn | Ending::DrawnWithoutEast | Ending::Aborted => (more, self.sticks),
            Ending::Void => (self.honba, self.sticks.saturating_sub(self.laid_sticks())),
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
