/**
 * Questions of riichi about a win: the declaration, the dora indicators, and the counters and sticks on the
 * table. As questions beside the total, and as fields of the win context.
 */
import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { Context, ContextField } from '../api/types';
import { listed, withColon } from '../browser/lang';
import { faceName, t } from '../i18n';
import { shownIndicators } from '../model/doubts';
import { setRed } from '../model/edit';
import { type Hand, pieces } from '../model/hand';
import { isPlayed } from '../model/pad';
import {
  type Call,
  COUNTS,
  callsOf,
  copiesLeft,
  type IndicatorField,
  MAX_INDICATORS,
  maxIndicators,
  maxOf,
  mayHaveIppatsu,
  neededIndicators,
  telling,
  withCall,
} from '../model/riichi';
import { type Face, FIVES, faceOf, isTile } from '../model/tiles';
import { withField } from '../model/win';
import { change, setContext } from '../state/hand/edit';
import type { Entry } from '../state/hand/entry';
import { players, playsRedFives } from '../state/prefs';
import { hasStick } from '../state/questions';
import { pointed } from './focus';
import { type Asked, Leads, shortOutcome, useOutcome } from './Leads';
import { Palette } from './Palette';
import { Segmented } from './Segmented';
import { Sheet } from './Sheet';
import { TileButton, TileFace } from './Tile';

const callText = ({ riichi, ippatsu }: Call): string => {
  const words = t.value.riichi;
  return ippatsu ? words.withIppatsu(words.calls[riichi]) : words.calls[riichi];
};

/** Riichi, double riichi or none, each with or without ippatsu: one tap tells both. */
export function AskRiichi({ entry, scored }: Asked) {
  const words = t.value.riichi;
  const context = entry.edit.context.value;
  const bound = hasStick(entry);
  const calls = callsOf(context).filter(({ riichi }) => !bound || riichi !== 'no');
  return (
    <fieldset class="asked ask-riichi">
      <legend>{words.ask}</legend>
      {mayHaveIppatsu(context) && <p class="help">{words.ippatsuHelp}</p>}
      <div class="answers">
        {calls.map((call) => (
          <button
            key={callText(call)}
            type="button"
            class="answer"
            data-answer={call.ippatsu ? `${call.riichi} ippatsu` : call.riichi}
            onClick={() => setContext(entry.edit, withCall(context, call))}
          >
            <span>
              {callText(call)}
              <Leads entry={entry} scored={scored} context={withCall(context, call)} />
            </span>
          </button>
        ))}
      </div>
    </fieldset>
  );
}

interface AskIndicatorsProps extends Asked {
  readonly field: IndicatorField;
}

/** The indicators that lie face up, or those under them. */
export function AskIndicators({ entry, scored, field }: AskIndicatorsProps) {
  const words = t.value.riichi;
  const context = entry.edit.context.value;
  const withTiles = (tiles: readonly string[]): Context => ({ ...context, [field]: tiles });
  const tell = (tiles: readonly string[]): void => setContext(entry.edit, withTiles(tiles));
  const shown = field === 'dora_indicators' ? shownIndicators(entry.verdict.doubts.value) : [];
  const hand = entry.edit.hand.value;
  // With a kong there are several: the first one opens the pad for the others.
  const needed = field === 'dora_indicators' ? neededIndicators(context, hand) : 1;
  const offered = telling(context, hand, field, players.value);
  const begun = useSignal<readonly string[] | null>(null);
  const tap = (face: Face): void => {
    if (needed === 1) tell([face]);
    else begun.value = [face];
  };
  return (
    <fieldset class="asked ask-indicators">
      <legend>{words.askIndicators[field]}</legend>
      <p class="help">{offered.length > 0 ? words.indicatorOfThese : words.indicatorHelp}</p>
      {offered.length > 0 && (
        <div class="tile-answers">
          {offered.map((face) => (
            <IndicatorAnswer
              key={face}
              face={face}
              about={{ entry, scored }}
              // A single one is no answer where a kong turned up several.
              context={needed === 1 ? withTiles([face]) : null}
              onTap={() => tap(face)}
            />
          ))}
        </div>
      )}
      <div class="answers">
        {shown.length > 0 && (
          <button type="button" class="answer" data-answer={shown.join()} onClick={() => tell(shown)}>
            <span>
              {words.seenOnWall(listed(shown.map((face) => faceName(face))))}
              <Leads entry={entry} scored={scored} context={withTiles(shown)} />
            </span>
          </button>
        )}
        <Indicators
          field={field}
          context={context}
          hand={hand}
          onChoose={tell}
          class="answer"
          about={{ entry, scored }}
          begun={begun}
          {...(offered.length > 0 && { label: words.severalTiles })}
        />
        <button type="button" class="answer" data-answer="none" onClick={() => tell([])}>
          <span>
            {offered.length > 0 ? words.noneOfThese : words.unknown}
            <Leads entry={entry} scored={scored} context={withTiles([])} />
          </span>
        </button>
      </div>
      {field === 'dora_indicators' && <RedFives entry={entry} />}
    </fieldset>
  );
}

