/** The names of seats: those of the players in an evening, otherwise the winds. */
import type { Feeder, Wind } from '../api/types';
import { t } from '../i18n';
import { dealFor, relationOf } from '../model/evening';
import { WINDS } from '../model/payments';
import { game, isEntering } from '../state/evening';
import type { WonBy } from '../state/hand/table';

/** Before the winner is known, the seat of the hand is assumed, and no seat has a name. */
export function seatNames(won: WonBy): (seat: Wind) => string {
  const now = game.value;
  const deal = now && isEntering(won) ? dealFor(now, won) : null;
  return (seat) => {
    const player = won.winner === null ? undefined : deal?.seats[WINDS.indexOf(seat)];
    return (player === undefined ? undefined : now?.players[player]) ?? t.value.winds[seat];
  };
}

/** Names who may have fed the set that makes them liable: the players in an evening, otherwise their places. */
export function feederNames(won: WonBy): (feeder: Feeder) => string {
  const now = game.value;
  const { winner } = won;
  const deal = now && isEntering(won) ? dealFor(now, won) : null;
  return (feeder) => {
    const player =
      deal && winner !== null
        ? deal.seats.find((one) => one !== winner && relationOf(deal, winner, one) === feeder)
        : undefined;
    return (player === undefined ? undefined : now?.players[player]) ?? t.value.feeders[feeder];
  };
}
