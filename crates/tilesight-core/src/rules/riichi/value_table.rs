//! The table of values: what is paid for every han and fu, under some options.
//!
//! Output: a row for each han and fu below a mangan, then a row for each limit. Invariant: the rows
//! come from the values that hands get, and rows that no hand can have are left out.

use std::collections::BTreeSet;

use super::figures::Limit;
use super::options::{Kazoe, Options};
use super::value::{HandValue, Payers, SelfDraw, discard};
use crate::context::Context;
use crate::tile::Wind;

/// Fu that hands have, seven pairs among them, up to four concealed kongs of terminals.
const FU: [u32; 11] = [20, 25, 30, 40, 50, 60, 70, 80, 90, 100, 110];

/// Payments for hands of some han and fu.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ValueRow {
    /// Least han of the row.
    pub han: u32,
    /// Fu; `None` if they make no difference.
    pub fu: Option<u32>,
    /// Limit of the row.
    pub limit: Option<Limit>,
    /// Payment of a discarder to East and to another player; `None` if no hand is claimed with
    /// these han and fu.
    pub discard: Option<RowPayments>,
    /// Payment of East and of each other player for another player's self-draw; `None` if no hand
    /// is drawn with these han and fu.
    pub self_draw: Option<RowPayments>,
    /// Payment of each player for East's self-draw.
    pub self_draw_to_east: Option<u32>,
}

/// Two amounts, one of which belongs to East.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowPayments {
    /// Amount of East.
    pub east: u32,
    /// Amount of another player.
    pub others: u32,
}

pub(super) fn value_table(options: &Options) -> Vec<ValueRow> {
    let below = (1..=4).flat_map(|han| FU.map(|fu| (han, fu)));
    let counted = match options.kazoe {
        Kazoe::Yakuman => 13,
        Kazoe::Sanbaiman => 11,
    };
    let limits = [5, 6, 8, 11, 13].into_iter().filter(|&han| han <= counted);
    let rows = below.filter(|&(han, fu)| !is_limited(han, fu, options)).map(|(han, fu)| {
        let row = row(han, fu, options);
        ValueRow {
            fu: Some(fu),
            // Pinfu self-drawn has 20 fu and at least two han; seven pairs have two.
            discard: row.discard.filter(|_| fu > 25 || is_claimed(han, fu, options)),
            self_draw: row.self_draw.filter(|_| is_drawn(han, fu)),
            self_draw_to_east: row.self_draw_to_east.filter(|_| is_drawn(han, fu)),
            ..row
        }
    });
    let rows = rows.filter(|row| row.discard.is_some() || row.self_draw.is_some());
    rows.chain(limits.map(|han| row(han, 30, options))).collect()
}

/// Returns the sums that a won hand can be paid, without counters, in rising order.
pub(super) fn totals(context: &Context, options: &Options) -> Vec<u32> {
    let is_east = context.seat == Wind::East;
    let payers = Payers::new(is_east, context.win.is_self_drawn(), options);
    let yakuman =
        (1..=options.max_yakuman()).map(|count| HandValue::from_yakuman(count, payers).payment);
    let others = options.seats().winds().len() as u32 - 1;
    let table = value_table(options);
    let counted = table.iter().filter_map(|row| match (context.win.is_self_drawn(), is_east) {
        (false, true) => row.discard.map(|paid| paid.east),
        (false, false) => row.discard.map(|paid| paid.others),
        (true, true) => row.self_draw_to_east.map(|paid| others * paid),
        (true, false) => row.self_draw.map(|paid| paid.east + (others - 1) * paid.others),
    });
    let totals: BTreeSet<u32> = counted.chain(yakuman).collect();
    totals.into_iter().collect()
}

fn is_limited(han: u32, fu: u32, options: &Options) -> bool {
    let payers = Payers::new(false, false, options);
    HandValue::from_han(han, fu, payers, options).limit.is_some()
}

/// Returns whether a hand of 20 or 25 fu can be won on a discard.
const fn is_claimed(han: u32, fu: u32, options: &Options) -> bool {
    match fu {
        25 => han >= 2,
        _ => options.open_pinfu_shape_fu == 20,
    }
}

