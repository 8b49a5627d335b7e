/**
 * Values that the page stores on the device, by name. Storage may be missing or full (private
 * windows): then nothing is stored, and the page still works.
 */
const PREFIX = 'tilesight.';

/**
 * `series` are the series that this device opened, `evening` is the evening that is shown, `evening.ID` one that is kept, and `game.ID` the record of one
 * that is played on this device alone.
 */
export type Key =
  | 'lang'
  | 'context'
  | 'rulesets'
  | 'draft'
  | 'key'
  | 'evening'
  | 'series'
  | 'reviewer'
  | 'reads'
  | 'operator'
  | 'set'
  | 'way'
  | 'places'
  | 'house'
  | `evening.${string}`
  | `game.${string}`;

export function read(name: Key): unknown {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + name) ?? 'null');
  } catch {
    return null;
  }
}

/** Names of the stored values that begin with a prefix, without it. */
export function names(prefix: 'evening.' | 'game.'): readonly string[] {
  try {
    const whole = PREFIX + prefix;
    const stored = Array.from({ length: localStorage.length }, (_, at) => localStorage.key(at) ?? '');
    return stored.filter((name) => name.startsWith(whole)).map((name) => name.slice(whole.length));
  } catch {
    return [];
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
