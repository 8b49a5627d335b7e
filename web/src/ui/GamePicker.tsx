/** Asks at the first start which game is played: one tap on its picture, which is remembered. */
import { t } from '../i18n';
import { type GameChoice, gamesFor } from '../model/games';
import type { Face } from '../model/tiles';
import { allRulesets, chooseRuleset, shortNameOf } from '../state/prefs';
import { TileFace } from './Tile';

/** A tile that stands for a game. */
const PICTURES: Readonly<Record<string, { readonly face: Face; readonly red?: boolean }>> = {
  mcr: { face: '1s' },
  riichi: { face: '5p', red: true },
  hongkong: { face: 'C' },
  classical: { face: 'E' },
  mmm: { face: '9m' },
  taiwan: { face: 'F' },
};

export function GamePicker() {
  return (
    <fieldset class="game-picker">
      <legend>{t.value.games.ask}</legend>
      <div class="game-choices">
        {gamesFor(navigator.languages, allRulesets.value).map((choice) => (
          <GameButton key={choice.game} choice={choice} />
        ))}
      </div>
    </fieldset>
  );
}

function GameButton({ choice: { game, ruleset } }: { readonly choice: GameChoice }) {
  const names: Readonly<Record<string, string>> = t.value.games.names;
  const picture = PICTURES[game];
  return (
    <button type="button" data-game={game} onClick={() => chooseRuleset(ruleset)}>
      {picture && <TileFace face={picture.face} red={picture.red} />}
      <span>{names[game] ?? shortNameOf(ruleset)}</span>
    </button>
  );
}
