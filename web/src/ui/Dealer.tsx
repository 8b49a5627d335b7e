/**
 * Parts of the game of sixteen tiles: who deals and how often the dealer has stayed on, the winds of the
 * opened wall, and further winners by one discard.
 */
import { useSignal } from '@preact/signals';
import type { Context, ContextField, Deal, Game, OpenField, Player, Wind } from '../api/types';
import { t } from '../i18n';
import { mayStateEast, playersOf, sharedDiscard } from '../model/evening';
import { EMPTY } from '../model/hand';
import { WINDS } from '../model/payments';
import { MAX_COUNT } from '../model/riichi';
import { setContext } from '../state/hand/edit';
import type { Entry } from '../state/hand/entry';
import { addPhotoOf, addTyped } from '../state/hand/open';
import type { WonBy } from '../state/hand/table';
import { allRulesets, usualContext } from '../state/prefs';
import { HandValue } from './HandValue';
import { FileButton } from './Home';
import { type Asked, Leads, namedOutcome } from './Leads';
import { Stepper } from './Riichi';
import { Segmented } from './Segmented';
import { Settling } from './Settling';
import { Sheet } from './Sheet';

const rulesOf = ({ ruleset }: Game) => allRulesets.value.find(({ id }) => id === ruleset);

interface SeatProps {
  readonly legend: string;
  readonly name: string;
  readonly value: Wind | null;
  readonly onChoose: (seat: Wind) => void;
}

/** A seat: the dealer's can be any, because the opened wall gives the winds. */
function SeatOf({ legend, name, value, onChoose }: SeatProps) {
  return (
    <Segmented
      legend={legend}
      name={name}
      value={value}
      options={WINDS.map((seat) => ({ value: seat, label: t.value.winds[seat] }))}
      onChoose={onChoose}
    />
  );
}

/**
 * Asks who deals and how often he has stayed on, with the winner's seat if nobody gave it; a tap on the answer
 * takes what is shown.
 */
export function AskDealer({ entry, scored }: Asked) {
  const words = t.value.dealer;
  const context = entry.edit.context.value;
  const isSeatOpen = context.seat === undefined;
  // The fields below may be filled in meanwhile.
  const seat = useSignal<Wind | null>(null);
  const dealer = useSignal<Wind | null>(null);
  const streak = useSignal<number | null>(null);
  const who = dealer.value ?? context.dealer ?? 'E';
  const times = streak.value ?? context.dealer_streak ?? 0;
  const told: Context = {
    ...context,
    ...(isSeatOpen && { seat: seat.value ?? 'E' }),
    dealer: who,
    dealer_streak: times,
  };
  return (
    <fieldset class="asked ask-dealer">
      <legend>{words.ask}</legend>
      {isSeatOpen && (
        <SeatOf
          legend={t.value.fields.seat}
          name={`ask-seat-${entry.id}`}
          value={seat.value ?? 'E'}
          onChoose={(chosen) => {
            seat.value = chosen;
          }}
        />
      )}
      <SeatOf
        legend={words.fields.dealer}
        name={`ask-dealer-${entry.id}`}
        value={who}
        onChoose={(chosen) => {
          dealer.value = chosen;
        }}
      />
      <Stepper
        field="dealer_streak"
        name={words.fields.dealer_streak}
        value={times}
        max={MAX_COUNT}
        onChange={(value) => {
          streak.value = value;
        }}
      />
      <div class="answers">
        <button
          type="button"
          class="answer"
          data-answer="dealer"
          onClick={() => setContext(entry.edit, told)}
        >
          <span>
            {t.value.done}
            <Leads entry={entry} scored={scored} context={told} />
          </span>
        </button>
      </div>
    </fieldset>
  );
}

/** Asks whether the winner declared ready. */
export function AskReady({ entry, scored, open }: Asked & { readonly open: OpenField | null }) {
  const context = entry.edit.context.value;
  const answers = [
    { answer: '', label: t.value.dealer.notReady, declared: [] },
    { answer: 'ready', label: t.value.declared.ready, declared: ['ready'] },
  ];
  return (
    <fieldset class="asked ask-ready">
      <legend>{t.value.dealer.askReady}</legend>
      <div class="answers">
        {answers.map(({ answer, label, declared }) => (
          <button
            key={answer}
            type="button"
            class="answer"
            data-answer={answer || 'none'}
            onClick={() => setContext(entry.edit, { ...context, declared })}
          >
            <span>
              {label}
              <Leads
                entry={entry}
                scored={scored}
                context={{ ...context, declared }}
                named={namedOutcome(open, answer)}
              />
            </span>
          </button>
        ))}
      </div>
    </fieldset>
  );
}

