/** The standings of a series after a round, and the records of its players. */
import type { Series, SeriesPlayerRecord } from '../api/types';
import { grouped } from '../browser/lang';
import { t } from '../i18n';
import { signed } from '../model/evening';
import { afterRound, refreshSeries } from '../state/series';
import { Fold } from './Fold';
import { openEvening } from './SeriesRounds';

export function SeriesStandings({ series }: { readonly series: Series }) {
  const words = t.value.series;
  const { order } = series.ranking;
  if (series.players.length === 0) return null;
  return (
    <section class="standings series-standings card" aria-labelledby="series-standings-title">
      <h2 id="series-standings-title">{t.value.evening.standings}</h2>
      {series.rounds.length > 1 && (
        <label>
          {words.after}
          <select
            value={series.after}
            onChange={({ currentTarget }) => {
              afterRound.value = Number(currentTarget.value);
              void refreshSeries();
            }}
          >
            {series.rounds.map(({ number }) => (
              <option key={number} value={number}>
                {words.round(number)}
              </option>
            ))}
          </select>
        </label>
      )}
      <table>
        <thead>
          <tr>
            <th scope="col">{t.value.evening.place}</th>
            <th scope="col">{t.value.evening.player}</th>
            {order === 'table_points' && <th scope="col">{t.value.evening.tablePoints}</th>}
            {order === 'uma' && <th scope="col">{t.value.riichi.result}</th>}
            <th scope="col">{t.value.evening.points}</th>
          </tr>
        </thead>
        <tbody>
          {series.standings.map(({ player, name, place, table_points, points, result }) => (
            <tr key={player}>
              <td class="place">{place}</td>
              <th scope="row">{name}</th>
              {order === 'table_points' && <td>{grouped(table_points)}</td>}
              {order === 'uma' && <td>{signed(result)}</td>}
              <td class="total" data-player={player} data-points={points}>
                {signed(points)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Fold title={words.records}>
        <ul class="series-records">
          {series.records
            .filter(({ rounds }) => rounds > 0)
            .map((record) => (
              <li key={record.player}>
                <PlayerCard series={series} record={record} />
              </li>
            ))}
        </ul>
      </Fold>
    </section>
  );
}

/** The record of a player; the evening of the largest hand has its photo, where this device kept it. */
function PlayerCard({ series, record }: { readonly series: Series; readonly record: SeriesPlayerRecord }) {
  const words = t.value.series;
  const { largest } = record;
  const facts = [
    words.averagePlace(grouped(record.average_place ?? 0)),
    record.deals > 0 && words.won(record.won, record.deals),
    record.deals > 0 && words.selfDrawn(record.self_drawn),
    record.deals > 0 && words.fed(record.fed),
    record.average_hand !== null && words.averageHand(grouped(record.average_hand)),
    largest && words.largest(grouped(largest.total)),
  ];
  const game = largest?.game ?? null;
  return (
    <>
      <b>{series.players[record.player - 1]?.name}</b>
      <small>{facts.filter(Boolean).join(' · ')}</small>
      {largest?.hand && <code>{largest.hand}</code>}
      {game && (
        <button type="button" class="quiet" onClick={() => openEvening(game)}>
          {words.largestEvening}
        </button>
      )}
    </>
  );
}
