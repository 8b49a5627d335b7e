/** The rounds of a series: their tables with seats and results, and the seating of the next one. */
import { batch, useSignal } from '@preact/signals';
import type { Series, SeriesRound, SeriesSeat, SeriesTable } from '../api/types';
import { listed } from '../browser/lang';
import { t } from '../i18n';
import { signed } from '../model/evening';
import { open } from '../state/evening';
import { actOnSeries, showingSeries } from '../state/series';
import { Fold } from './Fold';

export function SeriesRounds({ series }: { readonly series: Series }) {
  const words = t.value.series;
  const chosen = useSignal<number | null>(null);
  const number = Math.min(chosen.value ?? series.rounds.length, series.rounds.length);
  const round = series.rounds[number - 1];
  return (
    <section class="series-rounds card" aria-labelledby="rounds-title">
      <h2 id="rounds-title">{words.rounds}</h2>
      {series.rounds.length > 1 && (
        <label>
          {words.shownRound}
          <select
            value={number}
            onChange={({ currentTarget }) => {
              chosen.value = Number(currentTarget.value);
            }}
          >
            {series.rounds.map(({ number: one }) => (
              <option key={one} value={one}>
                {words.round(one)}
              </option>
            ))}
          </select>
        </label>
      )}
      {round && <RoundTables series={series} round={round} />}
      {series.id !== null && series.state === 'running' && (
        <SeatForm
          series={series}
          onSeated={() => {
            chosen.value = null;
          }}
        />
      )}
    </section>
  );
}

function RoundTables({ series, round }: { readonly series: Series; readonly round: SeriesRound }) {
  const words = t.value.series;
  const resting = round.resting.map((player) => series.players[player - 1]?.name ?? '');
  const canCollect = round.tables.some(({ game }) => game !== null);
  const isOrganiser = series.id !== null;
  return (
    <>
      <p class="help">{words.repeated(round.repeated)}</p>
      <ol class="series-tables">
        {round.tables.map((table) => (
          <TableCard key={table.number} series={series} round={round} table={table} />
        ))}
      </ol>
      {resting.length > 0 && <p>{words.rest(listed(resting))}</p>}
      {isOrganiser && canCollect && (
        <button
          type="button"
          class="primary"
          onClick={() => void actOnSeries({ kind: 'collect', round: round.number })}
        >
          {words.collect}
        </button>
      )}
    </>
  );
}

interface TableProps {
  readonly series: Series;
  readonly round: SeriesRound;
  readonly table: SeriesTable;
}

