/**
 * Adds a hand to the evening: asks for the winner and the discarder; seat and round follow from the
 * game. A hand opened from a row of the sheet corrects that row.
 */
import { useEffect } from 'preact/hooks';
import type { Deal, Game, Player, Wind, WinKind } from '../api/types';
import { t } from '../i18n';
import { isSelfDrawn, toSend } from '../model/context';
import { dealFor, missing, PLAYERS, seatOf, toPlay, withGame } from '../model/evening';
import { print } from '../model/notation';
import { WINDS } from '../model/payments';
import { enter, game, isEntering, showing } from '../state/evening';
import { type Entry, leave, othersOf, setContext, type WonBy } from '../state/hands';
import { forget } from './focus';
import { OtherHands } from './OtherHands';
import { Segmented } from './Segmented';

/** The table of a hand that is entered into the evening's game; nothing for any other hand. */
export function AtTheTable({ entry }: { readonly entry: Entry }) {
  const now = game.value;
  const deal = now && dealFor(now, entry.won.value.entry);
  if (!now || !deal || !isEntering(entry.won.value.entry)) return null;
  return <AddToEvening entry={entry} game={now} deal={deal} />;
}

/** The other players' hands, by the names that they have in the evening. */
export function OtherHandsAtTheTable({ entry }: { readonly entry: Entry }) {
  const now = game.value;
  const deal = now && dealFor(now, entry.won.value.entry);
  if (!now || !deal || !isEntering(entry.won.value.entry)) {
    return <OtherHands entry={entry} nameOf={(seat) => t.value.winds[seat]} />;
  }
  if (entry.won.value.winner === null) return null;
  const nameOf = (seat: Wind): string => playerLabel(now, deal, deal.seats[WINDS.indexOf(seat)] ?? 0);
  return <OtherHands entry={entry} nameOf={nameOf} />;
}

const playerLabel = (now: Game, deal: Deal, player: Player): string =>
  `${now.players[player]} (${t.value.winds[seatOf(deal, player)]})`;

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
  const label = (player: Player): string => playerLabel(now, deal, player);
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
    <section class="to-evening" aria-labelledby="to-evening-title">
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
      {won.winner !== null && (
        <Segmented
          legend={t.value.outcome.how}
          name={`how-${entry.id}`}
          value={howOf(ofGame.win, won)}
          options={[
            { value: 'self', label: t.value.wins.self_drawn },
            ...players(won.winner).map(({ value, label }) => ({ value, label: words.from(label) })),
          ]}
          onChoose={(value) => {
            const { from: _, ...rest } = ofGame;
            const self = value === 'self';
            // A robbed kong stays one, and so does a kong replacement.
            const win =
              self === isSelfDrawn(rest.win) && rest.win ? rest.win : self ? 'self_drawn' : 'discard';
            setContext(entry, { ...rest, win });
            entry.won.value = { ...won, discarder: self ? null : (Number(value) as Player) };
          }}
        />
      )}
      <button type="button" class="primary" disabled={lacks !== null || !score?.legal} onClick={add}>
        {won.entry === null ? words.add : words.correct}
        {score && ` · ${t.value.total(score.total)}`}
      </button>
    </section>
  );
}

/** How the hand was won, as one answer: by a self-draw, or from a player. */
function howOf(win: WinKind | undefined, { discarder }: WonBy): string | null {
  if (isSelfDrawn(win)) return 'self';
  return discarder === null ? null : String(discarder);
}
