/**
 * A deal as it is played: who won, then from whom, which opens the camera at once. Without a photo
 * the hand is typed, or only its points are entered, and who pays follows from the rules. A deal
 * that was entered by its points is corrected in the same way.
 */
import { type Signal, useSignal } from '@preact/signals';
import type { Deal, Game, GameRow, Player } from '../api/types';
import { t } from '../i18n';
import {
  handPoints,
  MAX_HAND_POINTS,
  PLAYERS,
  paymentsOf,
  signed,
  type WrongTotal,
  wrongTotal,
} from '../model/evening';
import { EMPTY } from '../model/hand';
import { enter } from '../state/evening';
import { addPhotoOf, addTyped } from '../state/hand/open';
import type { WonBy } from '../state/hand/table';
import { allRulesets, usualContext } from '../state/prefs';
import { view } from '../state/viewfinder';
import { canWatch, FileButton } from './Home';
import { Segmented } from './Segmented';
import { ValuesButton } from './ValueTable';
import { totalText } from './words';

export type Way = 'photo' | 'library' | 'live' | 'typed' | 'points';
const WAYS: readonly Way[] = ['photo', 'library', 'live', 'typed', 'points'];

interface Props {
  readonly game: Game;
  readonly deal: Deal;
  /** The row that is corrected; absent for the next deal. */
  readonly row?: GameRow;
  readonly onDone?: () => void;
}

interface DealWonProps extends Props {
  /** Way in which hands are entered, which stays from deal to deal. */
  readonly way: Signal<Way>;
}

export function DealWon({ game, deal, row, way, onDone }: DealWonProps) {
  const words = t.value.evening;
  const before = row?.play.kind === 'points' ? row.play : null;
  const winner = useSignal<Player | null>(before?.winner ?? null);
  const discarder = useSignal<Player | null | 'self'>(before && (before.discarder ?? 'self'));
  const name = `deal${row ? `-${row.entry}` : ''}`;
  const seats = deal.seats.map((player, at) => ({
    value: String(player),
    label: `${t.value.winds[WINDS[at] ?? 'E']} · ${game.players[player]}`,
  }));
  const won = winner.value;
  return (
    <div class="deal-won">
      <Segmented
        legend={words.winner}
        name={`${name}-winner`}
        value={won === null ? null : String(won)}
        options={seats}
        onChoose={(value) => {
          winner.value = Number(value) as Player;
          discarder.value = null;
        }}
      />
      {won !== null && (
        <>
          <From
            game={game}
            winner={won}
            entry={row?.entry ?? null}
            way={way.value}
            chosen={discarder.value}
            onChoose={(from) => {
              discarder.value = from ?? 'self';
            }}
          />
          {way.value === 'points' && discarder.value !== null && (
            <Points
              game={game}
              deal={deal}
              {...(row && { row })}
              winner={won}
              discarder={discarder.value === 'self' ? null : discarder.value}
              onDone={() => {
                winner.value = null;
                discarder.value = null;
                onDone?.();
              }}
            />
          )}
          <Segmented
            legend={words.way}
            name={`${name}-way`}
            value={way.value}
            options={WAYS.filter((value) => value !== 'live' || canWatch()).map((value) => ({
              value,
              label: value === 'live' ? t.value.live.title : words.ways[value],
            }))}
            onChoose={(value) => {
              way.value = value;
              discarder.value = null;
            }}
          />
        </>
      )}
    </div>
  );
}

const WINDS = ['E', 'S', 'W', 'N'] as const;

interface FromProps {
  readonly game: Game;
  readonly winner: Player;
  /** The entry that is corrected; `null` for the next deal. */
  readonly entry: number | null;
  readonly way: Way;
  readonly chosen: Player | null | 'self';
  readonly onChoose: (from: Player | null) => void;
}