interface IndicatorProps {
  readonly face: Face;
  readonly about: Asked;
  /** The win context with this indicator; `null` where it is no answer by itself. */
  readonly context: Context | null;
  readonly onTap: () => void;
}

/** A single indicator as an answer, with the total that it leads to. */
function IndicatorAnswer({ face, about, context, onTap }: IndicatorProps) {
  const lead = useOutcome(about, context ?? about.entry.edit.context.value);
  const outcome = context ? lead : undefined;
  const name = faceName(face);
  // What is read aloud has the words that are seen.
  const spoken = outcome ? shortOutcome(outcome) : t.value.noWin;
  return (
    <TileButton
      face={face}
      label={outcome === undefined ? name : withColon(name, spoken)}
      class="with-note"
      onTap={onTap}
    >
      {outcome !== undefined && <small class="tile-note">{shortOutcome(outcome)}</small>}
    </TileButton>
  );
}

/** Shows which fives count as red: each is a dora, and none is missed without being shown. */
function RedFives({ entry }: { readonly entry: Entry }) {
  const words = t.value.riichi;
  const hand = entry.edit.hand.value;
  const fives = pieces(hand).filter(({ face }) => FIVES.some((five) => five === face));
  if (fives.length === 0 || !playsRedFives.value) return null;
  const red = fives.filter((piece) => piece.red).length;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields, these are actions
    <div class="red-fives" role="group" aria-labelledby={`red-fives-${entry.id}`}>
      <p id={`red-fives-${entry.id}`}>{words.redFives(red)}</p>
      <div class="tile-answers">
        {fives.map(({ id, face, red: isRed = false }) => (
          <TileButton
            key={id}
            face={face}
            red={isRed}
            label={words.red(faceName(face))}
            pressed={isRed}
            onTap={() => change(entry, setRed(hand, id, !isRed))}
            onPoint={(here) => {
              pointed.value = here ? id : null;
            }}
          />
        ))}
      </div>
    </div>
  );
}

interface IndicatorsProps {
  readonly field: IndicatorField;
  readonly context: Context;
  readonly hand: Hand;
  readonly onChoose: (tiles: readonly string[]) => void;
  readonly class?: string;
  /** Words of the button, where they are not the usual ones. */
  readonly label?: string;
  /** The hand whose total the chosen tiles lead to. */
  readonly about?: Asked;
  /** The tiles with which the pad is open; `null` while it is closed. */
  readonly begun?: Signal<readonly string[] | null>;
}

/** Opens the pad on which indicators are tapped; what was tapped is taken when it is closed. */
function Indicators(props: IndicatorsProps) {
  const { field, context, hand, onChoose, class: name = '', label, about } = props;
  const words = t.value.riichi;
  const own = useSignal<readonly string[] | null>(null);
  const begun = props.begun ?? own;
  const given = context[field] ?? [];
  return (
    <>
      <button
        type="button"
        class={name}
        data-answer="choose"
        onClick={() => {
          begun.value = given;
        }}
      >
        <span>{label ?? (given.length > 0 ? words.changeTiles : words.chooseTiles)}</span>
      </button>
      {begun.value && (
        <IndicatorPad
          field={field}
          given={begun.value}
          needed={field === 'dora_indicators' ? neededIndicators(context, hand) : 1}
          max={maxIndicators(context, field)}
          copiesOf={(face) => copiesLeft(context, hand, field, face)}
          onClose={() => {
            begun.value = null;
          }}
          onChoose={onChoose}
          lead={(tiles) => about && <Leads {...about} context={{ ...context, [field]: tiles }} />}
        />
      )}
    </>
  );
}

