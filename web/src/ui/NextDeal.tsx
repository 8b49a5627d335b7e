/** The current deal: who won, or that nobody did, and what else may happen. */
import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Deal, Game, Play, Player } from '../api/types';
import { t } from '../i18n';
import { areHundreds, isBegun, isRiichi, paidToEach, payment, playersOf, signed } from '../model/evening';
import { WINDS } from '../model/payments';
import {
  address,
  enter,
  isBehind,
  mayTakeBack,
  pending,
  redo,
  redoLast,
  takeBack,
  turn,
} from '../state/evening';
import { wayToEnter } from '../state/way';
import { DrawSheet, Faults, StickButton } from './RiichiDeal';
import { Segmented } from './Segmented';
import { Settling } from './Settling';
import { Sheet } from './Sheet';
import { WinSheet } from './WinSheet';
import { dealText } from './words';

export function NextDeal({ game }: { readonly game: Game }) {
  const open = useSignal<'win' | 'draw' | 'more' | null>(null);
  const by = useSignal<Player | null>(null);
  const may = address.value?.kind === 'game';
  const { next } = game;
  const close = (): void => {
    open.value = null;
  };
  // A sheet asks about one deal: it closes once another phone entered how that deal ended.
  useLayoutEffect(() => {
    if (open.peek() !== 'more') open.value = null;
  }, [turn.value]);
  return (
    <section
      class="next-deal card"
      aria-labelledby="next-deal-title"
      data-deal={next?.number}
      data-round={next?.round}
    >
      <Settling class="turn" about={`${turn.value} ${game.revision} ${pending.value.length}`}>
        <div class="deal-head">
          <div>
            <h2 id="next-deal-title">{headingOf(game)}</h2>
            {next && isRiichi(game) && <p class="help">{t.value.evening.dealNumber(next.number)}</p>}
          </div>
          {may && <TakeBack />}
        </div>
        {isBehind.value && <p class="help">{t.value.evening.behindHelp}</p>}
        {next && may && (
          <Winners
            game={game}
            deal={next}
            onWin={(player) => {
              by.value = player;
              open.value = 'win';
            }}
          />
        )}
        {next && !may && <Seats game={game} deal={next} />}
        {may && (
          <div class="deal-ways">
            {next && (
              <button
                type="button"
                onClick={() => {
                  if (isRiichi(game)) open.value = 'draw';
                  else enter({ kind: 'add', play: { kind: 'draw' } });
                }}
              >
                {t.value.evening.draw}
              </button>
            )}
            <button
              type="button"
              onClick={() => {
                open.value = 'more';
              }}
            >
              {t.value.evening.more}
            </button>
          </div>
        )}
      </Settling>
      {next && open.value === 'win' && (
        <WinSheet game={game} deal={next} by={by.value} way={wayToEnter} onClose={close} />
      )}
      {next && open.value === 'draw' && (
        <DrawSheet game={game} deal={next} onEnter={(play) => enter({ kind: 'add', play })} onClose={close} />
      )}
      {open.value === 'more' && <MoreSheet game={game} onClose={close} />}
    </section>
  );
}

/** Names the deal that is played next, or says why there is none. */
function headingOf({ next, state, end }: Game): string {
  const words = t.value.evening;
  if (next) return dealText(next);
  if (isBehind.value) return words.behind;
  return words.over[state === 'finished' ? 'finished' : overBy(end)];
}

/** Returns why a game is over that nobody finished. An earlier service does not say it. */
function overBy(end: Game['end']): 'complete' | 'bankruptcy' | 'dealer_first' | 'target' {
  return end === 'bankruptcy' || end === 'dealer_first' || end === 'target' ? end : 'complete';
}

/** Takes the last change back, and does it again. */
function TakeBack() {
  return (
    <div class="tools">
      {mayTakeBack.value && (
        <button type="button" class="icon" aria-label={t.value.undo} title={t.value.undo} onClick={takeBack}>
          ↶
        </button>
      )}
      {redo.value && (
        <button type="button" class="icon" aria-label={t.value.redo} title={t.value.redo} onClick={redoLast}>
          ↷
        </button>
      )}
    </div>
  );
}

interface WinnersProps {
  readonly game: Game;
  readonly deal: Deal;
  readonly onWin: (player: Player) => void;
}

/** The players by their seats: a tap says who won. In riichi each may lay a stick. */
function Winners({ game, deal, onWin }: WinnersProps) {
  const words = t.value.evening;
  return (
    <fieldset class="asked winners">
      <legend>
        <b>{words.win}</b> {words.winner}
      </legend>
      {deal.seats.map((player, at) => (
        <div key={player} class="winner">
          <button
            type="button"
            class="primary"
            data-winner={player}
            disabled={deal.may_win ? !deal.may_win.includes(player) : false}
            onClick={() => onWin(player)}
          >
            <small>{t.value.winds[WINDS[at] ?? 'E']}</small> {game.players[player]}
          </button>
          {isRiichi(game) && <StickButton game={game} deal={deal} player={player} />}
        </div>
      ))}
    </fieldset>
  );
}

function Seats({ game, deal }: { readonly game: Game; readonly deal: Deal }) {
  return (
    <ul class="seats">
      {deal.seats.map((player, at) => (
        <li key={player}>
          <small>{t.value.winds[WINDS[at] ?? 'E']}</small> <b>{game.players[player]}</b>
        </li>
      ))}
    </ul>
  );
}

interface MoreProps {
  readonly game: Game;
  readonly onClose: () => void;
}