interface FieldsProps {
  readonly id: string | number;
  readonly context: Context;
  /** The fields that matter. */
  readonly fields: ReadonlySet<ContextField>;
  readonly onChange: (context: Context) => void;
}

/** The fields of the win context about the dealer. */
export function DealerFields({ id, context, fields, onChange }: FieldsProps) {
  return (
    <>
      {fields.has('dealer') && (
        <SeatOf
          legend={t.value.dealer.fields.dealer}
          name={`dealer-${id}`}
          value={context.dealer ?? null}
          onChoose={(dealer) => onChange({ ...context, dealer })}
        />
      )}
      {fields.has('dealer_streak') && (
        <Stepper
          field="dealer_streak"
          name={t.value.dealer.fields.dealer_streak}
          value={context.dealer_streak ?? 0}
          max={MAX_COUNT}
          onChange={(value) => onChange({ ...context, dealer_streak: value })}
        />
      )}
    </>
  );
}

interface EastProps {
  readonly entry: Entry;
  readonly game: Game;
  readonly deal: Deal;
}

/** Asks who sits East where the opened wall gives the winds; the dealer until another one is chosen. */
export function OpenedWall({ entry, game, deal }: EastProps) {
  const rules = rulesOf(game);
  if (!rules || !mayStateEast(rules, game, deal, entry.table.won.value)) return null;
  return (
    <Segmented
      legend={t.value.dealer.east}
      name={`east-${entry.id}`}
      value={String(deal.seats[0])}
      options={playersOf(game).map((player) => ({
        value: String(player),
        label: game.players[player] ?? '',
      }))}
      onChoose={(value) => {
        const won = entry.table.won.value;
        entry.table.won.value = { ...won, east: Number(value) as Player };
      }}
    />
  );
}

/** Enters a further winner by the discard of the last entry, where the rules allow several. */
export function AlsoWon({ game }: { readonly game: Game }) {
  const words = t.value.dealer;
  const isOpen = useSignal(false);
  const shared = sharedDiscard(game);
  if (!shared) return null;
  const close = (): void => {
    isOpen.value = false;
  };
  return (
    <>
      <button
        type="button"
        onClick={() => {
          isOpen.value = true;
        }}
      >
        {words.alsoWon}
      </button>
      {isOpen.value && (
        <Sheet title={words.alsoWon} onClose={close}>
          <Settling class="deal-won" about="also-won">
            <Further game={game} shared={shared} onDone={close} />
          </Settling>
        </Sheet>
      )}
    </>
  );
}

interface FurtherProps {
  readonly game: Game;
  readonly shared: NonNullable<ReturnType<typeof sharedDiscard>>;
  readonly onDone: () => void;
}

function Further({ game, shared, onDone }: FurtherProps) {
  const words = t.value.evening;
  const { discarder, deal, others } = shared;
  const winner = useSignal<Player | null>(null);
  const won = winner.value;
  const wonBy: WonBy = { winner: won, discarder, entry: null, beside: true };
  return (
    <>
      <Segmented
        legend={words.winner}
        name="also-won"
        value={won === null ? null : String(won)}
        options={others.map((player) => ({ value: String(player), label: game.players[player] ?? '' }))}
        onChoose={(value) => {
          winner.value = Number(value) as Player;
        }}
      />
      {won !== null && (
        <>
          <div class="actions">
            <FileButton
              label={words.ways.photo}
              class="button"
              capture
              onFiles={([file]) => file && addPhotoOf(file, wonBy, 'discard')}
            />
            <button
              type="button"
              onClick={() => addTyped(EMPTY, { ...usualContext(), win: 'discard' }, wonBy)}
            >
              {words.ways.typed}
            </button>
          </div>
          <HandValue game={game} deal={deal} winner={won} discarder={discarder} beside onDone={onDone} />
        </>
      )}
    </>
  );
}
