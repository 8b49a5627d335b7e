/**
 * Actions on the whole game: its names, links for other phones, the sheet as a file.
 */
import { useSignal } from '@preact/signals';
import type { ExportFormat } from '../api/games';
import type { Game } from '../api/types';
import { games } from '../engine';
import { isOfDevice } from '../engine/games';
import { t } from '../i18n';
import { address } from '../state/evening';
import { note } from './focus';
import { Invite } from './Invite';
import { Rename } from './Rename';

export function GameLinks({ game }: { readonly game: Game }) {
  const words = t.value.evening;
  const id = game.id;
  const renaming = useSignal(false);
  const inviting = useSignal(false);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields, these are actions
    <div class="actions" role="group" aria-label={t.value.share}>
      {id && address.value?.kind === 'game' && (
        <>
          {/* Other phones find a game on a server only. */}
          {!isOfDevice(address.value) && (
            <button
              type="button"
              onClick={() => {
                inviting.value = true;
              }}
            >
              {words.invite}
            </button>
          )}
          <button
            type="button"
            onClick={() => {
              renaming.value = true;
            }}
          >
            {words.rename}
          </button>
        </>
      )}
      <button type="button" onClick={() => void save(game, 'csv')}>
        CSV
      </button>
      {address.value && !isOfDevice(address.value) && (
        <button type="button" onClick={() => void save(game, 'xlsx')}>
          Excel
        </button>
      )}
      <button type="button" onClick={() => void save(game, 'json')}>
        JSON
      </button>
      {inviting.value && id && (
        <Invite
          id={id}
          title={game.title}
          onClose={() => {
            inviting.value = false;
          }}
        />
      )}
      {renaming.value && (
        <Rename
          game={game}
          onClose={() => {
            renaming.value = false;
          }}
        />
      )}
    </div>
  );
}

async function save(game: Game, format: ExportFormat): Promise<void> {
  const where = address.value;
  if (!where) return;
  try {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(await games.exported(where, format));
    link.download = `${game.title || 'tilesight'}.${format}`;
    link.click();
    URL.revokeObjectURL(link.href);
  } catch {
    note.value = t.value.problems.offline;
  }
}