/** By a self-draw or from whom: the answer leads on to the hand. */
function From({ game, winner, entry, way, chosen, onChoose }: FromProps) {
  const words = t.value.evening;
  const wonBy = (from: Player | null): WonBy => ({ winner, discarder: from, entry });
  const answers: readonly (Player | null)[] = [null, ...PLAYERS.filter((one) => one !== winner)];
  const go = (from: Player | null) => () => {
    if (way === 'live') view({ won: wonBy(from), win: winOf(from) });
    else if (way === 'typed') addTyped(EMPTY, { ...usualContext(), win: winOf(from) }, wonBy(from));
    else onChoose(from);
  };
  return (
    <fieldset class="asked ask-from">
      <legend>{t.value.outcome.how}</legend>
      <div class="answers">
        {answers.map((from) => {
          const label = from === null ? t.value.wins.self_drawn : words.from(game.players[from] ?? '');
          return way === 'photo' || way === 'library' ? (
            <FileButton
              key={label}
              label={label}
              class="button snap"
              capture={way === 'photo'}
              single
              onFiles={([file]) => file && addPhotoOf(file, wonBy(from), winOf(from))}
            />
          ) : (
            <button
              key={label}
              type="button"
              aria-pressed={way === 'points' ? chosen === (from ?? 'self') : undefined}
              onClick={go(from)}
            >
              {label}
            </button>
          );
        })}
      </div>
    </fieldset>
  );
}

const winOf = (from: Player | null) => (from === null ? 'self_drawn' : 'discard');

/** Says why no hand has the points, and what is possible. */
function wrongTotalText(wrong: WrongTotal, inFaan: boolean): string {
  const words = t.value.evening;
  switch (wrong.kind) {
    case 'minimum':
      return words.belowMinimum(totalText([wrong.minimum, wrong.minimum], inFaan), words.byHand);
    case 'counters':
      return t.value.riichi.withCounters(wrong.counters, wrong.total);
    case 'none':
      return t.value.riichi.noSuchTotal(wrong.near.join(', '));
  }
}

interface PointsProps extends Props {
  readonly winner: Player;
  readonly discarder: Player | null;
  readonly onDone: () => void;
}

/** The points of a hand; who will pay is shown before it is entered. */
function Points({ game, deal, row, winner, discarder, onDone }: PointsProps) {
  const words = t.value.evening;
  const text = useSignal(row?.play.kind === 'points' ? String(row.play.points) : '');
  const points = handPoints(text.value);
  const rules = allRulesets.value.find(({ id }) => id === game.ruleset);
  const play = points === null ? null : ({ kind: 'points', winner, discarder, points } as const);
  const refused = play && rules ? wrongTotal(rules, deal, play) : null;
  const payments = play && rules && !refused ? paymentsOf(rules, deal, play) : null;
  const wrong = (play === null && text.value !== '') || refused !== null;
  const inFaan = rules?.minimum_unit === 'faan';
  const id = `points-state${row ? `-${row.entry}` : ''}`;
  return (
    <form
      class="points-line"
      onSubmit={(event) => {
        event.preventDefault();
        if (!play || refused) return;
        enter(row ? { kind: 'correct', entry: row.entry, play } : { kind: 'add', play });
        onDone();
      }}
    >
      <label>
        {inFaan ? t.value.faan : words.pointsOfHand}
        <input
          type="text"
          inputMode="numeric"
          aria-invalid={wrong}
          aria-describedby={id}
          value={text.value}
          onInput={({ currentTarget }) => {
            text.value = currentTarget.value.trim();
          }}
        />
      </label>
      <button type="submit" class="primary" disabled={!play || refused !== null}>
        {words.enter}
      </button>
      {(rules?.value_table || rules?.values) && (
        <p class="help">
          {rules.value_table && t.value.riichi.pointsHelp} <ValuesButton ruleset={rules.id} />
        </p>
      )}
      <p id={id} class={wrong ? 'help wrong' : 'help'} role="status">
        {wrong && (refused ? wrongTotalText(refused, inFaan) : words.wrongPoints(MAX_HAND_POINTS))}
        {payments &&
          PLAYERS.map((player) => `${game.players[player]} ${signed(payments[player] ?? 0)}`).join(', ')}
      </p>
    </form>
  );
}