interface PadProps {
  readonly field: IndicatorField;
  readonly given: readonly string[];
  /** The fewest that the rules take. */
  readonly needed: number;
  /** The most that can lie there. */
  readonly max: number;
  /** The copies of a tile that the hand and the other indicators leave. */
  readonly copiesOf: (face: Face) => number;
  readonly onChoose: (tiles: readonly string[]) => void;
  readonly onClose: () => void;
  /** Shows what the tiles lead to. */
  readonly lead: (tiles: readonly string[]) => ComponentChildren;
}

/** All tiles; a tap adds an indicator, and a tap on one that was added removes it. */
function IndicatorPad({ field, given, needed, max, copiesOf, onChoose, onClose, lead }: PadProps) {
  const words = t.value.riichi;
  const tiles = useSignal(given.flatMap((code) => faceOf(code) ?? []).filter(isTile));
  const min = Math.min(needed, MAX_INDICATORS);
  const isFull = tiles.value.length >= max;
  const isUsedUp = (face: Face): boolean =>
    isFull || tiles.value.filter((other) => other === face).length >= copiesOf(face);
  return (
    <Sheet title={t.value.riichi.fields[field]} onClose={onClose}>
      <p class="help">
        {words.indicatorHelp} {min > 1 && words.needed(min)}
      </p>
      <div class="tile-pad">
        <div class="pad-top">
          <div class="strip chosen-indicators">
            {tiles.value.map((face, at) => (
              <TileButton
                key={at}
                face={face}
                label={words.removeTile(faceName(face))}
                onTap={() => {
                  tiles.value = tiles.value.filter((_, i) => i !== at);
                }}
              />
            ))}
          </div>
          <button
            type="button"
            class="primary"
            disabled={tiles.value.length < min}
            onClick={() => {
              onClose();
              onChoose(tiles.value);
            }}
          >
            {t.value.done} {tiles.value.length >= min && lead(tiles.value)}
          </button>
        </div>
        <Palette
          withFlowers={false}
          isInGame={(face) => isPlayed(face, players.value)}
          isUsedUp={isUsedUp}
          onChoose={(face) => {
            if (isTile(face) && !isUsedUp(face)) tiles.value = [...tiles.value, face];
          }}
        />
      </div>
    </Sheet>
  );
}

interface OnTableProps extends Asked {
  readonly withNorths: boolean;
}

/** Counters, riichi sticks, and norths where three play; a tap on the answer takes what the steppers show. */
export function AskOnTable({ entry, scored, withNorths }: OnTableProps) {
  const words = t.value.riichi;
  const { edit } = entry;
  const context = edit.context.value;
  const norths = useSignal(context.norths ?? 0);
  const honba = useSignal(context.honba ?? 0);
  const sticks = useSignal(context.riichi_sticks ?? 0);
  const counts = { norths, honba, riichi_sticks: sticks };
  const shown = COUNTS.filter((field) => field !== 'norths' || withNorths);
  const counted = { ...context, ...Object.fromEntries(shown.map((field) => [field, counts[field].value])) };
  return (
    <fieldset class="asked ask-on-table">
      <legend>{withNorths ? words.askNorths : words.askOnTable}</legend>
      {shown.map((field) => (
        <Stepper
          key={field}
          field={field}
          name={words.fields[field]}
          value={counts[field].value}
          max={maxOf(field, edit.hand.value)}
          onChange={(value) => {
            counts[field].value = value;
          }}
        />
      ))}
      <div class="answers">
        <button type="button" class="answer" data-answer="counts" onClick={() => setContext(edit, counted)}>
          <span>
            {shown.every((field) => counts[field].value === 0) ? words.nothing : t.value.done}
            <Leads entry={entry} scored={scored} context={counted} />
          </span>
        </button>
      </div>
    </fieldset>
  );
}

/** Counters and sticks on the table, and norths beside the hand, as the steppers of another question have them. */
export interface OnTable {
  readonly norths?: number;
  readonly honba: number;
  readonly riichi_sticks: number;
}

interface BesideProps {
  readonly counts: Signal<OnTable>;
  readonly hand: Hand;
}

