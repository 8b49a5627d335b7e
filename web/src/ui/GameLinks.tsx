/**
 * Actions on the whole game: its names, a link for players, one for spectators, the sheet as a
 * file.
 */
import { useSignal } from '@preact/signals';
import type { Game } from '../api/types';
import { ON_DEVICE } from '../browser/site';
import { games } from '../engine';
import { t } from '../i18n';
import { address, invitation, linkToLookOn } from '../state/evening';
import { note } from './focus';
import { Rename } from './Rename';

export function GameLinks({ game }: { readonly game: Game }) {
  const words = t.value.evening;
  const id = game.id;
  const renaming = useSignal(false);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields, these are actions
    <div class="actions" role="group" aria-label={t.value.share}>
      {id && address.value?.kind === 'game' && (
        <>
          {!ON_DEVICE && <Links id={id} />}
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
      <button type="button" onClick={() => void save(game, 'json')}>
        JSON
      </button>
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

/** Other phones find a game on a server only. */
function Links({ id }: { readonly id: string }) {
  const words = t.value.evening;
  return (
    <>
      <button type="button" onClick={() => void copied(() => Promise.resolve(invitation(id)))}>
        {words.invite}
      </button>
      <button type="button" onClick={() => void copied(() => linkToLookOn(id))}>
        {words.lookOn}
      </button>
    </>
  );
}

async function copied(link: () => Promise<string>): Promise<void> {
  try {
    await navigator.clipboard.writeText(await link());
    note.value = t.value.copied;
  } catch {
    note.value = t.value.problems.offline;
  }
}

async function save(game: Game, format: 'csv' | 'json'): Promise<void> {
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
