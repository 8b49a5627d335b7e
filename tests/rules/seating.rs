//! Laws of the seating of a series, and known optima of the social golfer problem.

use proptest::prelude::*;
use tilesight_core::series::{Encounters, Seating, SeatingPlan, SeriesPlayer, seat};

fn players(count: usize) -> Vec<SeriesPlayer> {
    (0..count).map(SeriesPlayer::from_index).collect()
}

/// Seats rounds one after the other and returns them.
fn seat_rounds(count: usize, seats: usize, rounds: usize, seed: u64) -> (Vec<Seating>, Encounters) {
    let present = players(count);
    let mut met = Encounters::new(count, seats);
    let mut all = Vec::new();
    for round in 0..rounds {
        let plan = SeatingPlan {
            present: &present,
            guests: 0,
            seats,
            rounds: rounds - round,
            before: &met,
            seed: seed + round as u64,
        };
        let seating = seat(&plan);
        add(&mut met, &seating);
        all.push(seating);
    }
    (all, met)
}

fn add(met: &mut Encounters, seating: &Seating) {
    seating.tables.iter().for_each(|table| met.add_table(table));
    seating.resting.iter().for_each(|player| met.add_rest(*player));
}

/// Returns how often the pairs met, at least and at most.
fn extremes(met: &Encounters, count: usize) -> (u16, u16) {
    let all = players(count);
    let pairs = all
        .iter()
        .enumerate()
        .flat_map(|(at, one)| all[at + 1..].iter().map(|other| met.count_between(*one, *other)));
    let times: Vec<u16> = pairs.collect();
    (times.iter().copied().min().unwrap_or(0), times.iter().copied().max().unwrap_or(0))
}

/// The social golfer problem (CSPLib 010): in these cases no two players need to meet twice.
/// Sixteen players at tables of four meet all others in five rounds, as the affine plane of order
/// four shows, and so do nine at tables of three in four rounds.
#[test]
fn known_optima_are_found_round_by_round() {
    for (count, seats, rounds, each) in
        [(16, 4, 5, true), (9, 3, 4, true), (20, 4, 4, false), (24, 4, 5, false), (18, 3, 6, false)]
    {
        for seed in [1, 2] {
            let (_, met) = seat_rounds(count, seats, rounds, seed);
            let (least, most) = extremes(&met, count);
            assert_eq!(most, 1, "{count} players, {seats} seats, {rounds} rounds, seed {seed}");
            assert_eq!(least == 1, each, "{count} players, {rounds} rounds");
        }
    }
}

/// Four players meet in every round, and eight can't avoid it: in each table of the second round
/// there are two pairs at least.
#[test]
fn encounters_that_must_be_repeated_are_spread() {
    let (_, met) = seat_rounds(4, 4, 3, 1);
    assert_eq!(extremes(&met, 4), (3, 3));
    // A resolvable 3-design: eight players in seven rounds meet three times each.
    let (_, met) = seat_rounds(8, 4, 7, 1);
    assert_eq!(extremes(&met, 8), (3, 3));
}

#[test]
fn two_hundred_players_meet_nobody_twice_in_three_rounds() {
    let (rounds, met) = seat_rounds(200, 4, 3, 7);
    assert!(rounds.iter().all(|round| round.tables.len() == 50));
    assert_eq!(extremes(&met, 200).1, 1);
}

#[test]
fn seats_of_the_first_deal_change() {
    let (rounds, _) = seat_rounds(16, 4, 4, 5);
    for player in players(16) {
        let chairs = rounds.iter().filter_map(|round| {
            round.tables.iter().find_map(|table| table.iter().position(|one| *one == Some(player)))
        });
        let mut chairs: Vec<usize> = chairs.collect();
        chairs.sort_unstable();
        chairs.dedup();
        assert!(chairs.len() >= 2, "{player}: {chairs:?}");
    }
}

#[test]
fn rests_go_round() {
    let (rounds, met) = seat_rounds(6, 4, 3, 1);
    assert!(rounds.iter().all(|round| round.resting.len() == 2));
    assert!(players(6).iter().all(|player| met.rests_of(*player) == 1));
}

#[test]
fn guests_fill_a_table_only_if_they_suffice() {
    let present = players(6);
    let met = Encounters::new(6, 4);
    let plan =
        SeatingPlan { present: &present, guests: 3, seats: 4, rounds: 1, before: &met, seed: 1 };
    let seating = seat(&plan);
    let empty = seating.tables.iter().flatten().filter(|chair| chair.is_none()).count();
    assert_eq!((seating.tables.len(), empty, seating.resting.len()), (2, 2, 0));
    let seating = seat(&SeatingPlan { guests: 1, ..plan });
    assert_eq!((seating.tables.len(), seating.resting.len()), (1, 2));
    let seating = seat(&SeatingPlan { present: &present[..3], guests: 0, ..plan });
    assert_eq!((seating.tables.len(), seating.resting.len()), (0, 3));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn everybody_sits_once_or_rests(
        count in 3_usize..28,
        seats in 3_usize..5,
        absent in proptest::collection::vec(0_usize..28, 0..5),
        guests in 0_usize..5,
        rounds in 1_usize..4,
        seed in any::<u64>(),
    ) {
        let (_, mut met) = seat_rounds(count, seats, 2, seed >> 1);
        let present: Vec<_> =
            players(count).into_iter().filter(|one| !absent.contains(&one.index())).collect();
        let plan = SeatingPlan { present: &present, guests, seats, rounds, before: &met, seed };
        let seating = seat(&plan);
        prop_assert_eq!(&seat(&plan), &seating, "the same seed has the same seating");
        let mut seen: Vec<_> = seating.tables.iter().flatten().flatten().copied().collect();
        seen.extend(&seating.resting);
        seen.sort_unstable();
        prop_assert_eq!(&seen, &present);
        prop_assert!(seating.tables.iter().all(|table| table.len() == seats));
        let called = seating.tables.iter().flatten().filter(|one| one.is_none()).count();
        prop_assert!(called <= guests && called < seats);
        prop_assert!(seating.resting.len() < seats);
        let fewest = present.iter().map(|one| met.rests_of(*one)).min().unwrap_or(0);
        let spared = present.iter().filter(|one| met.rests_of(**one) == fewest).count();
        for player in &seating.resting {
            prop_assert!(met.rests_of(*player) == fewest || spared < seating.resting.len());
        }
        // Encounters are counted: those of a table of full players are one more for each pair.
        let before = met.clone();
        add(&mut met, &seating);
        for one in &present {
            for other in present.iter().filter(|other| *other > one) {
                let share = seating.tables.iter().any(|table| {
                    table.contains(&Some(*one)) && table.contains(&Some(*other))
                });
                prop_assert_eq!(met.count_between(*one, *other), before.count_between(*one, *other) + u16::from(share));
            }
        }
    }
}
