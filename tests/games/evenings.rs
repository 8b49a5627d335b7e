//! An evening of MMM and one of the classical game through a real service, by photos, with a kill
//! in the middle.
//!
//! The test computes dealers, seats and payments itself, from the text of the rules. The engine
//! scores the true hand of a photo; the scores of the hands that were rendered for these games were
//! worked out by hand. Photos need ONNX Runtime and the models; without them the tests fail and
//! print the command to run.

use crate::evening::{Phone, Sample, Samples, WINDS, samples, serve};
use crate::service::{Folder, Service, folder};
use serde_json::{Value, json};

/// Gains and losses: by player if from a game, by seat if from the rules.
type Points = [i32; 4];

/// A table with a service that can be killed.
struct Table {
    folder: Folder,
    service: Service,
    phone: Phone,
    totals: Points,
    by_photo: usize,
}

/// A hand that won a deal, with its payments.
struct WonHand<'a> {
    sample: &'a Sample,
    /// `winner`, `discarder`, `context`, `others`, as the service accepts them.
    win: Value,
    total: i32,
    /// Payment of each player.
    paid: Points,
}

impl Table {
    fn new(ruleset: &str) -> Table {
        let folder = folder(&format!("evening-{ruleset}"));
        let service = serve(&folder);
        let phone = Phone::begin(service.address, None, Some(ruleset));
        Table { folder, service, phone, totals: [0; 4], by_photo: 0 }
    }

    /// Fails unless the game's next deal is the one that the rules require.
    fn expect_deal(&mut self, number: usize, round: usize, seats: [usize; 4]) {
        let next = self.phone.look()["next"].take();
        let shown = (&next["number"], &next["round"], &next["seats"]);
        let expected = (&json!(number), &json!(WINDS[round]), &json!(seats));
        assert_eq!(shown, expected, "deal {number}");
    }

    /// Enters a hand by its photo and corrects a doubtful reading, as a person would. Fails unless
    /// the sheet matches.
    fn play(&mut self, number: usize, won: &WonHand<'_>) {
        let answer = self.phone.photo(&won.sample.photo, &won.win);
        let shown = String::from_utf8_lossy(&answer.body);
        assert!(matches!(answer.status, 200 | 201), "deal {number}: {shown}");
        let game = if answer.status == 201 {
            self.by_photo += 1;
            answer.json()["game"].take()
        } else {
            assert_eq!(answer.json()["added"], false);
            let mut play = won.win.clone();
            play["kind"] = json!("win");
            play["hand"] = won.sample.hand.clone();
            self.phone.change(&json!({ "kind": "add", "play": play }))
        };
        let row = &game["rows"][number - 1];
        assert_eq!(row["score"]["total"], won.total, "deal {number}");
        assert_eq!(row["payments"], json!(won.paid), "deal {number}: {}", won.win);
        for (total, points) in self.totals.iter_mut().zip(won.paid) {
            *total += points;
        }
        assert_eq!(game["totals"], json!(self.totals), "after deal {number}");
    }

    /// Kills the service and starts another on the same folder, which must have the same state.
    fn kill(&mut self) {
        let before = self.phone.look();
        self.service.process.kill().expect("it runs");
        self.service = serve(&self.folder);
        self.phone.address = self.service.address;
        assert_eq!(self.phone.look(), before, "a kill loses nothing");
    }

    /// Asserts that the evening has ended, after this number of deals.
    fn expect_end(&mut self, deals: usize) {
        let end = self.phone.look();
        assert_eq!((&end["state"], &end["next"]), (&json!("complete"), &Value::Null));
        assert_eq!(end["rows"].as_array().map(Vec::len), Some(deals));
        assert_eq!(end["totals"], json!(self.totals));
        assert_eq!(self.totals.iter().sum::<i32>(), 0);
        assert_eq!(end["standings"][0]["table_points"], Value::Null, "these rules know none");
        assert!(2 * self.by_photo >= deals, "{} of {deals} photos read for sure", self.by_photo);
    }
}

/// Returns the seat of a player.
fn seat_of(seats: [usize; 4], player: usize) -> usize {
    seats.iter().position(|&one| one == player).expect("everybody sits")
}

/// Converts points by seat to points by player.
fn by_player(seats: [usize; 4], by_seat: Points) -> Points {
    std::array::from_fn(|player| by_seat[seat_of(seats, player)])
}

