/**
 * House rules: some options of the chosen rule set changed, under a name of their own. They are kept on this
 * device, and travel in links.
 */
import { type Signal, useSignal } from '@preact/signals';
import { asFailure, type Failure } from '../api/failure';
import type { Ruleset } from '../api/types';
import { lang } from '../browser/lang';
import { addHouse } from '../engine/device';
import { findHouse, hideHouse } from '../engine/house';
import { t } from '../i18n';
import {
  choiceName,
  type House,
  houseOf,
  isHouse,
  isHouseName,
  MAX_HOUSE_NAME,
  type Setting,
  type SettingOf,
  settingsOf,
  spokenExplanation,
  wordsOf,
} from '../model/house';
import { allRulesets, chooseRuleset, FIRST, learnRulesets, rulesets, shortNameOf } from '../state/prefs';
import { Sheet } from './Sheet';
import { failureText } from './words';

/** Opens the options of the rules that are played. */
export function HouseButton() {
  const isOpen = useSignal(false);
  const [first = FIRST] = rulesets.value;
  const rules = allRulesets.value.find(({ id }) => id === (findHouse(first)?.base ?? first));
  if (!rules) return null;
  return (
    <>
      <button
        type="button"
        class="quiet"
        onClick={() => {
          isOpen.value = true;
        }}
      >
        {t.value.house.title}
      </button>
      {isOpen.value && (
        <HouseSheet
          base={rules}
          before={findHouse(first) ?? null}
          onClose={() => {
            isOpen.value = false;
          }}
        />
      )}
    </>
  );
}

interface SheetProps {
  /** The rule set whose options are changed. */
  readonly base: Ruleset;
  /** The house rules that are changed further. */
  readonly before: House | null;
  readonly onClose: () => void;
}

function HouseSheet({ base, before, onClose }: SheetProps) {
  const words = t.value.house;
  const name = useSignal(before?.name ?? words.usualName);
  const changed = useSignal<Readonly<Record<string, Setting | null>>>(before?.options ?? {});
  const refused = useSignal<Failure | null>(null);
  const { first, more } = settingsOf(base);
  const wished = name.value.trim();
  const isWhole = Object.values(changed.value).every((value) => value !== null);
  const isChanged = Object.keys(changed.value).length > 0;
  const keep = async (): Promise<void> => {
    const house = houseOf(wished, base.id, changed.value as House['options']);
    try {
      await addHouse(house);
      if (before && before.id !== house.id) hideHouse(before.id);
      await learnRulesets();
      chooseRuleset(house.id);
      onClose();
    } catch (error) {
      refused.value = asFailure(error);
    }
  };
  return (
    <Sheet title={words.title} onClose={onClose}>
      <form
        class="house-rules"
        onSubmit={(event) => {
          event.preventDefault();
          if (isHouseName(wished) && isWhole && isChanged) void keep();
        }}
      >
        <p class="help">{words.about(shortNameOf(base.id))}</p>
        <label class="house-name">
          {words.name}
          <input
            type="text"
            maxLength={MAX_HOUSE_NAME}
            value={name.value}
            onInput={({ currentTarget }) => {
              name.value = currentTarget.value;
            }}
          />
        </label>
        {first.map((setting) => (
          <SettingField key={setting.name} setting={setting} changed={changed} />
        ))}
        {more.length > 0 && (
          <details class="more">
            <summary>{words.more(more.length)}</summary>
            {more.map((setting) => (
              <SettingField key={setting.name} setting={setting} changed={changed} />
            ))}
          </details>
        )}
        {refused.value && (
          <p class="notice" role="alert">
            {refused.value.problem.detail ?? failureText(refused.value)}
          </p>
        )}
        <p class="help">{words.kept}</p>
        <div class="actions">
          <button type="submit" class="primary" disabled={!isHouseName(wished) || !isWhole || !isChanged}>
            {words.keep}
          </button>
          {before && (
            <button
              type="button"
              onClick={() => {
                hideHouse(before.id);
                chooseRuleset(before.base);
                onClose();
              }}
            >
              {t.value.remove}
            </button>
          )}
        </div>
      </form>
    </Sheet>
  );
}

interface FieldProps {
  readonly setting: SettingOf;
  readonly changed: Signal<Readonly<Record<string, Setting | null>>>;
}

/** An option with its explanation. The value that the rules have is no change. */
function SettingField({ setting, changed }: FieldProps) {
  const { name, value, explanation } = setting;
  const now = changed.value[name];
  const set = (next: Setting | null): void => {
    const { [name]: _, ...others } = changed.value;
    changed.value = next === value ? others : { ...others, [name]: next };
  };
  if (typeof value === 'boolean') {
    return (
      <label class="check" data-option={name}>
        <input
          type="checkbox"
          checked={(now ?? value) === true}
          onChange={({ currentTarget }) => set(currentTarget.checked)}
        />
        <span>{explanation}</span>
      </label>
    );
  }
  if (typeof value === 'string')
    return <WordField setting={setting} now={String(now ?? value)} onSet={set} />;
  return (
    <label class="number" data-option={name}>
      <span>{explanation}</span>
      <input
        type="text"
        inputMode="decimal"
        aria-invalid={now === null}
        defaultValue={String(now ?? value)}
        onInput={({ currentTarget }) => set(numberOf(currentTarget.value))}
      />
    </label>
  );
}

interface WordProps {
  readonly setting: SettingOf;
  readonly now: string;
  readonly onSet: (word: string) => void;
}

/** An option whose value is one of a few words. */
function WordField({ setting, now, onSet }: WordProps) {
  const { name } = setting;
  const { choices } = t.value.house;
  // In English the words of files are words of the sentence.
  const spoken = (word: string): string =>
    lang.value === 'en' ? word.replaceAll('_', ' ') : choiceName(choices, name, word);
  return (
    <label class="word" data-option={name}>
      <span>{spokenExplanation(setting, spoken)}</span>
      <select value={now} onChange={({ currentTarget }) => onSet(currentTarget.value)}>
        {wordsOf(name).map((word) => (
          <option key={word} value={word}>
            {choiceName(choices, name, word)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A number as people type it; `null` if it isn't one. */
function numberOf(text: string): number | null {
  const plain = text.trim().replace(',', '.');
  return /^\d{1,6}(\.\d)?$/.test(plain) ? Number(plain) : null;
}

/** Says that an evening by house rules stays on this device, where others are kept by a service. */
export function HouseEvening({ ruleset }: { readonly ruleset: string }) {
  return isHouse(ruleset) ? <p class="help">{t.value.house.evening}</p> : null;
}
