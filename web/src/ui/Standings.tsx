/**
 * The standings: the place of each player, the points, and how far behind the first; and as a
 * picture. Once the game is over, the distances stand below the points: a phone has no room for the
 * result beside a fourth column.
 */
import type { Game } from '../api/types';
import { grouped, listed } from '../browser/lang';
import { t } from '../i18n';
import { dealsPlayed, signed, startPoints } from '../model/evening';
import { handOver, saveFile } from '../share/file';
import { allRulesets, shortNameOf } from '../state/prefs';
import { note } from './focus';
import { picture } from './standingsPicture';

export function Standings({ game }: { readonly game: Game }) {
  const words = t.value.evening;
  const start = startPoints(allRulesets.value.find(({ id }) => id === game.ruleset));
  const tournament = game.standings.some(({ table_points }) => typeof table_points === 'number');
  // In riichi, once the game is over: the bonus of each place counts then.
  const results = game.next == null && game.standings.some(({ result }) => typeof result === 'number');
  const best = game.standings[0]?.total ?? 0;
  return (
    <section class="standings card" aria-labelledby="standings-title">
      <h2 id="standings-title">{words.standings}</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">{words.place}</th>
            <th scope="col">{words.player}</th>
            <th scope="col">{words.points}</th>
            {!results && <th scope="col">{words.behindFirst}</th>}
            {tournament && <th scope="col">{words.tablePoints}</th>}
            {results && <th scope="col">{t.value.riichi.result}</th>}
          </tr>
        </thead>
        <tbody>
          {game.standings.map(({ player, place, total, table_points, result, ...counted }) => (
            <tr key={player}>
              <td class="place">{place}</td>
              <th scope="row">{game.players[player]}</th>
              <td class="total" data-player={player} data-total-points={total}>
                {pointsText(total, start)}
                {results && total < best && (
                  <small>
                    {words.behindFirst} {minus(best - total)}
                  </small>
                )}
                {results && <ToNext next={counted.to_next} first={best - total} />}
              </td>
              {!results && (
                <td class="behind">
                  {total < best && minus(best - total)}
                  <ToNext next={counted.to_next} first={best - total} />
                </td>
              )}
              {tournament && (
                <td>
                  <small class="whose">{words.tablePoints} </small>
                  {typeof table_points === 'number' && grouped(table_points)}
                </td>
              )}
              {results && (
                <td data-result={result}>
                  <small class="whose">{t.value.riichi.result} </small>
                  {typeof result === 'number' && signed(result)}
                  <Counted {...counted} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {results && <p class="help">{t.value.riichi.resultHelp}</p>}
      {game.rows.length > 0 && (
        <button type="button" onClick={() => void share(game, start)}>
          {words.picture}
        </button>
      )}
    </section>
  );
}

/** Points to the next place, where it is not the first. */
function ToNext({ next, first }: { readonly next: number; readonly first: number }) {
  if (next <= 0 || next >= first) return null;
  return (
    <small>
      {t.value.evening.toNext} {minus(next)}
    </small>
  );
}

const minus = (points: number): string => grouped(-points);

type Counts = Pick<Game['standings'][number], 'uma' | 'oka' | 'left_sticks' | 'penalty'>;

/** Parts of a result beside the points: the bonus of the place, sticks and penalties. */
function Counted({ uma, oka, left_sticks: sticks, penalty }: Counts) {
  const words = t.value.riichi.counted;
  const parts = [
    [words.uma, uma],
    [words.oka, oka],
    [words.sticks, sticks],
    [words.penalty, penalty ? -penalty : 0],
  ] as const;
  const text = listed(parts.flatMap(([name, points]) => (points ? `${name} ${signed(points)}` : [])));
  return text ? <small class="counted">{text}</small> : null;
}

/** Points that everyone began with are part of a total; without them it has its sign. */
const pointsText = (total: number, start: number): string =>
  start > 0 ? grouped(start + total) : signed(total);

async function share(game: Game, start: number): Promise<void> {
  const image = await picture({
    title: game.title || t.value.evening.title,
    about: [shortNameOf(game.ruleset), t.value.evening.dealsPlayed(dealsPlayed(game))].join(' · '),
    lines: game.standings.map(({ player, place, total, result }) => ({
      place,
      name: game.players[player] ?? '',
      points: pointsText(total, start),
      beside: game.next == null && typeof result === 'number' ? signed(result) : '',
    })),
  });
  const file = new File([image], `${game.title || 'tilesight'}.png`, { type: 'image/png' });
  if (await handOver({ title: game.title || t.value.evening.title, files: [file] })) return;
  saveFile(file);
  note.value = t.value.saved;
}
