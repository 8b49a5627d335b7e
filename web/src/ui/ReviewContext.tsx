/** Fields of the win context of a photo, for what the reviewer knows better: by tap or key. */
import { signal } from '@preact/signals';
import type { ContextField } from '../api/types';
import { t } from '../i18n';
import { fieldsOf } from '../model/context';
import { CONTEXT_KEYS, contextOf, handOf, type ReviewPhoto, stepped } from '../model/review';
import { allRulesets, FIRST } from '../state/prefs';
import { draft, photo, setContext } from '../state/review';
import { WinContextFields } from './WinContext';

/** Whether the fields are shown; they stay so from photo to photo. */
export const isContextShown = signal(false);

const KEYS: Partial<Record<ContextField, string>> = Object.fromEntries(
  Object.entries(CONTEXT_KEYS).map(([key, field]) => [field, key.toUpperCase()]),
);

/** Returns what the fields of a photo's win context show. */
function shownOf(now: ReviewPhoto) {
  const context = contextOf(now, draft.value);
  const rulesets = allRulesets.value.filter(({ id }) => id === (now.given.ruleset ?? FIRST));
  return { context, hand: handOf(now), rulesets };
}

/** A key changes its field, and shows all of them. */
export async function stepContext(key: keyof typeof CONTEXT_KEYS): Promise<void> {
  const now = photo.peek();
  if (!now) return;
  const { context, hand, rulesets } = shownOf(now);
  isContextShown.value = true;
  if (!fieldsOf(rulesets, context, hand).has(CONTEXT_KEYS[key])) return;
  await setContext(stepped(context, key, hand, rulesets));
}

export function ReviewContext({ photo: now }: { readonly photo: ReviewPhoto }) {
  return (
    <details
      class="fold review-context"
      open={isContextShown.value}
      onToggle={({ currentTarget }) => {
        isContextShown.value = currentTarget.open;
      }}
    >
      <summary>
        <span>
          <b>{t.value.winContext}</b> <kbd>C</kbd>
        </span>
      </summary>
      <WinContextFields
        {...shownOf(now)}
        id={now.index}
        keys={KEYS}
        onChange={(context) => void setContext(context)}
      />
    </details>
  );
}
