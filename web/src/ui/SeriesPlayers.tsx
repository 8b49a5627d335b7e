/** The players of a series: add some, take one out or in again, and penalties. */
import { useSignal } from '@preact/signals';
import type { Series } from '../api/types';
import { t } from '../i18n';
import { actOnSeries } from '../state/series';
import { Fold } from './Fold';

export function SeriesPlayers({ series }: { readonly series: Series }) {
  const words = t.value.series;
  return (
    <section class="card" aria-labelledby="series-players-title">
      <h2 id="series-players-title">{words.players}</h2>
      <Fold title={words.playerCount(series.players.length)}>
        <ul class="series-players">
          {series.players.map(({ number, name, active }) => (
            <li key={number}>
              <span>
                {number}. {name}
              </span>
              <button
                type="button"
                class="quiet"
                onClick={() => void actOnSeries({ kind: active ? 'leave' : 'return', player: number })}
              >
                {active ? words.leave : words.comeBack}
              </button>
            </li>
          ))}
        </ul>
      </Fold>
      <AddForm />
      {series.players.length > 0 && <PenaltyForm series={series} />}
    </section>
  );
}

function AddForm() {
  const words = t.value.series;
  const names = useSignal('');
  return (
    <form
      class="points-form"
      onSubmit={(event) => {
        event.preventDefault();
        const added = names.value.split(/[\n,]/).map((name) => name.trim());
        const action = { kind: 'add_players', names: added.filter((name) => name !== '') } as const;
        void actOnSeries(action).then((done) => {
          if (done) names.value = '';
        });
      }}
    >
      <label>
        {words.addNames}
        <input
          value={names.value}
          onInput={({ currentTarget }) => {
            names.value = currentTarget.value;
          }}
        />
      </label>
      <button type="submit" disabled={names.value.trim() === ''}>
        {words.add}
      </button>
    </form>
  );
}

function PenaltyForm({ series }: { readonly series: Series }) {
  const words = t.value.series;
  const player = useSignal('');
  const tablePoints = useSignal('');
  const points = useSignal('');
  const note = useSignal('');
  const fields = [
    { label: t.value.evening.tablePoints, value: tablePoints },
    { label: t.value.evening.points, value: points },
    { label: t.value.evening.note, value: note },
  ];
  const numbers = [tablePoints, points].map(({ value }) => Number(value.replace('−', '-')));
  return (
    <Fold title={words.penalty}>
      <form
        class="points-form"
        onSubmit={(event) => {
          event.preventDefault();
          const value = { table_points: numbers[0] ?? 0, points: numbers[1] ?? 0 };
          void actOnSeries({ kind: 'penalty', player: Number(player.value), value, note: note.value });
        }}
      >
        <label>
          {t.value.evening.player}
          <select
            value={player.value}
            onChange={({ currentTarget }) => {
              player.value = currentTarget.value;
            }}
          >
            <option value="" />
            {series.players.map(({ number, name }) => (
              <option key={number} value={String(number)}>
                {name}
              </option>
            ))}
          </select>
        </label>
        {fields.map(({ label, value }) => (
          <label key={label}>
            {label}
            <input
              value={value.value}
              onInput={({ currentTarget }) => {
                value.value = currentTarget.value;
              }}
            />
          </label>
        ))}
        <p class="help">{words.penaltyHelp}</p>
        <button type="submit" disabled={player.value === '' || !numbers.every(Number.isInteger)}>
          {words.save}
        </button>
      </form>
    </Fold>
  );
}
