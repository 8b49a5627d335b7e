/** The link for everyone, the tables of a series as files, and results from a file. */
import { useSignal } from '@preact/signals';
import { exportSeries, type SeriesFormat, type SeriesTable } from '../api/series';
import type { Series } from '../api/types';
import { t } from '../i18n';
import { handOver, saveFile } from '../share/file';
import { linkToSeries, readResults, seriesAddress } from '../state/series';
import { Fold } from './Fold';
import { note } from './focus';

const FILES: readonly (readonly [SeriesTable, SeriesFormat])[] = [
  ['standings', 'csv'],
  ['standings', 'xlsx'],
  ['results', 'csv'],
  ['results', 'xlsx'],
];

export function SeriesFiles({ series }: { readonly series: Series }) {
  const words = t.value.series;
  const link = useSignal<string | null>(null);
  return (
    <section class="card" aria-labelledby="series-files-title">
      <h2 id="series-files-title">{words.files}</h2>
      <div class="actions">
        {series.id !== null && (
          <button type="button" class="primary" onClick={() => void share(series.title, link)}>
            {words.lookOn}
          </button>
        )}
        {FILES.map(([table, format]) => (
          <button
            key={`${table} ${format}`}
            type="button"
            onClick={() => void save(series.title, table, format)}
          >
            {words[`${table}File`](format === 'csv' ? 'CSV' : 'Excel')}
          </button>
        ))}
      </div>
      {link.value && <p class="help link">{link.value}</p>}
      {series.id !== null && <ImportForm />}
    </section>
  );
}

async function share(title: string, link: { value: string | null }): Promise<void> {
  try {
    const url = await linkToSeries();
    link.value = url;
    if (!url || (await handOver({ title, url }))) return;
    await navigator.clipboard.writeText(url);
    note.value = t.value.copied;
  } catch {
    if (!link.value) note.value = t.value.problems.offline;
  }
}

async function save(title: string, table: SeriesTable, format: SeriesFormat): Promise<void> {
  const address = seriesAddress.value;
  if (!address) return;
  try {
    const blob = await exportSeries(address, table, format);
    saveFile(new File([blob], `${title}-${table}.${format}`, { type: blob.type }));
  } catch {
    note.value = t.value.problems.offline;
  }
}

/** Results from a spreadsheet: a file, and whether its unknown names are new players. */
function ImportForm() {
  const words = t.value.series;
  const adds = useSignal(false);
  return (
    <Fold title={words.import}>
      <p class="help">{words.importHelp}</p>
      <label class="check">
        <input
          type="checkbox"
          checked={adds.value}
          onChange={({ currentTarget }) => {
            adds.value = currentTarget.checked;
          }}
        />
        {words.importAdds}
      </label>
      <label class="file button">
        <input
          type="file"
          class="unseen"
          accept=".csv,text/csv,text/plain"
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            if (file) void file.text().then((csv) => readResults(csv, adds.value));
            // The same file may be chosen again, once it is corrected.
            currentTarget.value = '';
          }}
        />
        {words.chooseFile}
      </label>
    </Fold>
  );
}
