/** How the hand was won: only the fields that the rule sets need and that this hand allows. */
import type { ContextField, Feeder, Relation, Wind, WinKind } from '../api/types';
import { t } from '../i18n';
import { completions } from '../model/completes';
import { asked, declarable, possibleWins, withField } from '../model/context';
import { WINDS } from '../model/payments';
import { type Entry, setContext } from '../state/hands';
import { chosen, known } from '../state/prefs';
import { Segmented } from './Segmented';

const FROM: readonly Relation[] = ['left', 'across', 'right'];
const FEEDERS: readonly Feeder[] = [...FROM, 'nobody'];

export function WinContext({ entry }: { readonly entry: Entry }) {
  const words = t.value;
  const context = entry.context.value;
  // Offline without any known rule set: all fields are shown.
  const fields = known.value.length > 0 ? asked(chosen.value, context, entry.hand.value) : ALL;
  const set = <F extends ContextField>(field: F, value: NonNullable<(typeof context)[F]>): void =>
    setContext(entry, withField(context, field, value));
  const wind = (field: 'prevalent' | 'seat') =>
    fields.has(field) && (
      <Segmented
        legend={words.fields[field]}
        name={`${field}-${entry.id}`}
        value={context[field] ?? null}
        options={WINDS.map((value: Wind) => ({ value, label: words.winds[value] }))}
        onChoose={(value) => set(field, value)}
      />
    );
  return (
    <div class="win-context">
      <div class="fields">
        {wind('seat')}
        {wind('prevalent')}
        {fields.has('win') && (
          <Segmented
            legend={words.fields.win}
            name={`win-${entry.id}`}
            value={context.win ?? null}
            options={possibleWins(entry.hand.value, context).map((value: WinKind) => ({
              value,
              label: words.wins[value],
            }))}
            onChoose={(value) => set('win', value)}
          />
        )}
        {fields.has('from') && context.win !== undefined && (
          <Segmented
            legend={context.win === 'robbed_kong' ? words.fromRobbed : words.fields.from}
            name={`from-${entry.id}`}
            value={context.from ?? null}
            options={FROM.map((value) => ({ value, label: words.from[value] }))}
            onChoose={(value) => set('from', value)}
          />
        )}
        {fields.has('feeder') && (
          <Segmented
            legend={words.fields.feeder}
            name={`feeder-${entry.id}`}
            value={context.feeder ?? null}
            options={FEEDERS.map((value) => ({ value, label: words.feeders[value] }))}
            onChoose={(value) => set('feeder', value)}
          />
        )}
        {fields.has('completes') && <Completes entry={entry} />}
        {(['last_wall_tile', 'last_of_kind'] as const).map(
          (field) =>
            fields.has(field) && (
              <label key={field} class="check">
                <input
                  type="checkbox"
                  checked={context[field] ?? false}
                  onChange={({ currentTarget }) => set(field, currentTarget.checked)}
                />
                <span>
                  {words.fields[field]}
                  <small>{words[`${field}_help`]}</small>
                </span>
              </label>
            ),
        )}
        {fields.has('declared') && <Declared entry={entry} />}
      </div>
    </div>
  );
}

/** Which set the last tile completed, if it can be several; by default the best one. */
function Completes({ entry }: { readonly entry: Entry }) {
  const words = t.value;
  const context = entry.context.value;
  const sets = completions(entry.hand.value);
  const selected = context.completes && sets.includes(context.completes) ? context.completes : '';
  return (
    <Segmented
      legend={words.fields.completes}
      name={`completes-${entry.id}`}
      value={selected}
      options={[{ value: '', label: words.completesBest }, ...sets.map((value) => ({ value, label: value }))]}
      onChoose={(value) => setContext(entry, withField(context, 'completes', value || undefined))}
    />
  );
}

/** What was declared at the table: rare, so it is folded while empty. */
function Declared({ entry }: { readonly entry: Entry }) {
  const words = t.value;
  const context = entry.context.value;
  const selected = context.declared ?? [];
  const names: Readonly<Record<string, string>> = words.declared;
  const codes = declarable(chosen.value, context, entry.hand.value);
  return (
    <details class="declared" open={codes.some((code) => selected.includes(code))}>
      <summary>{words.fields.declared}</summary>
      {codes.map((code) => (
        <label key={code} class="check">
          <input
            type="checkbox"
            value={code}
            checked={selected.includes(code)}
            onChange={({ currentTarget }) => {
              const rest = selected.filter((one) => one !== code);
              const now = currentTarget.checked ? [...rest, code] : rest;
              setContext(entry, withField(context, 'declared', now.length > 0 ? now : undefined));
            }}
          />
          <span>{names[code] ?? code}</span>
        </label>
      ))}
    </details>
  );
}

const ALL: ReadonlySet<ContextField> = new Set([
  'seat',
  'prevalent',
  'win',
  'from',
  'last_wall_tile',
  'last_of_kind',
]);
