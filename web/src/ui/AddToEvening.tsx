/**
 * Adds a hand to the evening: asks for the winner and the discarder; seat and round follow from the
 * game. A hand opened from a row of the sheet corrects that row.
 */
import { useEffect } from 'preact/hooks';
import type { Deal, Game, Player, Wind } from '../api/types';
import { t } from '../i18n';
import { isSelfDrawn, toSend } from '../model/context';
import { dealFor, missing, PLAYERS, seatOf, toPlay, withGame } from '../model/evening';
import { print } from '../model/notation';
import { WINDS } from '../model/payments';
import { enter, game, playing, showing } from '../state/evening';
import { type Entry, leave, othersOf, setContext } from '../state/hands';
import { forget } from './focus';
import { OtherHands } from './OtherHands';
import { Segmented } from './Segmented';

/** The table of a hand: in an evening's game, or on its own. */
export function AtTheTable({ entry }: { readonly entry: Entry }) {
  const now = game.value;
  const deal = now && dealFor(now, entry.won.value.entry);
  const entering = playing.value || entry.won.value.entry !== null;
  if (now && deal && entering) return <AddToEvening entry={entry} game={now} deal={deal} />;
  return <OtherHands entry={entry} nameOf={(seat) => t.value.winds[seat]} />;
}

interface Props {
  readonly entry: Entry;
  readonly game: Game;
  readonly deal: Deal;
}

function AddToEvening({ entry, game: now, deal }: Props) {
  const words = t.value.evening;
  const won = entry.won.value;
  const ofGame = withGame(entry.context.value, deal, won);
  const known = JSON.stringify(ofGame);
  // The context shows what the game knows, and the score uses this seat and round.
  useEffect(() => {
    if (known !== JSON.stringify(entry.context.peek())) setContext(entry, ofGame);
  }, [known]);
  const lacks = missing(ofGame, won);
  const scoring = entry.scoring.value;
  const score =
    scoring.kind === 'done' && scoring.fresh
      ? scoring.scores.find(({ ruleset }) => ruleset === now.ruleset)?.score
      : undefined;
  const label = (player: Player): string => `${now.players[player]} (${t.value.winds[seatOf(deal, player)]})`;
  const nameOf = (seat: Wind): string => label(deal.seats[WINDS.indexOf(seat)] ?? 0);
  const players = (not: Player | null) =>
    PLAYERS.filter((player) => player !== not).map((player) => ({
      value: String(player),
      label: label(player),
    }));
  const add = (): void => {
    const hand = entry.hand.value;
    const play = toPlay(print(hand), toSend(ofGame, hand), won, { deal, others: othersOf(entry) });
    if (!play) return;
    enter(won.entry === null ? { kind: 'add', play } : { kind: 'correct', entry: won.entry, play });
    showing.value = true;
    forget();
    leave(entry);
  };
  return (
    <section class="to-evening card" aria-labelledby="to-evening-title">
      <h2 id="to-evening-title">
        {won.entry === null
          ? words.deal(deal.number, t.value.winds[deal.round])
          : words.correcting(deal.number)}
      </h2>
      <Segmented
        legend={words.winner}
        name={`winner-${entry.id}`}
        value={won.winner === null ? null : String(won.winner)}
        options={players(null)}
        onChoose={(value) => {
          const winner = Number(value) as Player;
          const discarder = won.discarder === winner ? null : won.discarder;
          entry.won.value = { ...won, winner, discarder };
        }}
      />
      {won.winner !== null && !isSelfDrawn(ofGame.win) && (
        <Segmented
          legend={words.discarder}
          name={`discarder-${entry.id}`}
          value={won.discarder === null ? null : String(won.discarder)}
          options={players(won.winner)}
          onChoose={(value) => {
            // A discarder implies that the hand was won by a discard.
            if (ofGame.win === undefined) setContext(entry, { ...ofGame, win: 'discard' });
            entry.won.value = { ...won, discarder: Number(value) as Player };
          }}
        />
      )}
      {ofGame.win === undefined && won.winner !== null && (
        <button type="button" onClick={() => setContext(entry, { ...ofGame, win: 'self_drawn' })}>
          {t.value.wins.self_drawn}
        </button>
      )}
      {won.winner !== null && <OtherHands entry={entry} nameOf={nameOf} />}
      <button type="button" class="primary" disabled={lacks !== null || !score?.legal} onClick={add}>
        {won.entry === null ? words.add : words.correct}
        {score && ` · ${t.value.total(score.total)}`}
      </button>
    </section>
  );
}
