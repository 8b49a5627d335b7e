/**
 * Parts of a deal of riichi beside its win: counters and sticks on the table, declarations, and a draw
 * after which those who are not ready pay.
 */
import { useSignal } from '@preact/signals';
import type { Deal, Game, Play, Player } from '../api/types';
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
  return <p class="help on-table">{t.value.riichi.onTable(honba ?? 0, sticks ?? 0)}</p>;
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

interface DrawProps extends Props {
  /** Players who were ready, where the draw is corrected. */
  readonly before?: readonly Player[];
  readonly onEnter: (play: Play) => void;
  readonly onClose: () => void;
}

/** Asks who was ready when the wall was empty, or whether the deal was aborted. */
export function DrawSheet({ game, deal, before, onEnter, onClose }: DrawProps) {
  const words = t.value.riichi;
  // Riichi is declared by players who are ready.
  const declared = declarers(game, deal);
  const ready = useSignal<ReadonlySet<Player>>(new Set([...(before ?? []), ...declared]));
  const end = (play: Play): void => {
    onClose();
    onEnter(play);
  };
  return (
    <Sheet title={t.value.evening.draw} onClose={onClose}>
      <Settling about="draw">
        <fieldset class="asked tenpai">
          <legend>{words.tenpai}</legend>
          {deal.seats.map((player) => (
            <label key={player} class="check">
              <input
                type="checkbox"
                value={player}
                checked={ready.value.has(player)}
                disabled={declared.includes(player)}
                onChange={({ currentTarget }) => {
                  const next = new Set(ready.value);
                  if (currentTarget.checked) next.add(player);
                  else next.delete(player);
                  ready.value = next;
                }}
              />
              <span>{game.players[player]}</span>
            </label>
          ))}
          <p class="help">{words.tenpaiHelp}</p>
          <button
            type="button"
            class="primary"
            onClick={() =>
              end({ kind: 'exhaustive_draw', tenpai: deal.seats.filter((player) => ready.value.has(player)) })
            }
          >
            {words.exhausted}
          </button>
        </fieldset>
        <div class="aborted">
          <button type="button" onClick={() => end({ kind: 'draw' })}>
            {words.aborted}
          </button>
          <p class="help">{words.abortedHelp}</p>
        </div>
      </Settling>
    </Sheet>
  );
}