/** Further plays of a deal: payments that people agreed on, and the end of the game. */
function MoreSheet({ game, onClose }: MoreProps) {
  const words = t.value.evening;
  const asked = useSignal<'payments' | 'finish' | null>(null);
  if (asked.value === 'payments') return <Manual game={game} onClose={onClose} />;
  return (
    <Sheet title={words.more} onClose={onClose}>
      <Settling about={asked.value ?? 'more'}>
        {asked.value === 'finish' ? (
          <Finish onClose={onClose} />
        ) : (
          <div class="more-ways">
            <button
              type="button"
              aria-describedby="payments-help"
              onClick={() => {
                asked.value = 'payments';
              }}
            >
              {words.byHand}
            </button>
            <p id="payments-help" class="help">
              {words.byHandHelp}
            </p>
            {game.next && isRiichi(game) && <Faults game={game} deal={game.next} onClose={onClose} />}
            {game.next && game.rows.length > 0 && (
              <button
                type="button"
                onClick={() => {
                  asked.value = 'finish';
                }}
              >
                {words.finish}
              </button>
            )}
          </div>
        )}
      </Settling>
    </Sheet>
  );
}

/** Asks whether the game is to end, in the place of the button that was tapped: it takes the focus. */
function Finish({ onClose }: { readonly onClose: () => void }) {
  const words = t.value.evening;
  const first = useRef<HTMLButtonElement>(null);
  // Before the next key: on a busy phone Enter would press the button that was there.
  useLayoutEffect(() => first.current?.focus(), []);
  return (
    <div class="notice finish" role="alert">
      <p>{words.finishAsk}</p>
      <div class="actions">
        <button ref={first} type="button" onClick={onClose}>
          {words.goOnPlaying}
        </button>
        <button
          type="button"
          class="primary"
          onClick={() => {
            onClose();
            enter({ kind: 'finish' });
          }}
        >
          {words.finish}
        </button>
      </div>
    </div>
  );
}

type Reason = 'hand' | 'false_mahjong' | 'adjustment';
const REASONS: readonly Reason[] = ['false_mahjong', 'hand', 'adjustment'];

interface ManualProps {
  readonly game: Game;
  readonly onClose: () => void;
  /** Declarer of a false win, where one is entered. */
  readonly falseBy?: Player;
  /** Takes the entry; by default it is added. */
  readonly onEnter?: (play: Play) => void;
}

/** Points entered by hand; they must sum to zero. */
export function Manual({ game, onClose, falseBy, onEnter }: ManualProps) {
  const words = t.value.evening;
  const reason = useSignal<Reason>('false_mahjong');
  const player = useSignal<Player | null>(falseBy ?? null);
  const players = playersOf(game);
  const points = useSignal<readonly string[]>(players.map(() => ''));
  const ends = useSignal(false);
  const note = useSignal('');
  const each = useSignal('');
  const payments = points.value.map((text) => payment(text) ?? 0);
  const wrong = points.value.map((text) => !isBegun(text) && payment(text) === null);
  const first = points.value[wrong.indexOf(true)];
  const whole = points.value.every((text) => payment(text) !== null);
  const sum = payments.reduce((all, one) => all + one, 0);
  const odd = isRiichi(game) && reason.value !== 'adjustment' && !areHundreds(payments);
  const fine = player.value !== null && whole && sum === 0 && !odd && payments.some((one) => one !== 0);
  const payEach = (by: Player | null, text: string): void => {
    each.value = text;
    const paid = payment(text);
    if (by !== null && paid !== null && text.trim() !== '')
      points.value = paidToEach(players, by, Math.abs(paid));
  };
  // A hand needs a deal; after the last one only points can be entered.
  const reasons = game.next ? REASONS : REASONS.filter((one) => one !== 'hand');
  return (
    <Sheet title={words.byHand} onClose={onClose}>
      <Settling about="payments">
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
            if (onEnter) onEnter(play);
            else enter({ kind: 'add', play });
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
            options={players.map((one) => ({ value: String(one), label: game.players[one] ?? '' }))}
            onChoose={(value) => {
              player.value = Number(value) as Player;
              if (reason.value === 'false_mahjong') payEach(player.value, each.value);
            }}
          />
          {reason.value === 'false_mahjong' && player.value !== null && (
            <label>
              {words.eachPays}
              <input
                type="text"
                inputMode="numeric"
                class="each"
                value={each.value}
                aria-describedby="false-help"
                aria-invalid={!isBegun(each.value) && payment(each.value) === null}
                onInput={({ currentTarget }) => payEach(player.value, currentTarget.value)}
              />
              <small id="false-help" class="help">
                {words.falseHelp}
              </small>
            </label>
          )}
          <fieldset class="points">
            <legend>{words.pointsOf}</legend>
            {players.map((one) => (
              <label key={one}>
                {game.players[one]}
                <input
                  type="text"
                  inputMode="text"
                  aria-invalid={wrong[one] ?? false}
                  aria-describedby="payments-state"
                  value={points.value[one] ?? ''}
                  onInput={({ currentTarget }) => {
                    points.value = points.value.map((text, at) => (at === one ? currentTarget.value : text));
                  }}
                />
              </label>
            ))}
          </fieldset>
          <p id="payments-state" class={whole && sum === 0 && !odd ? 'help' : 'help wrong'} role="status">
            {first === undefined ? words.sum(signed(sum)) : words.wrongPayment(first.trim())}
            {odd && ` ${t.value.riichi.hundreds}`}
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
      </Settling>
    </Sheet>
  );
}
