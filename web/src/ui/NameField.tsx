/** The name of an own set, with what is wrong with it. */
import type { Signal } from '@preact/signals';
import { t } from '../i18n';
import { isSetName, MAX_NAME } from '../model/sheet';

export function NameField({ name }: { readonly name: Signal<string> }) {
  const words = t.value.ownSets;
  const isFine = isSetName(name.value.trim());
  return (
    <div class="text-field">
      <label for="set-name">{words.name}</label>
      <input
        id="set-name"
        type="text"
        autocomplete="off"
        maxLength={MAX_NAME}
        value={name.value}
        aria-describedby={isFine ? undefined : 'set-name-help'}
        aria-invalid={!isFine}
        onInput={({ currentTarget }) => {
          name.value = currentTarget.value;
        }}
      />
      {!isFine && (
        <p id="set-name-help" class="help wrong" role="alert">
          {words.badName(MAX_NAME)}
        </p>
      )}
    </div>
  );
}
