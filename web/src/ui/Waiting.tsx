/** Changes entered on this device that are not in the game yet, and why. */
import type { Game, GameAction } from '../api/types';
import { clauses, fullStop, listed, withColon } from '../browser/lang';
import { t } from '../i18n';
import { type HandPoints, isRiichi } from '../model/evening';
import { discard, insist, pending } from '../state/evening';
import type { Pending } from '../state/evenings';
import { failureText, sentence, totalText } from './words';

export function Waiting({ game }: { readonly game: Game }) {
  const words = t.value.evening;
  return (
    <>
      {pending.value.map(({ key, action, stuck }) => (
        <div key={key} class="notice" role={stuck ? 'alert' : 'status'}>
          <p>
            <b>{actionText(game, action)}</b> {whyNot(stuck)}
          </p>
          {stuck && (
            <div class="actions">
              {stuck === 'changed' && (
                <button type="button" class="primary" onClick={() => insist(key)}>
                  {words.insist}
                </button>
              )}
              <button type="button" onClick={() => discard(key)}>
                {words.discard}
              </button>
            </div>
          )}
        </div>
      ))}
    </>
  );
}

type Stuck = Exclude<(typeof pending.value)[number]['stuck'], null | 'changed'>;

/** Says why a change is not in the game yet. */
function whyNot(stuck: Pending['stuck']): string {
  const words = t.value.evening;
  if (stuck === null) return words.waits;
  return stuck === 'changed' ? words.changedBy : refusal(stuck);
}

function refusal(failure: Stuck): string {
  const said: Readonly<Record<string, string>> = t.value.evening.refused;
  const text = said[failure.kind] ?? failureText(failure);
  // Why it can't follow what was entered before, in the page's language.
  return failure.kind === 'invalid-entry' && failure.problem.detail
    ? `${text} ${sentence(failure.problem.detail)}`
    : text;
}

/** A change of the history, in one line. */
export function actionText(game: Game, action: GameAction): string {
  const words = t.value.evening;
  switch (action.kind) {
    case 'add':
      return playText(game, action.play);
    case 'correct':
      return words.did.correct(playText(game, action.play));
    case 'rename':
      return words.did.rename(listed(action.players));
    case 'undo':
      return words.did.undo;
    case 'remove':
      return words.did.remove;
    case 'finish':
      return words.did.finish;
  }
}

/** The result of a deal, in one line. */
export function playText(game: Game, play: Extract<GameAction, { kind: 'add' }>['play']): string {
  const words = t.value.evening;
  const name = (player: number): string => game.players[player] ?? '';
  switch (play.kind) {
    case 'draw':
      if (play.abort) return withColon(t.value.riichi.aborted, t.value.riichi.aborts[play.abort]);
      return isRiichi(game) ? t.value.riichi.aborted : words.draw;
    case 'exhaustive_draw':
      return drawText((play.tenpai ?? []).map(name), (play.nagashi ?? []).map(name));
    case 'dead_hand':
    case 'chombo':
      return withColon(t.value.riichi.faults[play.kind], name(play.player));
    case 'riichi':
      return words.riichi(name(play.player));
    case 'manual':
      return withColon(words.reasons[play.reason], name(play.player));
    case 'points':
      return clauses([winText(game, play), totalText([play.points, play.points])]);
    case 'win':
      return winText(game, play);
  }
}

/** Returns the sentence of an exhaustive draw: who was ready, and whose discards were paid. */
function drawText(ready: readonly string[], paid: readonly string[]): string {
  const words = t.value.riichi;
  const draw = ready.length > 0 ? words.drawTenpai(listed(ready)) : words.noTenpai;
  return paid.length > 0 ? `${withColon(words.nagashi, listed(paid))}${fullStop()} ${draw}` : draw;
}

/** Returns the sentence that names the winner and who discarded, or that it was a self-draw. */
export function winText(
  game: Game,
  {
    winner,
    discarder,
    same_discard: beside = false,
  }: Pick<HandPoints, 'winner' | 'discarder' | 'same_discard'>,
): string {
  const words = t.value.evening;
  const name = (player: number): string => game.players[player] ?? '';
  if (typeof discarder !== 'number') return words.selfDrawn(name(winner));
  const text = beside ? t.value.dealer.wonToo : words.wonFrom;
  return text(name(winner), name(discarder));
}