/// Returns the relation of a player at a seat to the one whose tile is taken.
fn relation(seat: usize, from: usize) -> &'static str {
    ["right", "across", "left"][(from + 3 - seat) % 4]
}

/// Returns the payments by 1.4 of the Danish supplement: the discarder pays everything, on a
/// self-draw East a half and the others a quarter, to East a third each; 1.4.1: after four claimed
/// chows the player to the left pays, no matter who discarded.
fn mmm_payments(sample: &Sample, total: i32, winner: usize, discarder: Option<usize>) -> Points {
    let melds = sample.hand["melds"].as_array().expect("melds");
    let called = melds.iter().filter(|meld| meld["kind"] == "chow" && meld["from"] == "left");
    let liable = (called.count() == 4).then_some((winner + 3) % 4);
    let mut paid: Points = std::array::from_fn(|seat| match liable.or(discarder) {
        Some(payer) => -total * i32::from(seat == payer),
        None if winner == 0 => -total / 3,
        None if seat == 0 => -total / 2,
        None => -total / 4,
    });
    paid[winner] = total;
    paid
}

#[test]
fn an_evening_of_mmm() {
    let mut table = Table::new("mmm");
    let rendered = ["mmm-kongs", "mmm-four-chows"].map(Sample::of_game);
    let mut photos = Samples::new(rendered.into_iter().chain(samples()).collect());
    for deal in 0..16 {
        // 0.4.1, 0.4.2: the winds always rotate, no matter who wins; players keep their places.
        let (round, turn) = (deal / 4, deal % 4);
        let seats: [usize; 4] = std::array::from_fn(|seat| (seat + turn) % 4);
        table.expect_deal(deal + 1, round, seats);
        let winner = (deal * 5 + 1) % 4;
        let discarder = (winner + 1 + deal % 3) % 4;
        let (seat, fed) = (seat_of(seats, winner), seat_of(seats, discarder));
        let shown = Some(relation(seat, fed));
        let (sample, total) =
            photos.find_win(|sample| sample.total("mmm", (WINDS[seat], WINDS[round]), shown));
        let discarder = (!sample.self_drawn).then_some(discarder);
        let fed = discarder.map(|_| fed);
        let paid = by_player(seats, mmm_payments(sample, total, seat, fed));
        let win = json!({ "winner": winner, "discarder": discarder });
        table.play(deal + 1, &WonHand { sample, win, total, paid });
        match deal {
            // Two open kongs of officers, one of the round wind, a pung and a pair of dragons: one
            // and a half doublings.
            0 => assert_eq!((total, paid), (28, [0, 28, -28, 0])),
            // Four called chows and a called pair: one doubling. Anna, West, fed it; Bo, East, sits
            // left of Clara.
            1 => assert_eq!((winner, discarder, paid), (2, Some(0), [0, -20, 20, 0])),
            8 => table.kill(),
            _ => {}
        }
    }
    table.expect_end(16);
}

/// Returns three hands that did not win, with their values in any seat: an exposed pung of 2 to 8
/// counts 2, a concealed one 4, a concealed pung of ones or nines 8. Together with the winning hand
/// no tile appears more than four times.
fn losing(winning: &Value) -> [(String, i32); 3] {
    let text = winning.to_string();
    let free = |ranks: &[u8]| {
        let suits = ["m", "p", "s"].into_iter();
        let mut kinds = suits.flat_map(|suit| ranks.iter().map(move |rank| (*rank, suit)));
        let kind =
            kinds.find(|(rank, suit)| text.matches(&format!("\"{rank}{suit}\"")).count() < 2);
        let (rank, suit) = kind.expect("a hand has not two of every kind");
        format!("{rank}{rank}{rank}{suit}")
    };
    [(format!("[{},1]", free(&[3, 5, 7])), 2), (free(&[2, 4, 6, 8]), 4), (free(&[1, 9]), 8)]
}

