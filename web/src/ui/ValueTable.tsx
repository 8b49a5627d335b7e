/**
 * The tables of values, which are shown when they are asked for: what is paid in riichi for han and fu, and
 * in Hong Kong for faan.
 */
import { useSignal } from '@preact/signals';
import type { ValueRow } from '../api/types';
import { t } from '../i18n';
import { type FaanRow, faanRows } from '../model/payments';
import { allRulesets } from '../state/prefs';
import { Sheet } from './Sheet';

/** The button that opens the table of values of a rule set that has one. */
export function ValuesButton({ ruleset }: { readonly ruleset: string }) {
  const words = t.value.riichi;
  const isOpen = useSignal(false);
  const rules = allRulesets.value.find(({ id }) => id === ruleset);
  const rows = rules?.value_table ?? [];
  const faan = rules ? faanRows(rules) : [];
  if (rows.length + faan.length === 0) return null;
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
          {rows.length > 0 ? <HanTable rows={rows} /> : <FaanTable rows={faan} />}
        </Sheet>
      )}
    </>
  );
}

/** Payments for han and fu: for a discard, and on a self-draw by each. */
function HanTable({ rows }: { readonly rows: readonly ValueRow[] }) {
  const words = t.value.riichi;
  const each = (one: number | null | undefined): string => (typeof one === 'number' ? `${one}` : '–');
  const onSelfDraw = ({ self_draw_others: others, self_draw_east: east }: ValueRow): string =>
    typeof others === 'number' && typeof east === 'number' ? `${others} / ${east}` : '–';
  return (
    <>
      <p class="help">{words.valuesHelp}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls needs the focus to be scrolled */}
      <section class="wide value-table of-han" tabIndex={0} aria-label={words.values}>
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

/** Payments for faan: by the discarder, by the others, and by each on a self-draw. */
function FaanTable({ rows }: { readonly rows: readonly FaanRow[] }) {
  const words = t.value;
  const { faanValue } = words;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls needs the focus to be scrolled
    <section class="wide value-table" tabIndex={0} aria-label={words.riichi.values}>
      <table>
        <thead>
          <tr>
            <th scope="col">{words.faan}</th>
            <th scope="col">{faanValue.discarder}</th>
            <th scope="col">{faanValue.others}</th>
            <th scope="col">{faanValue.selfDraw}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ faan, discarder, others, each }) => (
            <tr key={faan}>
              <th scope="row">{faan}</th>
              <td>{discarder}</td>
              <td>{others}</td>
              <td>{each}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