/// Returns whether a hand can be self-drawn: pinfu and seven pairs have the self-draw beside their
/// own han.
const fn is_drawn(han: u32, fu: u32) -> bool {
    match fu {
        20 => han >= 2,
        25 => han >= 3,
        _ => true,
    }
}

fn row(han: u32, fu: u32, options: &Options) -> ValueRow {
    let payers = Payers::new(false, false, options);
    let HandValue { base, limit, .. } = HandValue::from_han(han, fu, payers, options);
    let SelfDraw { to_east, of_east, of_others } = payers.self_draw(base);
    ValueRow {
        han,
        fu: None,
        limit,
        discard: Some(RowPayments { east: discard(base, true), others: discard(base, false) }),
        self_draw: Some(RowPayments { east: of_east, others: of_others }),
        self_draw_to_east: Some(to_east),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::WinSource;
    use crate::meld::Relation;
    use crate::rules::riichi::options::MissingShare;

    #[test]
    fn the_table_has_every_hand_below_a_mangan_and_every_limit() {
        let table = value_table(&Options::TENHOU);
        let row = |han, fu| table.iter().find(|row| (row.han, row.fu) == (han, fu)).copied();
        let pinfu = row(2, Some(20)).expect("pinfu self-drawn");
        assert_eq!(pinfu.discard, None);
        assert_eq!(pinfu.self_draw, Some(RowPayments { east: 700, others: 400 }));
        let pairs = row(2, Some(25)).expect("seven pairs");
        assert_eq!(pairs.self_draw, None);
        assert_eq!(pairs.discard, Some(RowPayments { east: 2400, others: 1600 }));
        assert_eq!(row(1, Some(20)), None);
        assert_eq!(row(4, Some(40)), None, "a mangan");
        let limits: Vec<_> = table.iter().filter_map(|row| row.limit).collect();
        use Limit::{Baiman, Haneman, Mangan, Sanbaiman, Yakuman};
        assert_eq!(limits, [Mangan, Haneman, Baiman, Sanbaiman, Yakuman]);
    }

    fn totals_of(seat: Wind, win: WinSource) -> Vec<u32> {
        totals(&Context { seat, win, ..Context::PLAIN }, &Options::TENHOU)
    }

    /// The sums of the published table, and of several yakuman.
    #[test]
    fn the_sums_are_those_that_hands_are_paid() {
        let discard = WinSource::Discard { from: Relation::Left };
        let others = [
            1000, 1300, 1600, 2000, 2300, 2600, 2900, 3200, 3600, 3900, 4500, 5200, 5800, 6400,
            7100, 7700, 8000, 12000, 16000, 24000, 32000, 64000, 96000, 128_000,
        ];
        assert_eq!(totals_of(Wind::South, discard), others);
        let east = totals_of(Wind::East, WinSource::SelfDrawn);
        assert!(east.contains(&1500) && east.contains(&11700) && !east.contains(&1000), "{east:?}");
        assert!(east.iter().all(|total| total % 300 == 0), "three pay the same: {east:?}");
        let drawn = totals_of(Wind::North, WinSource::SelfDrawn);
        assert!(drawn.contains(&1100) && drawn.contains(&5200) && !drawn.contains(&1200));
    }

    #[test]
    fn three_players_who_divide_the_missing_share_pay_more_to_east() {
        let missing_share = MissingShare::Split;
        let options = Options { players: 3, missing_share, ..Options::TENHOU };
        let mangan = value_table(&options).into_iter().find(|row| row.limit.is_some());
        let mangan = mangan.expect("a mangan");
        assert_eq!(mangan.self_draw, Some(RowPayments { east: 5000, others: 3000 }));
        assert_eq!(mangan.self_draw_to_east, Some(6000));
        assert_eq!(mangan.discard, Some(RowPayments { east: 12000, others: 8000 }));
    }

    #[test]
    fn the_table_follows_the_options() {
        let options = Options { kiriage: true, kazoe: Kazoe::Sanbaiman, ..Options::TENHOU };
        let table = value_table(&options);
        assert!(table.iter().all(|row| (row.han, row.fu) != (4, Some(30))));
        assert_eq!(table.last().map(|row| row.limit), Some(Some(Limit::Sanbaiman)));
    }
}
