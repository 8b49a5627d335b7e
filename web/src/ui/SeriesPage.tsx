/** Series: the list of those that this device knows, a new one, or the one on the screen. */
import '../styles/series.css';
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Series } from '../api/types';
import { online } from '../browser/online';
import { t } from '../i18n';
import { allRulesets, chosenRulesets, FIRST, shortNameOf } from '../state/prefs';
import {
  actOnSeries,
  beginSeries,
  closeSeries,
  forgetSeries,
  knownSeries,
  listSeries,
  openSeries,
  series,
  seriesAddress,
  seriesTrouble,
  showingSeries,
  wasFaster,
  watchSeries,
} from '../state/series';
import { KeyField } from './KeyField';
import { SeriesFiles } from './SeriesFiles';
import { SeriesPlayers } from './SeriesPlayers';
import { SeriesRounds } from './SeriesRounds';
import { SeriesStandings } from './SeriesStandings';
import { failureText } from './words';

export function SeriesPage() {
  const words = t.value.series;
  const main = useRef<HTMLElement>(null);
  const shown = series.value;
  useEffect(() => main.current?.focus({ preventScroll: true }), []);
  useEffect(listSeries, []);
  useEffect(watchSeries, []);
  return (
    <main ref={main} class="series-page" id="start" tabIndex={-1}>
      <h1>{shown?.title ?? words.title}</h1>
      {shown && <p class="help by-rules">{factsOf(shown)}</p>}
      <Trouble />
      <Content />
      <div class="actions">
        <button
          type="button"
          class="quiet"
          onClick={() => {
            showingSeries.value = false;
          }}
        >
          {t.value.home}
        </button>
        {seriesAddress.value && (
          <button type="button" class="quiet" onClick={closeSeries}>
            {words.all}
          </button>
        )}
      </div>
    </main>
  );
}

/** The rules, the number of players and the round. */
function factsOf({ ruleset, players, rounds, planned, state }: Series): string {
  const words = t.value.series;
  const round = planned > 0 ? words.roundOf(rounds.length, planned) : words.round(rounds.length);
  const facts = [shortNameOf(ruleset), words.playerCount(players.length), rounds.length > 0 && round];
  return [...facts, state === 'finished' && words.finished].filter(Boolean).join(' · ');
}

/** The reason why the last request failed, and every fault that the service names. */
function Trouble() {
  const words = t.value.series;
  const failure = seriesTrouble.value;
  const address = seriesAddress.value;
  if (wasFaster.value) {
    return (
      <p class="notice" role="alert">
        {words.wasFaster}
      </p>
    );
  }
  if (!failure) return null;
  const isGone = failure.kind === 'not-found';
  const faults = (failure.problem.errors ?? []).map(({ detail }) => detail);
  return (
    <div class="notice" role="alert">
      <p>{isGone ? words.gone : failureText(failure)}</p>
      {!isGone && faults.map((fault) => <p key={fault}>{fault}</p>)}
      {failure.kind === 'invalid-series' && faults.length === 0 && <p>{failure.problem.detail}</p>}
      {isGone && address && (
        <button
          type="button"
          onClick={() => {
            closeSeries();
            forgetSeries(address);
          }}
        >
          {t.value.evening.list.remove}
        </button>
      )}
      {failure.kind === 'unauthorized' && (
        <KeyField
          onSaved={() => {
            if (address) openSeries(address);
            else seriesTrouble.value = null;
          }}
        />
      )}
    </div>
  );
}

/** The series, or those to choose from. */
function Content() {
  if (!seriesAddress.value) return <Start />;
  return series.value ? <Shown series={series.value} /> : <Loading />;
}

function Loading() {
  return (
    <p class="busy" role="status">
      {online.value ? t.value.series.loading : t.value.problems.offline}
    </p>
  );
}

function Shown({ series: shown }: { readonly series: Series }) {
  const isOrganiser = shown.id !== null;
  return (
    <>
      <SeriesRounds series={shown} />
      <SeriesStandings series={shown} />
      {isOrganiser && <SeriesPlayers series={shown} />}
      <SeriesFiles series={shown} />
      {isOrganiser && <Ending series={shown} />}
    </>
  );
}

/** Undo, and the end of the series. */
function Ending({ series: { undo, state } }: { readonly series: Series }) {
  const words = t.value.series;
  return (
    <div class="actions">
      {undo !== null && (
        <button type="button" onClick={() => void actOnSeries({ kind: 'undo', change: undo })}>
          {words.undo}
        </button>
      )}
      {state === 'running' && (
        <button type="button" onClick={() => void actOnSeries({ kind: 'finish' })}>
          {words.finish}
        </button>
      )}
    </div>
  );
}

/** The series that this device knows, and a new one. */
function Start() {
  const words = t.value.series;
  return (
    <>
      {knownSeries.value.length > 0 && (
        <section class="evenings card" aria-labelledby="series-known">
          <h2 id="series-known">{words.known}</h2>
          <ul>
            {knownSeries.value.map(({ address, title }) => (
              <li key={JSON.stringify(address)}>
                <button type="button" onClick={() => openSeries(address)}>
                  <b>{title}</b> {address.kind === 'shared' && <small>{t.value.evening.list.watched}</small>}
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      <NewSeriesForm />
    </>
  );
}

/** Returns the names in a text, one on each line. */
const namesIn = (text: string): readonly string[] =>
  text
    .split(/\n/)
    .map((name) => name.trim())
    .filter((name) => name !== '');

function NewSeriesForm() {
  const words = t.value.series;
  const title = useSignal('');
  const names = useSignal('');
  const rounds = useSignal('');
  const other = useSignal<string | null>(null);
  const ruleset = other.value ?? chosenRulesets.value[0]?.id ?? FIRST;
  return (
    <form
      class="new-series card"
      onSubmit={(event) => {
        event.preventDefault();
        const planned = Number(rounds.value) || 0;
        void beginSeries({ title: title.value, players: namesIn(names.value), ruleset, rounds: planned });
      }}
    >
      <h2>{words.begin}</h2>
      <p class="help">{words.intro}</p>
      <label>
        {words.name}
        <input
          required
          maxLength={200}
          value={title.value}
          onInput={({ currentTarget }) => {
            title.value = currentTarget.value;
          }}
        />
      </label>
      <label>
        {words.playersByLine}
        <textarea
          rows={8}
          value={names.value}
          onInput={({ currentTarget }) => {
            names.value = currentTarget.value;
          }}
        />
      </label>
      <label>
        {words.planned}
        <input
          inputMode="numeric"
          pattern="[0-9]{0,3}"
          value={rounds.value}
          onInput={({ currentTarget }) => {
            rounds.value = currentTarget.value;
          }}
        />
      </label>
      {allRulesets.value.length > 1 && (
        <label>
          {t.value.rules}
          <select
            value={ruleset}
            onChange={({ currentTarget }) => {
              other.value = currentTarget.value;
            }}
          >
            {allRulesets.value.map(({ id, name }) => (
              <option key={id} value={id} title={name}>
                {shortNameOf(id)}
              </option>
            ))}
          </select>
        </label>
      )}
      <button type="submit" class="primary big">
        {t.value.evening.begin}
      </button>
    </form>
  );
}
