/**
 * Adds a hand to the evening: asks for the winner and the discarder; seat and round follow from the
 * game. A hand opened from a row of the sheet corrects that row.
 */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Failure } from '../api/failure';
import type { Context, Deal, Game, Play, Player, Scored, Wind, WinKind } from '../api/types';
import { withColon } from '../browser/lang';
import { t } from '../i18n';
import { toSend } from '../model/context';
import { dealFor, declarers, missing, playersOf, seatOf, toPlay, withGame } from '../model/evening';
import { WINDS } from '../model/payments';
import { isSelfDrawn } from '../model/win';
import { address, enter, game, isEntering, showing } from '../state/evening';
import { setContext, setContextOfGame } from '../state/hand/edit';
import { type Entry, leave } from '../state/hand/entry';
import { crowdedSeats, othersOf, type WonBy } from '../state/hand/table';
import { isOpenRiichi, mayBeWin, questionsOf, totalsOf } from '../state/questions';
import { keepRowPhoto } from '../state/rowPhotos';
import { OpenedWall } from './Dealer';
import { forget } from './focus';
import { Manual } from './NextDeal';
import { OtherHands } from './OtherHands';
import { Segmented } from './Segmented';
import { winText } from './Waiting';
import { beforeText, dealText, failureText, totalText } from './words';

/** The table of a hand that is entered into the evening's game; nothing for any other hand. */
export function AtTheTable({ entry }: { readonly entry: Entry }) {
  const now = game.value;
  const deal = now && dealFor(now, entry.table.won.value);
  if (!now || !deal || !isEntering(entry.table.won.value)) return null;
  return <AddToEvening entry={entry} game={now} deal={deal} />;
}

/** Shows the hands of the other players, by the names that they have in the evening. */
export function OtherHandsAtTheTable({ entry }: { readonly entry: Entry }) {
  const now = game.value;
  const deal = now && dealFor(now, entry.table.won.value);
  if (!now || !deal || !isEntering(entry.table.won.value)) {
    return <OtherHands entry={entry} nameOf={(seat) => t.value.winds[seat]} />;
  }
  if (entry.table.won.value.winner === null) return null;
  const nameOf = (seat: Wind): string => labelAt(now, deal, seat);
  return <OtherHands entry={entry} nameOf={nameOf} />;
}

const playerLabel = (now: Game, deal: Deal, player: Player): string =>
  `${now.players[player]} (${t.value.winds[seatOf(deal, player)]})`;

const labelAt = (now: Game, deal: Deal, seat: Wind): string =>
  playerLabel(now, deal, deal.seats[WINDS.indexOf(seat)] ?? 0);

interface Props {
  readonly entry: Entry;
  readonly game: Game;
  readonly deal: Deal;
}

