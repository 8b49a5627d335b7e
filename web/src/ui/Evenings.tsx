/** The evenings that this device keeps, to go on with one of them. */
import { useEffect } from 'preact/hooks';
import { lang, listed } from '../browser/lang';
import { t } from '../i18n';
import type { Known } from '../model/evening';
import { open } from '../state/evening';
import { evenings, findEvenings, type Kept, listEvenings } from '../state/evenings';
import { shortNameOf } from '../state/prefs';

export function Evenings() {
  const words = t.value.evening.list;
  useEffect(() => {
    void findEvenings();
    // Another window may begin one.
    window.addEventListener('storage', listEvenings);
    return () => window.removeEventListener('storage', listEvenings);
  }, []);
  if (evenings.value.length === 0) return null;
  return (
    <section class="evenings card" aria-labelledby="evenings-title">
      <h2 id="evenings-title">{words.kept}</h2>
      <ul>
        {evenings.value.map((one) => (
          <li key={JSON.stringify(one.address)}>
            <button type="button" onClick={() => open(one.address)}>
              <KeptEvening kept={one} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The name, the date, the players and the state of an evening. */
function KeptEvening({ kept: { address, at, known, pending } }: { readonly kept: Kept }) {
  const words = t.value.evening;
  const date = new Intl.DateTimeFormat(lang.value, { dateStyle: 'medium' }).format(at);
  const facts = [
    known && stateOf(known),
    known && shortNameOf(known.ruleset),
    address.kind === 'shared' && words.list.watched,
  ];
  return (
    <>
      <span class="evening-head">
        <b>{known?.title || words.title}</b> <small>{date}</small>
      </span>{' '}
      {known && <span>{listed(known.players)}</span>}{' '}
      <small>{facts.filter((fact) => typeof fact === 'string').join(' · ')}</small>
      {pending.length > 0 && <small class="waiting"> {words.list.waiting(pending.length)}</small>}
    </>
  );
}

/** The deal that is played next, or that the game is over. */
function stateOf({ state, next }: Known): string {
  const words = t.value.evening;
  if (next) return words.deal(next.number, t.value.winds[next.round]);
  return words.over[state === 'finished' ? 'finished' : 'complete'];
}