function TableCard({ series, round, table }: TableProps) {
  const words = t.value.series;
  return (
    <li class="series-table">
      <h3>{words.table(table.number)}</h3>
      <table>
        <tbody>
          {table.seats.map((seat, at) => (
            <tr key={`${seat.player}-${seat.name}`}>
              <td class="wind">{t.value.winds[(['E', 'S', 'W', 'N'] as const)[at] ?? 'E']}</td>
              <th scope="row">
                {seat.name} {seat.is_guest && <small>{words.guest}</small>}
              </th>
              <td class="total">{seat.points !== null && signed(seat.points)}</td>
              <td>{seat.points !== null && earnedOf(series, seat)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {series.id !== null && <TableActions series={series} round={round} table={table} />}
    </li>
  );
}

/** Returns what a seat earned: table points, or the result with uma. */
function earnedOf({ ranking: { order } }: Series, seat: SeriesSeat): string {
  if (order === 'points') return '';
  const value = order === 'uma' ? seat.result : seat.table_points;
  return value === null ? '' : value.toLocaleString();
}

function TableActions({ series, round, table }: TableProps) {
  const words = t.value.series;
  const at = { round: round.number, table: table.number };
  const { game } = table;
  return (
    <div class="table-actions">
      {game !== null ? (
        <button type="button" onClick={() => openEvening(game)}>
          {words.toEvening}
        </button>
      ) : (
        series.seats === 4 &&
        !table.has_result && (
          <button type="button" onClick={() => void actOnSeries({ kind: 'open', ...at })}>
            {words.openEvening}
          </button>
        )
      )}
      <Fold
        key={table.seats.map(({ points }) => points).join()}
        title={table.has_result ? words.correct : words.enter}
      >
        <PointsForm table={table} round={round.number} />
        {table.has_result && (
          <button type="button" class="quiet" onClick={() => void actOnSeries({ kind: 'clear', ...at })}>
            {words.clear}
          </button>
        )}
        {!table.has_result && <SubstituteForm table={table} round={round.number} />}
      </Fold>
    </div>
  );
}

/** Opens the evening of a table. */
export function openEvening(id: string): void {
  // At once, so that the back button returns to the series.
  batch(() => {
    showingSeries.value = false;
    open({ kind: 'game', id });
  });
}

function PointsForm({ table, round }: { readonly table: SeriesTable; readonly round: number }) {
  const words = t.value.series;
  const typed = useSignal(table.seats.map(({ points }) => (points === null ? '' : String(points))));
  const points = typed.value.map((text) => Number(text.replace('−', '-').replaceAll(/\s/g, '')));
  const isWhole = typed.value.every((text, at) => text.trim() !== '' && Number.isInteger(points[at]));
  return (
    <form
      class="points-form"
      onSubmit={(event) => {
        event.preventDefault();
        void actOnSeries({ kind: 'result', round, table: table.number, points });
      }}
    >
      {table.seats.map(({ name }, at) => (
        <label key={name}>
          {name}
          <input
            inputMode="text"
            autocomplete="off"
            value={typed.value[at]}
            onInput={({ currentTarget }) => {
              typed.value = typed.value.with(at, currentTarget.value);
            }}
          />
        </label>
      ))}
      <p class="help">{words.pointsHelp}</p>
      <button type="submit" class="primary" disabled={!isWhole}>
        {words.save}
      </button>
    </form>
  );
}

/** A substitute for a player who is absent. */
function SubstituteForm({ table, round }: { readonly table: SeriesTable; readonly round: number }) {
  const words = t.value.series;
  const players = table.seats.filter(({ player }) => player !== null);
  const absent = useSignal('');
  const guest = useSignal('');
  return (
    <form
      class="points-form"
      onSubmit={(event) => {
        event.preventDefault();
        const player = Number(absent.value);
        void actOnSeries({ kind: 'replace', round, player, guest: guest.value });
      }}
    >
      <label>
        {words.absentOne}
        <select
          value={absent.value}
          onChange={({ currentTarget }) => {
            absent.value = currentTarget.value;
          }}
        >
          <option value="" />
          {players.map(({ player, name }) => (
            <option key={player} value={String(player)}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        {words.substitute}
        <input
          maxLength={40}
          value={guest.value}
          onInput={({ currentTarget }) => {
            guest.value = currentTarget.value;
          }}
        />
      </label>
      <button type="submit" disabled={absent.value === '' || guest.value.trim() === ''}>
        {words.substituteSave}
      </button>
    </form>
  );
}

/** The absent, guests who may fill tables, and the button that seats the round. */
function SeatForm({ series, onSeated }: { readonly series: Series; readonly onSeated: () => void }) {
  const words = t.value.series;
  const absent = useSignal<readonly number[]>([]);
  const guests = useSignal('');
  const last = series.rounds.at(-1);
  const isFresh = last?.tables.every(({ game, has_result }) => game === null && !has_result) ?? false;
  const next = series.rounds.length + 1;
  const seat = async (round: number, seed: number): Promise<void> => {
    const named = guests.value.split(',').map((name) => name.trim());
    const called = named.filter((name) => name !== '');
    const action = { kind: 'seat', round, seed, absent: absent.value, guests: called } as const;
    if (await actOnSeries(action)) onSeated();
  };
  return (
    <Fold title={words.seatNext(next)} open={series.rounds.length === 0}>
      <fieldset class="absent">
        <legend>{words.absent}</legend>
        {series.players
          .filter(({ active }) => active)
          .map(({ number, name }) => (
            <label key={number}>
              <input
                type="checkbox"
                checked={absent.value.includes(number)}
                onChange={({ currentTarget }) => {
                  const others = absent.value.filter((one) => one !== number);
                  absent.value = currentTarget.checked ? [...others, number] : others;
                }}
              />
              {name}
            </label>
          ))}
      </fieldset>
      <label>
        {words.guests}
        <input
          value={guests.value}
          onInput={({ currentTarget }) => {
            guests.value = currentTarget.value;
          }}
        />
      </label>
      <p class="help">{words.seatHelp}</p>
      <div class="actions">
        <button type="button" class="primary" onClick={() => void seat(next, next)}>
          {words.seat(next)}
        </button>
        {last && isFresh && (
          <button type="button" onClick={() => void seat(last.number, Math.floor(Math.random() * 1_000_000))}>
            {words.seatAgain(last.number)}
          </button>
        )}
      </div>
    </Fold>
  );
}
