/** Renames a game and its players; earlier entries show the new names too. */
import { useSignal } from '@preact/signals';
import type { Game } from '../api/types';
import { t } from '../i18n';
import { areNames } from '../model/evening';
import { enter } from '../state/evening';
import { GameNames } from './GameNames';
import { Sheet } from './Sheet';

export function Rename({ game, onClose }: { readonly game: Game; readonly onClose: () => void }) {
  const words = t.value.evening;
  const title = useSignal(game.title);
  const names = useSignal<readonly string[]>(game.players);
  const fine = areNames(names.value);
  return (
    <Sheet title={words.rename} onClose={onClose}>
      <form
        class="new-game"
        onSubmit={(event) => {
          event.preventDefault();
          if (!fine) return;
          const players = names.value.map((name) => name.trim());
          enter({ kind: 'rename', title: title.value.trim(), players });
          onClose();
        }}
      >
        <GameNames title={title} names={names} count={names.value.length} />
        <button type="submit" class="primary" disabled={!fine}>
          {t.value.save}
        </button>
        {!fine && <p class="help">{words.namesNeeded(names.value.length)}</p>}
      </form>
    </Sheet>
  );
}
