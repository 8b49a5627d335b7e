/**
 * A win as it is entered: who won, then from whom, which opens the camera at once. Without a photo the
 * hand is typed, or only its value is chosen, and who pays follows from the rules. A deal that was
 * entered by its value is corrected in the same way.
 */
import { type Signal, useSignal } from '@preact/signals';
import type { Deal, Game, GameRow, Player } from '../api/types';
import { t } from '../i18n';
import { playersOf } from '../model/evening';
import { EMPTY } from '../model/hand';
import { WINDS } from '../model/payments';
import { addPhotoOf, addTyped } from '../state/hand/open';
import type { WonBy } from '../state/hand/table';
import { usualContext } from '../state/prefs';
import { view } from '../state/viewfinder';
import { WAYS, type Way } from '../state/way';
import { HandValue } from './HandValue';
import { canWatch, FileButton } from './Home';
import { Segmented } from './Segmented';
import { Settling } from './Settling';
import { Sheet } from './Sheet';

interface Props {
  readonly game: Game;
  readonly deal: Deal;
  /** Winner, where known. */
  readonly by: Player | null;
  /** The row that is corrected; absent for the next deal. */
  readonly row?: GameRow;
  /** Way in which hands are entered, which stays from deal to deal. */
  readonly way: Signal<Way>;
  readonly onClose: () => void;
}

export function WinSheet({ game, deal, by, row, way, onClose }: Props) {
  const words = t.value.evening;
  const before = row?.play.kind === 'points' ? row.play : null;
  const winner = useSignal<Player | null>(by);
  const from = useSignal<Player | null | 'self'>(before && (before.discarder ?? 'self'));
  const won = winner.value;
  const seats = deal.seats.map((player, at) => ({
    value: String(player),
    label: `${t.value.winds[WINDS[at] ?? 'E']} · ${game.players[player]}`,
  }));
  const ways = WAYS.filter((value) => value !== 'live' || canWatch()).map((value) => ({
    value,
    label: value === 'live' ? t.value.live.title : words.ways[value],
  }));
  return (
    <Sheet title={row ? words.correcting(deal.number) : words.win} onClose={onClose}>
      <Settling class="deal-won" about="win">
        <Segmented
          legend={words.winner}
          name="deal-winner"
          value={won === null ? null : String(won)}
          options={seats}
          onChoose={(value) => {
            winner.value = Number(value) as Player;
            from.value = null;
          }}
        />
        {won !== null && (
          <From
            game={game}
            wonBy={{ winner: won, entry: row?.entry ?? null, beside: before?.same_discard ?? false }}
            way={way.value}
            chosen={from.value}
            onChoose={(chosen) => {
              from.value = chosen ?? 'self';
            }}
          />
        )}
        <Segmented
          legend={words.way}
          name="deal-way"
          value={way.value}
          options={ways}
          onChoose={(value) => {
            way.value = value;
            from.value = null;
          }}
        />
        {won !== null && way.value === 'points' && from.value !== null && (
          <HandValue
            key={`${won} ${from.value}`}
            game={game}
            deal={deal}
            {...(row && { row })}
            winner={won}
            discarder={from.value === 'self' ? null : from.value}
            onDone={onClose}
          />
        )}
      </Settling>
    </Sheet>
  );
}

interface FromProps {
  readonly game: Game;
  readonly wonBy: Omit<WonBy, 'discarder'> & { readonly winner: Player };
  readonly way: Way;
  readonly chosen: Player | null | 'self';
  readonly onChoose: (from: Player | null) => void;
}

/** By a self-draw or from whom: the answer leads on to the hand. */
function From({ game, wonBy, way, chosen, onChoose }: FromProps) {
  const words = t.value.evening;
  const others = playersOf(game).filter((one) => one !== wonBy.winner);
  const answers: readonly (Player | null)[] = [null, ...others];
  return (
    <fieldset class="asked ask-from">
      <legend>{t.value.outcome.how}</legend>
      <div class="answers">
        {answers.map((from) => (
          <FromAnswer
            key={from}
            label={from === null ? t.value.wins.self_drawn : words.from(game.players[from] ?? '')}
            won={{ ...wonBy, discarder: from }}
            way={way}
            isChosen={chosen === (from ?? 'self')}
            onChoose={() => onChoose(from)}
          />
        ))}
      </div>
    </fieldset>
  );
}

interface AnswerProps {
  readonly label: string;
  readonly won: WonBy;
  readonly way: Way;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function FromAnswer({ label, won, way, isChosen, onChoose }: AnswerProps) {
  const win = won.discarder === null ? 'self_drawn' : 'discard';
  if (way === 'photo' || way === 'library') {
    return (
      <FileButton
        label={label}
        class="button snap"
        capture={way === 'photo'}
        single
        onFiles={([file]) => file && addPhotoOf(file, won, win)}
      />
    );
  }
  const go = (): void => {
    if (way === 'live') view({ won, win });
    else if (way === 'typed') addTyped(EMPTY, { ...usualContext(), win }, won);
    else onChoose();
  };
  return (
    <button type="button" aria-pressed={way === 'points' ? isChosen : undefined} onClick={go}>
      {label}
    </button>
  );
}