/// Returns the payments by the German rules: all others pay the winner and pay each other the
/// difference, doubled if East is one of the two. After a dangerous discard that player pays for
/// everyone.
fn classical_payments(
    total: i32,
    winner: usize,
    others: &[(usize, i32)],
    dangerous: Option<usize>,
) -> Points {
    let factor = |one: usize, other: usize| if one == 0 || other == 0 { 2 } else { 1 };
    let mut paid = [0; 4];
    let mut pay = |payer: usize, to: usize, points: i32| {
        paid[payer] -= points;
        paid[to] += points;
    };
    for seat in (0..4).filter(|&seat| seat != winner) {
        pay(dangerous.unwrap_or(seat), winner, total * factor(seat, winner));
    }
    // The player who pays for everyone also pays East's double part.
    if dangerous.is_none() {
        for (at, &(seat, worth)) in others.iter().enumerate() {
            for &(other, its_worth) in &others[at + 1..] {
                pay(seat, other, (its_worth - worth) * factor(seat, other));
            }
        }
    }
    paid
}

/// A deal of the classical game: the seats and the round, the winning seat, and the seat that
/// discarded.
struct Deal {
    number: usize,
    round: usize,
    seats: [usize; 4],
    seat: usize,
    fed: usize,
}

impl Deal {
    /// Returns the context of the winning hand and the payments, and whether the discard was
    /// dangerous.
    fn won<'a>(&self, photos: &'a mut Samples) -> (WonHand<'a>, bool) {
        let Deal { number, round, seats, seat, fed } = *self;
        let (winds, shown) = ((WINDS[seat], WINDS[round]), Some(relation(seat, fed)));
        let (sample, total) =
            photos.find_win(|sample| sample.total("classical-dmjl", winds, shown));
        let dangerous = (!sample.self_drawn && number % 4 == 3).then_some(fed);
        // In one deal a hand is not given: the payments between its player and the other two stay
        // open.
        let looked = if number == 4 { 2 } else { 3 };
        let losers = (0..4).filter(|&one| one != seat);
        let held: Vec<_> = losers.zip(losing(&sample.hand)).take(looked).collect();
        let worth: Vec<_> = held.iter().map(|(one, (_, worth))| (*one, *worth)).collect();
        let others =
            held.iter().map(|(one, (hand, _))| json!({ "player": seats[*one], "hand": hand }));
        let others: Vec<_> = others.collect();
        let declared: &[&str] = if dangerous.is_some() { &["dangerous_game"] } else { &[] };
        let discarder = (!sample.self_drawn).then_some(seats[fed]);
        let win = json!({ "winner": seats[seat], "discarder": discarder, "others": others,
            "context": { "declared": declared } });
        let paid = by_player(seats, classical_payments(total, seat, &worth, dangerous));
        (WonHand { sample, win, total, paid }, dangerous.is_some())
    }
}

#[test]
fn an_evening_of_the_classical_game() {
    let mut table = Table::new("classical-dmjl");
    let rendered = std::iter::once(Sample::of_game("classical-east"));
    let mut photos = Samples::new(rendered.chain(samples()).collect());
    let (mut round, mut dealer, mut number) = (0, 0, 0);
    let (mut stayed, mut dangers) = (0, 0);
    while round < 4 {
        number += 1;
        let seats: [usize; 4] = std::array::from_fn(|seat| (seat + dealer) % 4);
        table.expect_deal(number, round, seats);
        if number == 5 {
            // East deals again after a draw.
            let game = table.phone.change(&json!({ "kind": "add", "play": { "kind": "draw" } }));
            assert_eq!(game["totals"], json!(table.totals));
            stayed += 1;
            continue;
        }
        let seat = if number % 6 == 1 { 0 } else { 1 + number % 3 };
        let fed = (seat + 1 + number % 2) % 4;
        let (won, dangerous) = Deal { number, round, seats, seat, fed }.won(&mut photos);
        table.play(number, &won);
        dangers += usize::from(dangerous);
        match number {
            // As in tests/reading/games.rs. Bo, Clara and Dorte hold 2, 4 and 8.
            1 => assert_eq!((won.total, won.paid), (84, [504, -176, -170, -158])),
            10 => table.kill(),
            _ => {}
        }
        if seat == 0 {
            stayed += 1;
        } else {
            dealer = (dealer + 1) % 4;
            round += usize::from(dealer == 0);
        }
    }
    assert!(stayed >= 3 && dangers >= 2, "{stayed} deals stayed, {dangers} dangerous discards");
    assert_eq!(number, 16 + stayed);
    table.expect_end(number);
}
