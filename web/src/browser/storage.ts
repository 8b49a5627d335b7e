/**
 * Values that the page stores on the device, by name. Storage may be missing or full (private
 * windows): then nothing is stored, and the page still works.
 */
const PREFIX = 'tilesight.';

/** `game.ID` is an evening that is played on this device alone. */
export type Key =
  | 'lang'
  | 'context'
  | 'rulesets'
  | 'draft'
  | 'key'
  | 'evening'
  | 'reviewer'
  | 'reads'
  | 'operator'
  | 'set'
  | `game.${string}`;

export function read(name: Key): unknown {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + name) ?? 'null');
  } catch {
    return null;
  }
}

/** Stores a value, or removes it with `null`; whether it could. */
export function write(name: Key, value: unknown): boolean {
  try {
    if (value === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
