/** The key that a server may require; it is stored on this device. */
import { useSignal } from '@preact/signals';
import { write } from '../browser/storage';
import { t } from '../i18n';
import { learnServerSets } from '../state/ownSets';
import { learnRulesets } from '../state/prefs';

export function KeyField({ onSaved }: { readonly onSaved: () => void }) {
  const words = t.value;
  const key = useSignal('');
  return (
    <form
      class="key-field"
      onSubmit={(event) => {
        event.preventDefault();
        write('key', key.value.trim() || null);
        void learnRulesets();
        void learnServerSets();
        onSaved();
      }}
    >
      <label>
        {words.key}
        <input
          type="password"
          autocomplete="off"
          value={key.value}
          onInput={({ currentTarget }) => {
            key.value = currentTarget.value;
          }}
        />
      </label>
      <button type="submit" class="primary">
        {words.save}
      </button>
    </form>
  );
}
