/** The hand as one line of text, both ways: it follows the tiles, and the tiles follow it. */
import { useSignal } from '@preact/signals';
import { t } from '../i18n';
import { canWrite, NotationError, parse, print } from '../model/notation';
import { change, setContext } from '../state/hand/edit';
import type { Entry } from '../state/hand/entry';

export function TextField({ entry }: { readonly entry: Entry }) {
  const words = t.value;
  const written = print(entry.edit.hand.value) ?? '';
  // The text while it is typed; otherwise `null`, and the field shows the tiles.
  const draft = useSignal<string | null>(null);
  const wrong = useSignal<NotationError | null>(null);
  const type = (text: string): void => {
    draft.value = text;
    try {
      const { hand, context } = parse(text);
      wrong.value = null;
      change(entry, { ...hand, answered: entry.edit.hand.value.answered });
      if (Object.keys(context).length > 0)
        setContext(entry.edit, { ...entry.edit.context.value, ...context });
    } catch (error) {
      if (!(error instanceof NotationError)) throw error;
      wrong.value = error;
    }
  };
  return (
    <div class="text-field">
      <label for="notation">{words.asText}</label>
      <input
        id="notation"
        type="text"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        value={draft.value ?? written}
        disabled={!canWrite()}
        aria-describedby="notation-help"
        aria-invalid={wrong.value !== null}
        onInput={({ currentTarget }) => type(currentTarget.value)}
        onBlur={() => {
          if (!wrong.value) draft.value = null;
        }}
      />
      <p
        id="notation-help"
        class={wrong.value ? 'help wrong' : 'help'}
        role={wrong.value ? 'alert' : undefined}
      >
        {wrong.value?.detail ?? words.textHelp}
        {wrong.value?.understood && ` ${words.understood(wrong.value.understood)}`}
      </p>
    </div>
  );
}
