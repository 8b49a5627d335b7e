/** The current deal: the seats, and the ways to enter how it ended. */
import { useSignal } from '@preact/signals';
import type { Game, Player } from '../api/types';
import { t } from '../i18n';
import { PLAYERS, signed } from '../model/evening';
import { WINDS } from '../model/payments';
import { address, enter } from '../state/evening';
import { addTyped } from '../state/hands';
import { DealWon } from './DealWon';
import { FileButton } from './Home';
import { Segmented } from './Segmented';
import { Sheet } from './Sheet';

export function NextDeal({ game }: { readonly game: Game }) {
  const words = t.value.evening;
  const manual = useSignal(false);
  const may = address.value?.kind === 'game';
  const { next } = game;
  const undo = game.undo;
  return (
    <section class="next-deal card" aria-labelledby="next-deal-title">
      <h2 id="next-deal-title">
        {next
          ? words.deal(next.number, t.value.winds[next.round])
          : words.over[game.state === 'finished' ? 'finished' : 'complete']}
      </h2>
      {next && may && <DealWon game={game} deal={next} />}
      {next && !may && (
        <ul class="seats">
          {WINDS.map((wind, at) => (
            <li key={wind}>
              <small>{t.value.winds[wind]}</small> <b>{game.players[next.seats[at] ?? 0]}</b>
            </li>
          ))}
        </ul>
      )}
      {may && (
        <div class="actions">
          {next && (
            <>
              <FileButton label={t.value.snap} class="button" capture />
              <button type="button" onClick={() => addTyped()}>
                {t.value.type}
              </button>
              <button type="button" onClick={() => enter({ kind: 'add', play: { kind: 'draw' } })}>
                {words.draw}
              </button>
            </>
          )}
          <button
            type="button"
            onClick={() => {
              manual.value = true;
            }}
          >
            {words.byHand}
          </button>
          {typeof undo === 'number' && (
            <button type="button" onClick={() => enter({ kind: 'undo', change: undo })}>
              {t.value.undo}
            </button>
          )}
          {next && game.rows.length > 0 && (
            <button type="button" class="quiet" onClick={() => enter({ kind: 'finish' })}>
              {words.finish}
            </button>
          )}
        </div>
      )}
      {manual.value && (
        <Manual
          game={game}
          onClose={() => {
            manual.value = false;
          }}
        />
      )}
    </section>
  );
}

type Reason = 'hand' | 'false_mahjong' | 'adjustment';
const REASONS: readonly Reason[] = ['false_mahjong', 'hand', 'adjustment'];

/** Points entered by hand; they must sum to zero. */
function Manual({ game, onClose }: { readonly game: Game; readonly onClose: () => void }) {
  const words = t.value.evening;
  const reason = useSignal<Reason>('false_mahjong');
  const player = useSignal<Player | null>(null);
  const points = useSignal<readonly string[]>(['', '', '', '']);
  const ends = useSignal(false);
  const note = useSignal('');
  const payments = points.value.map((text) => Number(text.replace('−', '-') || 0));
  const whole = payments.every(Number.isSafeInteger);
  const sum = payments.reduce((all, one) => all + one, 0);
  const fine = player.value !== null && whole && sum === 0;
  // A hand needs a deal; after the last one only points can be entered.
  const reasons = game.next ? REASONS : REASONS.filter((one) => one !== 'hand');
  return (
    <Sheet title={words.byHand} onClose={onClose}>
      <form
        class="manual"
        onSubmit={(event) => {
          event.preventDefault();
          if (!fine || player.value === null) return;
          const text = note.value.trim();
          const play = {
            kind: 'manual' as const,
            reason: reason.value,
            player: player.value,
            payments,
            ends_deal: reason.value === 'hand' || (ends.value && game.next !== null),
            ...(text && { note: text }),
          };
          enter({ kind: 'add', play });
          onClose();
        }}
      >
        <Segmented
          legend={words.why}
          name="reason"
          value={reason.value}
          options={reasons.map((value) => ({ value, label: words.reasons[value] }))}
          onChoose={(value) => {
            reason.value = value;
          }}
        />
        <Segmented
          legend={words.who}
          name="manual-player"
          value={player.value === null ? null : String(player.value)}
          options={PLAYERS.map((one) => ({ value: String(one), label: game.players[one] ?? '' }))}
          onChoose={(value) => {
            player.value = Number(value) as Player;
          }}
        />
        <fieldset class="points">
          <legend>{words.pointsOf}</legend>
          {PLAYERS.map((one) => (
            <label key={one}>
              {game.players[one]}
              <input
                type="text"
                inputMode="text"
                value={points.value[one] ?? ''}
                onInput={({ currentTarget }) => {
                  points.value = points.value.map((text, at) => (at === one ? currentTarget.value : text));
                }}
              />
            </label>
          ))}
        </fieldset>
        <p class={whole && sum === 0 ? 'help' : 'help wrong'} role="status">
          {whole ? words.sum(signed(sum)) : words.numbers}
        </p>
        {game.next && reason.value !== 'hand' && (
          <label class="check">
            <input
              type="checkbox"
              checked={ends.value}
              onChange={({ currentTarget }) => {
                ends.value = currentTarget.checked;
              }}
            />
            <span>{words.endsDeal}</span>
          </label>
        )}
        <label>
          {words.note}
          <input
            type="text"
            maxLength={200}
            value={note.value}
            onInput={({ currentTarget }) => {
              note.value = currentTarget.value;
            }}
          />
        </label>
        <button type="submit" class="primary" disabled={!fine}>
          {words.enter}
        </button>
      </form>
    </Sheet>
  );
}
