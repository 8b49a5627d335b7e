/**
 * Server-sent events of a game or a series.
 *
 * A `fetch` reads them and not an `EventSource`, which can send neither a key nor a language.
 */
import { headers } from './client';

/**
 * Calls `seen` with the data of each event of a name, until the stream breaks off. `false` when what is
 * listened to is gone.
 */
export async function listenTo<T>(
  path: string,
  name: string,
  known: number | null,
  seen: (data: T) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const last = known === null ? {} : { 'Last-Event-ID': String(known) };
  const init = { headers: { ...headers(), ...last }, signal, cache: 'no-store' as const };
  const response = await fetch(path, init);
  if (response.status === 404) return false;
  if (!response.ok || !response.body) throw new Error(`${response.status}`);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ''; ; ) {
    const { done, value } = await reader.read();
    if (done) return true;
    const events = (rest + value).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events.map(parseEvent)) {
      if (event.name === 'gone') return false;
      if (event.name === name) seen(JSON.parse(event.data) as T);
    }
  }
}

/** The name and the data of an event, as the standard has its lines. */
export function parseEvent(text: string): { readonly name: string; readonly data: string } {
  const fields = text.split('\n').map((line) => {
    const colon = line.indexOf(':');
    return colon < 0 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')];
  });
  const all = (name: string): string[] =>
    fields.filter(([one]) => one === name).map(([, value]) => value ?? '');
  return { name: all('event').at(-1) ?? 'message', data: all('data').join('\n') };
}
