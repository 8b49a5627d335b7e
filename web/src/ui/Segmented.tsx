/** Choice of one of a few: a row of radio buttons that look like one control. */
import type { ComponentChildren } from 'preact';

interface Option<T extends string> {
  readonly value: T;
  readonly label: string;
  readonly disabled?: boolean;
}

interface Props<T extends string> {
  readonly legend: ComponentChildren;
  readonly name: string;
  readonly options: readonly Option<T>[];
  readonly value: T | null;
  readonly onChoose: (value: T) => void;
  /** The legend is for screen readers only; for the eye the surrounding text is enough. */
  readonly quiet?: boolean;
}

export function Segmented<T extends string>({ legend, name, options, value, onChoose, quiet }: Props<T>) {
  return (
    <fieldset class="segmented">
      <legend class={quiet ? 'unseen' : ''}>{legend}</legend>
      <div class="segments">
        {options.map((option) => (
          <label key={option.value} class="segment">
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              disabled={option.disabled ?? false}
              onChange={() => onChoose(option.value)}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
