/**
 * The rule set to score by, as one choice that stays; several only to compare them.
 */
import { useSignal } from '@preact/signals';
import { isOffered } from '../engine/house';
import { t } from '../i18n';
import {
  allRulesets,
  chooseRuleset,
  rulesets,
  shortNameOf,
  toggleRuleset,
  unknownRules,
} from '../state/prefs';
import { HouseButton } from './HouseRules';

export function RulesPicker() {
  const words = t.value;
  const comparing = useSignal(rulesets.peek().length > 1);
  if (allRulesets.value.length < 2) return null;
  const [first] = rulesets.value;
  const offered = allRulesets.value.filter(({ id }) => isOffered(id) || id === first);
  const unknown = unknownRules.value;
  return (
    <div class="rules-picker">
      <label>
        <span>{words.rules}</span>
        <select value={first} onChange={({ currentTarget }) => chooseRuleset(currentTarget.value)}>
          {offered.map(({ id, name }) => (
            <option key={id} value={id} title={name}>
              {shortNameOf(id)}
            </option>
          ))}
        </select>
      </label>
      <button
        type="button"
        class="quiet"
        aria-expanded={comparing.value}
        onClick={() => {
          comparing.value = !comparing.value;
          if (!comparing.value && first) chooseRuleset(first);
        }}
      >
        {comparing.value ? words.outcome.compareEnd : words.outcome.compare}
      </button>
      <HouseButton />
      {unknown && first && (
        <p class="notice" role="alert">
          {words.house.unknown(unknown, shortNameOf(first))}
        </p>
      )}
      {comparing.value && (
        <fieldset class="segmented">
          <legend>{words.outcome.compareWith}</legend>
          <div class="segments">
            {offered
              .filter(({ id }) => id !== first)
              .map(({ id, name }) => (
                <label key={id} class="segment" title={name}>
                  <input
                    type="checkbox"
                    checked={rulesets.value.includes(id)}
                    onChange={() => toggleRuleset(id)}
                  />
                  <span>{shortNameOf(id)}</span>
                </label>
              ))}
          </div>
        </fieldset>
      )}
    </div>
  );
}
