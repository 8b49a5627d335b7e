/**
 * What the page stores on the device, by name. Storage may be missing or full (private windows):
 * then nothing is stored, and the page still works.
 */
const PREFIX = 'tilesight.';

export type Key = 'lang' | 'context' | 'rulesets' | 'draft' | 'key' | 'evening' | 'reviewer';

export function read(name: Key): unknown {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + name) ?? 'null');
  } catch {
    return null;
  }
}

export function write(name: Key, value: unknown): void {
  try {
    if (value === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // Nothing is stored; the page still works.
  }
}
