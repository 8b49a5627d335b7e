/** The names of a game and its four players: asked at the start and when it is renamed. */
import type { Signal } from '@preact/signals';
import { t } from '../i18n';
import { WINDS } from '../model/payments';

interface Props {
  readonly title: Signal<string>;
  readonly names: Signal<readonly string[]>;
}

export function GameNames({ title, names }: Props) {
  const words = t.value.evening;
  return (
    <>
      <label>
        {words.name}
        <input
          type="text"
          maxLength={200}
          value={title.value}
          onInput={({ currentTarget }) => {
            title.value = currentTarget.value;
          }}
        />
      </label>
      <fieldset>
        <legend>{words.players}</legend>
        {WINDS.map((wind, at) => (
          <label key={wind}>
            {t.value.winds[wind]}
            <input
              type="text"
              maxLength={40}
              autocomplete="off"
              value={names.value[at] ?? ''}
              onInput={({ currentTarget }) => {
                names.value = names.value.map((name, i) => (i === at ? currentTarget.value : name));
              }}
            />
          </label>
        ))}
      </fieldset>
    </>
  );
}
