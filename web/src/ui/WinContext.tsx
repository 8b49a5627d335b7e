/**
 * Fields about how the hand was won: only those that the rule sets need and that this hand allows.
 */
import type { Context, ContextField, Feeder, Ruleset, Wind, WinKind } from '../api/types';
import { t } from '../i18n';
import {
  completions,
  declarable,
  FROM,
  fieldsOf,
  possibleFeeders,
  possibleWins,
  valuesOf,
} from '../model/context';
import type { Hand } from '../model/hand';
import { WINDS } from '../model/payments';
import { withField } from '../model/win';
import { setContext } from '../state/hand/edit';
import type { Entry } from '../state/hand/entry';
import { allRulesets, chosenRulesets } from '../state/prefs';
import { hasStick } from '../state/questions';
import { DealerFields } from './Dealer';
import { RiichiFields } from './Riichi';
import { Segmented } from './Segmented';
import { feederNames } from './seats';

/** Properties of the fields about how a hand was won, for a win context that is kept anywhere. */
interface Props {
  /** Names the fields of this hand, different for each hand of the page. */
  readonly id: string | number;
  readonly context: Context;
  readonly hand: Hand;
  /** The rule sets that say which fields matter; without any, all are shown. */
  readonly rulesets: readonly Ruleset[];
  readonly onChange: (context: Context) => void;
  /** The keys that change fields, where there are any. */
  readonly keys?: Partial<Record<ContextField, string>>;
  /** Whether the round wind is the one of an earlier hand. */
  readonly keptRound?: boolean;
  /** Whether the winner laid a riichi stick in the evening's deal, so that the hand has riichi. */
  readonly hasStick?: boolean;
  /** Names who fed a set; by default their place. */
  readonly feederName?: (feeder: Feeder) => string;
}

export function WinContext({ entry }: { readonly entry: Entry }) {
  return (
    <WinContextFields
      id={entry.id}
      context={entry.edit.context.value}
      hand={entry.edit.hand.value}
      rulesets={allRulesets.value.length > 0 ? chosenRulesets.value : []}
      keptRound={entry.edit.keptRound.value !== null}
      hasStick={hasStick(entry)}
      feederName={feederNames(entry.table.won.value)}
      onChange={(context) => setContext(entry.edit, context)}
    />
  );
}

export function WinContextFields(props: Props) {
  const { id, context, hand, rulesets, onChange, keys = {}, keptRound = false } = props;
  const words = t.value;
  const { feederName = (value: Feeder): string => words.feeders[value] } = props;
  const fields = fieldsOf(rulesets, context, hand);
  const set = <F extends ContextField>(field: F, value: NonNullable<(typeof context)[F]>): void =>
    onChange(withField(context, field, value));
  const legend = (field: ContextField, name: string) => (
    <>
      {name} {keys[field] && <kbd>{keys[field]}</kbd>}
    </>
  );
  const wind = (field: 'prevalent' | 'seat') =>
    fields.has(field) && (
      <Segmented
        legend={
          <>
            {legend(field, words.fields[field])}
            {field === 'prevalent' && keptRound && <small>{words.kept}</small>}
          </>
        }
        name={`${field}-${id}`}
        value={context[field] ?? null}
        options={valuesOf(rulesets, field, WINDS).map((value: Wind) => ({
          value,
          label: words.winds[value],
        }))}
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
            legend={legend('win', words.fields.win)}
            name={`win-${id}`}
            value={context.win ?? null}
            options={possibleWins(hand, context).map((value: WinKind) => ({
              value,
              label: words.wins[value],
            }))}
            onChoose={(value) => set('win', value)}
          />
        )}
        {fields.has('from') && context.win !== undefined && (
          <Segmented
            legend={legend('from', context.win === 'robbed_kong' ? words.fromRobbed : words.fields.from)}
            name={`from-${id}`}
            value={context.from ?? null}
            options={valuesOf(rulesets, 'from', FROM).map((value) => ({ value, label: words.from[value] }))}
            onChoose={(value) => set('from', value)}
          />
        )}
        {fields.has('feeder') && (
          <Segmented
            legend={words.fields.feeder}
            name={`feeder-${id}`}
            value={context.feeder ?? null}
            options={valuesOf(rulesets, 'feeder', possibleFeeders(hand, context)).map((value: Feeder) => ({
              value,
              label: feederName(value),
            }))}
            onChoose={(value) => set('feeder', value)}
          />
        )}
        {fields.has('completes') && <Completes {...props} />}
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
                  {legend(field, words.fields[field])}
                  <small>{words[`${field}_help`]}</small>
                </span>
              </label>
            ),
        )}
        <RiichiFields {...props} fields={fields} />
        <DealerFields {...props} fields={fields} />
        {fields.has('declared') && <Declared {...props} />}
      </div>
    </div>
  );
}

/** Asks which set the last tile completed, if it can be several; by default the best one. */
function Completes({ id, context, hand, onChange }: Props) {
  const words = t.value;
  const sets = completions(hand, context);
  const selected = context.completes && sets.includes(context.completes) ? context.completes : '';
  return (
    <Segmented
      legend={words.fields.completes}
      name={`completes-${id}`}
      value={selected}
      options={[{ value: '', label: words.completesBest }, ...sets.map((value) => ({ value, label: value }))]}
      onChoose={(value) => onChange(withField(context, 'completes', value || undefined))}
    />
  );
}

/**
 * Asks what was declared at the table. Declarations are rare, so the list is folded while it is
 * empty.
 */
function Declared({ context, hand, rulesets, onChange }: Props) {
  const words = t.value;
  const selected = context.declared ?? [];
  const names: Readonly<Record<string, string>> = words.declared;
  const codes = declarable(rulesets, context, hand);
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
              onChange(withField(context, 'declared', now.length > 0 ? now : undefined));
            }}
          />
          <span>{names[code] ?? code}</span>
        </label>
      ))}
    </details>
  );
}
