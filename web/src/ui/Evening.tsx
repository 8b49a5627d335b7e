/** The evening: start a game, enter the next deal, see the score sheet. */
import { signal, useSignal } from '@preact/signals';
import type { Failure } from '../api/failure';
import type { Address } from '../api/games';
import type { Game } from '../api/types';
import { listed } from '../browser/lang';
import { online } from '../browser/online';
import { ON_DEVICE } from '../browser/site';
import { t } from '../i18n';
import { areNames } from '../model/evening';
import { address, begin, close, game, showing, trouble } from '../state/evening';
import { evenings, removeEvening } from '../state/evenings';
import { chosenRulesets, FIRST, forEvenings, playersBy, shortNameOf } from '../state/prefs';
import { Evenings } from './Evenings';
import { GameLinks } from './GameLinks';
import { GameNames } from './GameNames';
import { HouseEvening } from './HouseRules';
import { KeyField } from './KeyField';
import { NextDeal } from './NextDeal';
import { GameHistory, ScoreSheet } from './ScoreSheet';
import { Standings } from './Standings';
import { Waiting } from './Waiting';
import { failureText } from './words';

export function Evening() {
  const words = t.value.evening;
  const shown = game.value;
  const failure = trouble.value;
  return (
    <main class="evening" id="start" tabIndex={-1}>
      <h1>{shown?.title || (address.value ? words.title : words.list.title)}</h1>
      {shown && <p class="help by-rules">{shortNameOf(shown.ruleset)}</p>}
      {failure && (
        <div class="notice" role="alert">
          <p>{isGone(failure) ? words.gone : failureText(failure)}</p>
          {isGone(failure) && address.value && <RemoveButton address={address.value} />}
          {failure.kind === 'unauthorized' && (
            <KeyField
              onSaved={() => {
                trouble.value = null;
                // The event stream reconnects by itself; the button starts a new game.
                address.value = address.value && { ...address.value };
              }}
            />
          )}
        </div>
      )}
      {shown ? <Shown game={shown} /> : <NotShown />}
      <div class="actions">
        <button
          type="button"
          class="quiet"
          onClick={() => {
            showing.value = false;
          }}
        >
          {t.value.home}
        </button>
        {address.value && (
          <button type="button" class="quiet" onClick={close}>
            {words.all}
          </button>
        )}
      </div>
    </main>
  );
}

const isGone = ({ kind }: Failure): boolean => kind === 'not-found' || kind === 'game-not-found';

/** Takes a game out of the list that no longer exists. */
function RemoveButton({ address: where }: { readonly address: Address }) {
  return (
    <button
      type="button"
      onClick={() => {
        close();
        removeEvening(where);
      }}
    >
      {t.value.evening.list.remove}
    </button>
  );
}

function Shown({ game: shown }: { readonly game: Game }) {
  return (
    <>
      <NextDeal game={shown} />
      <Waiting game={shown} />
      <Standings game={shown} />
      <ScoreSheet game={shown} />
      <GameLinks game={shown} />
      <GameHistory game={shown} />
    </>
  );
}

/** A game that is being loaded, or the start of a new one. */
function NotShown() {
  if (!address.value) {
    return (
      <>
        <Evenings />
        <NewGame />
      </>
    );
  }
  return (
    <p class="busy" role="status">
      {online.value ? t.value.evening.loading : t.value.problems.offline}
    </p>
  );
}

const NOBODY: readonly string[] = ['', '', '', ''];

/** Names that are typed for a new game: leaving the page loses none. */
const names = signal(NOBODY);
const title = signal('');

/** Forgets the names of an evening that was begun. */
function forgetNames(isBegun: boolean): void {
  if (!isBegun) return;
  names.value = NOBODY;
  title.value = '';
}

/** The names in the order of their seats, and the rules, which say how many play. */
function NewGame() {
  const words = t.value.evening;
  const [chosen] = chosenRulesets.value;
  // The rules that are played, until others are chosen here.
  const other = useSignal<string | null>(null);
  const offered = forEvenings.value;
  const usual = offered.find(({ id }) => id === chosen?.id) ?? offered[0];
  const ruleset = other.value ?? usual?.id ?? FIRST;
  const count = playersBy(ruleset);
  // Names that are typed stay, also for a seat that other rules leave empty.
  const seated = names.value.slice(0, count);
  const fine = areNames(seated);
  const last = (evenings.value.find(({ known }) => known)?.known?.players ?? []).slice(0, count);
  return (
    <form
      class="new-game"
      onSubmit={(event) => {
        event.preventDefault();
        const players = seated.map((name) => name.trim());
        if (fine) void begin(title.value.trim(), players, ruleset).then(forgetNames);
      }}
    >
      {evenings.value.length > 0 && <h2>{words.list.begin}</h2>}
      <p class="help">{words.intro}</p>
      <GameNames title={title} names={names} count={count} />
      {last.length > 0 && !fine && (
        <button
          type="button"
          class="same-players"
          onClick={() => {
            names.value = names.value.map((name, at) => last[at] ?? name);
          }}
        >
          {words.samePlayers(listed(last))}
        </button>
      )}
      {forEvenings.value.length > 1 && (
        <label>
          {t.value.rules}
          <select
            value={ruleset}
            onChange={({ currentTarget }) => {
              other.value = currentTarget.value;
            }}
          >
            {forEvenings.value.map(({ id, name }) => (
              <option key={id} value={id} title={name}>
                {shortNameOf(id)}
              </option>
            ))}
          </select>
        </label>
      )}
      {!ON_DEVICE && <HouseEvening ruleset={ruleset} />}
      <button type="submit" class="primary big" disabled={!fine}>
        {words.begin}
      </button>
      {!fine && <p class="help">{words.namesNeeded(count)}</p>}
    </form>
  );
}
