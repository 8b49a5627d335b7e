/** How the hand was won: only what the rule sets ask for, and what this hand allows. */
import type { ContextField, Feeder, Relation, Wind, WinKind } from '../api/types';
import { t } from '../i18n';
import { asked, possibleWins, withField } from '../model/context';
import { WINDS } from '../model/payments';
import { type Entry, setContext } from '../state/hands';
import { chosen, known, rulesets, toggleRuleset } from '../state/prefs';
import { Segmented } from './Segmented';

const FROM: readonly Relation[] = ['left', 'across', 'right'];
const FEEDERS: readonly Feeder[] = [...FROM, 'nobody'];

export function Circumstances({ entry }: { readonly entry: Entry }) {
  const words = t.value;
  const context = entry.context.value;
  // Offline before the server was ever asked: everything is asked rather than nothing.
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
    <section class="circumstances" aria-labelledby="circumstances-title">
      <h2 id="circumstances-title">{words.circumstances}</h2>
      <Rules />
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
      </div>
    </section>
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

/** The rule sets to score by, several side by side. */
function Rules() {
  if (known.value.length < 2) return null;
  return (
    <fieldset class="segmented">
      <legend>{t.value.rules}</legend>
      <div class="segments">
        {known.value.map(({ id, name }) => (
          <label key={id} class="segment">
            <input
              type="checkbox"
              checked={rulesets.value.includes(id)}
              onChange={(event) => {
                toggleRuleset(id);
                // The last one can't be switched off.
                event.currentTarget.checked = rulesets.value.includes(id);
              }}
            />
            <span>{name}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
