/**
 * What only a score of riichi has: its fu with the sets that give them, the sticks that the winner
 * takes, and the table of values, which is shown when it is asked for.
 */
import { useSignal } from '@preact/signals';
import type { Score, ValueRow } from '../api/types';
import { t } from '../i18n';
import { known } from '../state/prefs';
import { Sheet } from './Sheet';
import { MiniSets } from './Tile';

/** The fu, part by part; none for a yakuman, and for a hand without a yaku. */
export function FuParts({ score }: { readonly score: Score }) {
  const words = t.value.riichi;
  const parts = score.fu_parts ?? [];
  if (typeof score.fu !== 'number' || parts.length === 0) return null;
  return (
    <details class="more fu-parts">
      <summary>{words.fuParts(score.fu)}</summary>
      <ul>
        {parts.map((part, at) => (
          <li key={at} data-fu={part.fu}>
            <b>{words.fu(part.fu)}</b> {part.name} <MiniSets sets={part.sets} />
          </li>
        ))}
      </ul>
    </details>
  );
}

/** What the winner takes from the table beside the payments. */
export function Sticks({ score }: { readonly score: Score }) {
  if (!score.legal || !score.sticks) return null;
  return <p class="sticks">{t.value.riichi.takesSticks(score.sticks)}</p>;
}

/** The button that opens the table of values of a rule set that has one. */
export function ValuesButton({ ruleset }: { readonly ruleset: string }) {
  const words = t.value.riichi;
  const isOpen = useSignal(false);
  const rows = known.value.find(({ id }) => id === ruleset)?.value_table ?? [];
  if (rows.length === 0) return null;
  return (
    <>
      <button
        type="button"
        class="quiet show-values"
        onClick={() => {
          isOpen.value = true;
        }}
      >
        {words.values}
      </button>
      {isOpen.value && (
        <Sheet
          title={words.values}
          onClose={() => {
            isOpen.value = false;
          }}
        >
          <ValueTable rows={rows} />
        </Sheet>
      )}
    </>
  );
}

/** What is paid for han and fu: for a discard, and on a self-draw by each. */
function ValueTable({ rows }: { readonly rows: readonly ValueRow[] }) {
  const words = t.value.riichi;
  const each = (one: number | null | undefined): string => (typeof one === 'number' ? `${one}` : '–');
  const onSelfDraw = ({ self_draw_others: others, self_draw_east: east }: ValueRow): string =>
    typeof others === 'number' && typeof east === 'number' ? `${others} / ${east}` : '–';
  return (
    <>
      <p class="help">{words.valuesHelp}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls needs the focus to be scrolled */}
      <section class="wide value-table" tabIndex={0} aria-label={words.values}>
        <table>
          <thead>
            <tr>
              <th scope="col">{words.value.hand}</th>
              <th scope="col">{words.value.discard}</th>
              <th scope="col">{words.value.selfDraw}</th>
              <th scope="col">{words.value.eastDiscard}</th>
              <th scope="col">{words.value.eastSelfDraw}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              <tr key={at}>
                <th scope="row">
                  {words.hanFu(row.han, row.fu ?? null)}
                  {row.limit && <small> {words.limits[row.limit]}</small>}
                </th>
                <td>{each(row.discard)}</td>
                <td>{onSelfDraw(row)}</td>
                <td>{each(row.discard_to_east)}</td>
                <td>{each(row.self_draw_to_east)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}