/** Asks for what lies on the table beside another question, so that its answer tells both. */
export function BesideTable({ counts, hand }: BesideProps) {
  const names = t.value.riichi.fields;
  return (
    <div class="beside-table">
      {COUNTS.filter((field) => counts.value[field] !== undefined).map((field) => (
        <Stepper
          key={field}
          field={field}
          name={names[field]}
          value={counts.value[field] ?? 0}
          max={maxOf(field, hand)}
          onChange={(value) => {
            counts.value = { ...counts.value, [field]: value };
          }}
        />
      ))}
    </div>
  );
}

interface StepperProps {
  readonly field: string;
  /** Words for what is counted. */
  readonly name: string;
  readonly value: number;
  readonly max: number;
  readonly onChange: (value: number) => void;
}

/** Counts the counters or sticks on the table, the norths beside the hand, or how often the dealer stayed on. */
export function Stepper({ field, name, value, max, onChange }: StepperProps) {
  const words = t.value.riichi;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields, these are actions
    <div class="flower-count stepper" role="group" aria-label={name} data-field={field}>
      <span>{name}</span>
      <button
        type="button"
        class="icon"
        aria-label={words.fewer(name)}
        disabled={value === 0}
        onClick={() => onChange(value - 1)}
      >
        −
      </button>
      <output aria-label={withColon(name, String(value))}>{value}</output>
      <button
        type="button"
        class="icon"
        aria-label={words.more(name)}
        disabled={value >= max}
        onClick={() => onChange(value + 1)}
      >
        +
      </button>
    </div>
  );
}

interface FieldsProps {
  readonly id: string | number;
  readonly context: Context;
  readonly hand: Hand;
  /** The fields that matter. */
  readonly fields: ReadonlySet<ContextField>;
  readonly onChange: (context: Context) => void;
  /** Whether the winner laid a riichi stick, so that the hand has riichi. */
  readonly hasStick?: boolean;
}

const CALL_NAMES = ['no', 'riichi', 'double'] as const;

const INDICATORS: readonly IndicatorField[] = ['dora_indicators', 'ura_indicators'];

/** The fields of the win context that riichi alone has. */
export function RiichiFields({ id, context, hand, fields, onChange, hasStick = false }: FieldsProps) {
  const words = t.value.riichi;
  const names = t.value.riichi.fields;
  return (
    <>
      {fields.has('riichi') && (
        <Segmented
          legend={names.riichi}
          name={`riichi-${id}`}
          value={context.riichi ?? null}
          options={CALL_NAMES.filter((value) => !hasStick || value !== 'no').map((value) => ({
            value,
            label: words.calls[value],
          }))}
          onChoose={(riichi) =>
            onChange(riichi === 'no' ? withCall(context, { riichi, ippatsu: false }) : { ...context, riichi })
          }
        />
      )}
      {fields.has('ippatsu') && (
        <label class="check">
          <input
            type="checkbox"
            checked={context.ippatsu ?? false}
            onChange={({ currentTarget }) => onChange(withField(context, 'ippatsu', currentTarget.checked))}
          />
          <span>
            {names.ippatsu}
            <small>{words.ippatsuHelp}</small>
          </span>
        </label>
      )}
      {INDICATORS.filter((field) => fields.has(field)).map((field) => (
        <div key={field} class="indicator-field">
          <span>{names[field]}</span>
          <span class="mini-set" role="img" aria-label={tileNames(context[field] ?? [])}>
            {(context[field] ?? []).map((code, at) => {
              const face = faceOf(code);
              return face && <TileFace key={at} face={face} />;
            })}
          </span>
          <Indicators
            field={field}
            context={context}
            hand={hand}
            onChoose={(tiles) => onChange({ ...context, [field]: tiles })}
          />
        </div>
      ))}
      {COUNTS.filter((field) => fields.has(field)).map((field) => (
        <Stepper
          key={field}
          field={field}
          name={names[field]}
          value={context[field] ?? 0}
          max={maxOf(field, hand)}
          onChange={(value) => onChange({ ...context, [field]: value })}
        />
      ))}
    </>
  );
}

/** Tiles by their names; that there are none. */
function tileNames(codes: readonly string[]): string {
  const names = codes.flatMap((code) => faceOf(code) ?? []).map((face) => faceName(face));
  return listed(names) || t.value.riichi.nothing;
}
