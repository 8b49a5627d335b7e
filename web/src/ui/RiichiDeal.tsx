/**
 * Parts of a deal of riichi beside its win: counters and sticks on the table, declarations, and a draw
 * after which those who are not ready pay.
 */
import { type Signal, useSignal } from '@preact/signals';
import type { Deal, Game, Play, Player } from '../api/types';
import { listed } from '../browser/lang';
import { t } from '../i18n';
import { declarers, mayLay, stickOf, streakOf } from '../model/evening';
import { enter, takeStick } from '../state/evening';
import { Settling } from './Settling';
import { Sheet } from './Sheet';

/** Counters and sticks on the table, or the dealer's streak; nothing where there are none. */
export function OnTable({ deal }: { readonly deal: Deal }) {
  const streak = streakOf(deal);
  if (streak) return <p class="help on-table">{t.value.dealer.stayed(streak)}</p>;
  const { honba, riichi_sticks: sticks } = deal;
  if (!honba && !sticks) return null;
  const words = t.value.riichi;
  const what = [honba && words.counters(honba), sticks && words.sticks(sticks)];
  const text = listed(what.filter((part) => typeof part === 'string'));
  return <p class="help on-table">{words.onTable(text)}</p>;
}

interface Props {
  readonly game: Game;
  readonly deal: Deal;
}

interface StickProps extends Props {
  readonly player: Player;
}

/** Declares riichi for a player; another tap takes the stick back. */
export function StickButton({ game, deal, player }: StickProps) {
  const stick = stickOf(game, player);
  return (
    <button
      type="button"
      class="stick"
      aria-label={t.value.evening.riichi(game.players[player] ?? '')}
      aria-pressed={stick !== null}
      disabled={stick === null && !mayLay(game, deal, player)}
      onClick={() =>
        stick === null ? enter({ kind: 'add', play: { kind: 'riichi', player } }) : takeStick(player, stick)
      }
    >
      {t.value.riichi.calls.riichi}
    </button>
  );
}

type Abort = NonNullable<NonNullable<Deal['may_abort']>[number]>;
const ABORTS: readonly Abort[] = [
  'nine_terminals',
  'four_winds',
  'four_riichi',
  'four_kongs',
  'three_winners',
];

interface DrawProps extends Props {
  /** The draw that is corrected. */
  readonly before?: Extract<Play, { kind: 'exhaustive_draw' }>;
  readonly onEnter: (play: Play) => void;
  readonly onClose: () => void;
}

/** Asks who was ready when the wall was empty, or why the deal was aborted. */
export function DrawSheet({ game, deal, before, onEnter, onClose }: DrawProps) {
  const words = t.value.riichi;
  const isExhausted = useSignal(false);
  // Riichi is declared by players who are ready, unless their hands are dead.
  const dead = deal.dead ?? [];
  const declared = declarers(game, deal).filter((player) => !dead.includes(player));
  const ready = useSignal<ReadonlySet<Player>>(new Set([...(before?.tenpai ?? []), ...declared]));
  const paid = useSignal<ReadonlySet<Player>>(new Set(before?.nagashi ?? []));
  const end = (play: Play): void => {
    onClose();
    onEnter(play);
  };
  // Of an entry that is corrected the service alone knows what may follow.
  const isNext = game.next?.number === deal.number;
  const aborts = isNext ? (deal.may_abort ?? []) : ABORTS;
  const mayNagashi = isNext ? deal.may_nagashi : true;
  const goesOn = !isNext || (deal.may_win ?? deal.seats).length > 0;
  const chosen = (of: ReadonlySet<Player>) => deal.seats.filter((player) => of.has(player));
  return (
    <Sheet title={t.value.evening.draw} onClose={onClose}>
      <Settling about="draw">
        {goesOn && (
          <fieldset class="asked tenpai">
            <legend>{words.tenpai}</legend>
            <Ticks game={game} deal={deal} chosen={ready} fixed={[...declared, ...dead]} />
            <p class="help">{words.tenpaiHelp}</p>
            {mayNagashi && (
              <details
                class="nagashi"
                open={isExhausted.value || paid.value.size > 0}
                onToggle={({ currentTarget }) => {
                  isExhausted.value = currentTarget.open;
                }}
              >
                <summary>{words.nagashi}</summary>
                <Ticks game={game} deal={deal} chosen={paid} fixed={dead} />
                <p class="help">{words.nagashiHelp}</p>
              </details>
            )}
            <button
              type="button"
              class="primary"
              onClick={() => {
                const nagashi = chosen(paid.value);
                const play = { kind: 'exhaustive_draw', tenpai: chosen(ready.value) } as const;
                end(nagashi.length > 0 ? { ...play, nagashi } : play);
              }}
            >
              {words.exhausted}
            </button>
          </fieldset>
        )}
        {aborts.length > 0 && (
          <fieldset class="asked aborted">
            <legend>{words.aborted}</legend>
            <div class="answers">
              {aborts.map((abort) => (
                <button
                  key={abort}
                  type="button"
                  data-abort={abort}
                  onClick={() => end({ kind: 'draw', abort })}
                >
                  {words.aborts[abort]}
                </button>
              ))}
            </div>
            <p class="help">{words.abortedHelp}</p>
          </fieldset>
        )}
      </Settling>
    </Sheet>
  );
}

interface TicksProps extends Props {
  readonly chosen: Signal<ReadonlySet<Player>>;
  /** Players of whom the answer is known. */
  readonly fixed: readonly Player[];
}

/** Players of whom each may be chosen. */
function Ticks({ game, deal, chosen, fixed }: TicksProps) {
  return deal.seats.map((player) => (
    <label key={player} class="check">
      <input
        type="checkbox"
        value={player}
        checked={chosen.value.has(player)}
        disabled={fixed.includes(player)}
        onChange={({ currentTarget }) => {
          const next = new Set(chosen.value);
          if (currentTarget.checked) next.add(player);
          else next.delete(player);
          chosen.value = next;
        }}
      />
      <span>{game.players[player]}</span>
    </label>
  ));
}

interface FaultsProps extends Props {
  readonly onClose: () => void;
}

const FAULTS = ['chombo', 'dead_hand'] as const;

/** Enters a false win or a dead hand: what it is, then whose. */
export function Faults({ game, deal, onClose }: FaultsProps) {
  const words = t.value.riichi;
  const kind = useSignal<(typeof FAULTS)[number] | null>(null);
  return (
    <>
      {FAULTS.map((one) => (
        <div key={one} class="fault">
          <button
            type="button"
            aria-pressed={kind.value === one}
            onClick={() => {
              kind.value = one;
            }}
          >
            {words.faults[one]}
          </button>
          <p class="help">{words.faultHelp[one]}</p>
          {kind.value === one && (
            <fieldset class="asked">
              <legend>{t.value.evening.who}</legend>
              <div class="answers">
                {deal.seats.map((player) => (
                  <button
                    key={player}
                    type="button"
                    data-fault={player}
                    disabled={one === 'dead_hand' && (deal.dead ?? []).includes(player)}
                    onClick={() => {
                      onClose();
                      enter({ kind: 'add', play: { kind: one, player } });
                    }}
                  >
                    {game.players[player]}
                  </button>
                ))}
              </div>
            </fieldset>
          )}
        </div>
      ))}
    </>
  );
}
