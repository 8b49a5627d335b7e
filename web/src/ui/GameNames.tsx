/** The names of a game and its players: asked at the start and when it is renamed. */
import type { Signal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { t } from '../i18n';
import { WINDS } from '../model/payments';
import { evenings } from '../state/evenings';

interface Props {
  readonly title: Signal<string>;
  readonly names: Signal<readonly string[]>;
  /** Number of players by the rules. */
  readonly count: number;
}

export function GameNames({ title, names, count }: Props) {
  const words = t.value.evening;
  const id = useId();
  const known = [...new Set(evenings.value.flatMap((one) => one.known?.players ?? []))].filter(
    (name) => !names.value.includes(name),
  );
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
        {WINDS.slice(0, count).map((wind, at) => (
          <label key={wind}>
            {t.value.winds[wind]}
            <input
              type="text"
              maxLength={40}
              autocomplete="off"
              list={id}
              value={names.value[at] ?? ''}
              onInput={({ currentTarget }) => {
                names.value = names.value.map((name, i) => (i === at ? currentTarget.value : name));
              }}
            />
          </label>
        ))}
        <datalist id={id}>
          {known.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </fieldset>
    </>
  );
}