function AddToEvening({ entry, game: now, deal }: Props) {
  const words = t.value.evening;
  const won = entry.table.won.value;
  const declared = declarers(now, deal);
  const ofGame = withGame(entry.edit.context.value, deal, won, declared);
  const isOpen = isOpenRiichi(entry, declared);
  const known = JSON.stringify(ofGame);
  // The context shows what the game knows, and the score uses this seat and round.
  useEffect(() => {
    if (known !== JSON.stringify(entry.edit.context.peek())) setContextOfGame(entry.edit, ofGame);
  }, [known]);
  const crowded = crowdedSeats(entry).at(-1);
  const lacks = missing(ofGame, won);
  // What was given before the photo was taken is not asked again.
  const asking = useSignal(lacks !== null);
  const scoring = entry.verdict.scoring.value;
  const scored =
    scoring.kind === 'done' && scoring.fresh
      ? scoring.scores.find(({ ruleset }) => ruleset === now.ruleset)
      : undefined;
  // The winner is paid all the same.
  const unsettled = scored?.score?.unsettled ?? [];
  const add = (): void => {
    const hand = entry.edit.hand.value;
    const play = toPlay(hand, toSend(ofGame, hand), won, { deal, others: othersOf(entry) });
    if (!play) return;
    const key = enter(
      won.entry === null ? { kind: 'add', play } : { kind: 'correct', entry: won.entry, play },
    );
    const shown = entry.photos.pictures.value[entry.photos.shown.value] ?? entry.photos.pictures.value[0];
    const where = address.peek();
    if (key && shown?.photo && where?.kind === 'game') keepRowPhoto(key, shown.photo.blob, where.id);
    showing.value = true;
    forget();
    leave(entry);
  };
  return (
    <section class="to-evening" aria-labelledby="to-evening-title">
      <h2 id="to-evening-title">{won.entry === null ? dealText(deal) : words.correcting(deal.number)}</h2>
      {(asking.value || won.winner === null) && !won.beside ? (
        <Who entry={entry} game={now} deal={deal} context={ofGame} />
      ) : (
        <p class="known">
          {winText(now, { ...won, winner: won.winner ?? 0, same_discard: won.beside ?? false })}
          {!won.beside && (
            <button
              type="button"
              class="quiet"
              onClick={() => {
                asking.value = true;
              }}
            >
              {t.value.outcome.change}
            </button>
          )}
        </p>
      )}
      {won.winner !== null && <OpenedWall entry={entry} game={now} deal={deal} />}
      <AddButton
        game={now}
        entry={entry}
        scored={scored}
        label={won.entry === null ? words.add : words.correct}
        disabled={lacks !== null || isOpen}
        isCrowded={crowded !== undefined}
        onAdd={add}
      />
      {unsettled.length > 0 && (
        <p class="help">{t.value.unsettled(unsettled.map((seat) => labelAt(now, deal, seat)))}</p>
      )}
      {crowded && (
        <p class="help wrong not-added">
          {withColon(t.value.handOf(labelAt(now, deal, crowded)), t.value.besideOthers)}
        </p>
      )}
      {isOpen && won.winner !== null && (
        <p class="help wrong not-added">{t.value.riichi.openAfterStick(now.players[won.winner] ?? '')}</p>
      )}
    </section>
  );
}

interface AddProps {
  readonly game: Game;
  readonly entry: Entry;
  /** The score by the game's rules; absent while it is computed. */
  readonly scored: Scored | undefined;
  readonly label: string;
  readonly disabled: boolean;
  /** Whether another player's hand can't lie beside it, so that nothing can be said of it yet. */
  readonly isCrowded: boolean;
  readonly onAdd: () => void;
}

/**
 * Adds the hand; while a question that changes its score is open, only after a second tap. A hand that only
 * another answer makes a win is not refused: the tap leads to the question.
 */
function AddButton({ game: now, entry, scored, label, disabled, isCrowded, onAdd }: AddProps) {
  const confirming = useSignal(false);
  const score = scored?.score;
  const questions = scored ? questionsOf(entry, scored) : [];
  const open = scored !== undefined && questions.length > 0;
  const [low, high] = open ? totalsOf(entry, scored) : [score?.total ?? 0, score?.total ?? 0];
  const total = `${totalText([low, high])} ${beforeText(questions)}`.trim();
  const isRefused = !isCrowded && scored !== undefined && !mayBeWin(entry, scored);
  const hangs = !isCrowded && scored !== undefined && !score?.legal && !isRefused;
  if (open && confirming.value && score?.legal && !isCrowded) {
    const answer = (): void => {
      confirming.value = false;
      answerFirst();
    };
    return (
      <Unsure range={total} total={totalText([score.total, score.total])} onAnswer={answer} onAdd={onAdd} />
    );
  }
  const why = `not-added-${entry.id}`;
  return (
    <>
      <button
        type="button"
        // The answer to a question that is open comes first.
        class={open ? '' : 'primary'}
        disabled={disabled || isCrowded || !scored || isRefused}
        aria-describedby={isRefused || hangs ? why : undefined}
        onClick={() => {
          if (hangs) answerFirst();
          else if (open) confirming.value = true;
          else onAdd();
        }}
      >
        {label}
        {score && ` · ${total}`}
      </button>
      {hangs && (
        <p id={why} class="help hangs-on">
          {t.value.evening.hangs}
        </p>
      )}
      {scored && isRefused && <NotAWin id={why} game={now} entry={entry} scored={scored} />}
    </>
  );
}

interface NotAWinProps {
  readonly id: string;
  readonly game: Game;
  readonly entry: Entry;
  readonly scored: Scored;
}

