/** Offers the game that a hand shows, where another one is chosen: flowers are not in every game. */
import { t } from '../i18n';
import { otherGame } from '../model/otherGame';
import { isEntering } from '../state/evening';
import type { Entry } from '../state/hand/entry';
import { allRulesets, chooseRuleset, chosenRulesets, shortNameOf } from '../state/prefs';

export function OtherRules({ entry }: { readonly entry: Entry }) {
  // In an evening the rules are those of its game.
  if (isEntering(entry.table.won.value)) return null;
  const other = otherGame(
    entry.edit.hand.value,
    chosenRulesets.value,
    allRulesets.value,
    navigator.languages,
  );
  // Of a photo with seventeen tiles a question asks, and reads it again.
  if (!other || (other.sign === 'seventeen' && entry.photos.reading.value)) return null;
  const { names, shows } = t.value.games;
  const named: Readonly<Record<string, string>> = names;
  return (
    <div class="notice other-game" role="status">
      <p>{shows[other.sign]}</p>
      <div class="actions">
        {other.games.map(({ game, ruleset }) => (
          <button key={game} type="button" data-game={game} onClick={() => chooseRuleset(ruleset)}>
            {named[game] ?? shortNameOf(ruleset)}
          </button>
        ))}
      </div>
    </div>
  );
}