/** Says why the hand can't be added, and offers to enter it as a win that was declared falsely. */
function NotAWin({ id, game: now, entry, scored }: NotAWinProps) {
  const words = t.value.evening;
  const asking = useSignal(false);
  const { winner, entry: row } = entry.table.won.value;
  const { score, problem } = scored;
  const why = score?.verdict || (problem ? failureText(new Failure(problem)) : t.value.noWin);
  const add = (play: Play): void => {
    enter(row === null ? { kind: 'add', play } : { kind: 'correct', entry: row, play });
    showing.value = true;
    forget();
    leave(entry);
  };
  return (
    <>
      <p id={id} class="help wrong not-added">
        {why}
      </p>
      {winner !== null && (
        <button
          type="button"
          onClick={() => {
            asking.value = true;
          }}
        >
          {words.falseWin}
        </button>
      )}
      {asking.value && winner !== null && (
        <Manual
          game={now}
          falseBy={winner}
          onEnter={add}
          onClose={() => {
            asking.value = false;
          }}
        />
      )}
    </>
  );
}

interface UnsureProps {
  /** Totals that the open questions leave possible. */
  readonly range: string;
  /** Total that would be added now. */
  readonly total: string;
  readonly onAnswer: () => void;
  readonly onAdd: () => void;
}

/** Says that the total is not sure, in the place of the button that was tapped: it takes the focus. */
function Unsure({ range, total, onAnswer, onAdd }: UnsureProps) {
  const words = t.value.evening;
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => first.current?.focus(), []);
  return (
    <div class="notice unsure" role="alert">
      <p>{words.unsure(range)}</p>
      <div class="actions">
        <button ref={first} type="button" class="primary" onClick={onAnswer}>
          {words.answerFirst}
        </button>
        <button type="button" onClick={onAdd}>
          {words.addAnyway(total)}
        </button>
      </div>
    </div>
  );
}

/** Shows the first open question, and puts the focus on its first answer. */
function answerFirst(): void {
  const answer = document.querySelector<HTMLElement>('.verdict .asked :is(.answer, .tile, button)');
  answer?.scrollIntoView({ block: 'nearest' });
  answer?.focus({ preventScroll: true });
}

interface WhoProps extends Props {
  /** The win context with what the game knows. */
  readonly context: Context;
}

/** The winner, and in one answer whether it was a self-draw or whose discard. */
function Who({ entry, game: now, deal, context }: WhoProps) {
  const words = t.value.evening;
  const won = entry.table.won.value;
  const players = (not: Player | null) => playersOf(now).filter((player) => player !== not);
  const label = (player: Player): string => playerLabel(now, deal, player);
  const tellHow = (value: string): void => {
    const { from: _, ...rest } = context;
    const self = value === 'self';
    // A robbed kong stays one, and so does a kong replacement.
    const stays = self === isSelfDrawn(rest.win) ? rest.win : undefined;
    const win = stays ?? (self ? 'self_drawn' : 'discard');
    setContext(entry.edit, { ...rest, win });
    entry.table.won.value = { ...won, discarder: self ? null : (Number(value) as Player) };
  };
  return (
    <>
      <Segmented
        legend={words.winner}
        name={`winner-${entry.id}`}
        value={won.winner === null ? null : String(won.winner)}
        options={players(null).map((player) => ({ value: String(player), label: label(player) }))}
        onChoose={(value) => {
          const winner = Number(value) as Player;
          const discarder = won.discarder === winner ? null : won.discarder;
          entry.table.won.value = { ...won, winner, discarder };
        }}
      />
      {won.winner !== null && (
        <Segmented
          legend={t.value.outcome.how}
          name={`how-${entry.id}`}
          value={howOf(context.win, won)}
          options={[
            { value: 'self', label: t.value.wins.self_drawn },
            ...players(won.winner).map((player) => ({
              value: String(player),
              label: words.from(label(player)),
            })),
          ]}
          onChoose={tellHow}
        />
      )}
    </>
  );
}

/** Returns how the hand was won, as one answer: by a self-draw, or from a player. */
function howOf(win: WinKind | undefined, { discarder }: WonBy): string | null {
  if (isSelfDrawn(win)) return 'self';
  return discarder === null ? null : String(discarder);
}
