/**
 * The doubts of the reading, each answered with one tap. Those that change the score are asked
 * beside the total; the others are folded.
 */
import type { Doubt, DoubtKind, Reading, SeenTile } from '../api/types';
import { clauses, withColon } from '../browser/lang';
import { t } from '../i18n';
import { count } from '../model/count';
import {
  asRead,
  type Choice,
  codeOf,
  idOf,
  isIdle,
  type Question,
  type Reply,
  withAnswers,
} from '../model/doubts';
import { markAnswered } from '../model/edit';
import { gamesFor } from '../model/games';
import { print } from '../model/notation';
import { namedFrom, showing } from '../model/together';
import { isEntering } from '../state/evening';
import { change } from '../state/hand/edit';
import type { Entry } from '../state/hand/entry';
import { lookAt } from '../state/hand/open';
import type { Photos } from '../state/hand/photos';
import { allRulesets, chooseRuleset, handSize, shortNameOf } from '../state/prefs';
import { Crop, RowCrop } from './Crop';
import { adding, goTo, open, pointed, pointing } from './focus';
import { MorePhotos } from './Photos';
import { Settling } from './Settling';
import { TileFace } from './Tile';
import { codeName, questionText, replyText, totalText } from './words';

interface Props {
  readonly entry: Entry;
  readonly list: readonly Question[];
}

export function Questions({ entry, list }: Props) {
  const folded = list.filter((question) => !question.doubt.affects_score && !isIdle(question));
  if (folded.length === 0) return null;
  return (
    <details class="fold questions">
      <summary>{t.value.sameScoreMore(folded.length)}</summary>
      <Settling about={folded.map(({ doubt }) => idOf(doubt)).join()}>
        <ul>
          {folded.map((question) => (
            <QuestionCard key={idOf(question.doubt)} entry={entry} question={question} />
          ))}
        </ul>
      </Settling>
    </details>
  );
}

export function QuestionCard({ entry, question }: { readonly entry: Entry; readonly question: Question }) {
  const { doubt } = question;
  const words = t.value;
  const hand = entry.edit.hand.value;
  const classes = ['question', doubt.affects_score && 'matters', doubt.tiles.length > 1 && 'stacked'].filter(
    Boolean,
  );
  const settle = (): void => change(entry, markAnswered(hand, { doubt: idOf(doubt), answer: null }));
  return (
    <li class={classes.join(' ')}>
      <Pictured photos={entry.photos} question={question} />
      <div class="question-body">
        <p class="ask">{questionText(hand, entry.photos.reading.value, question)}</p>
        <p class="stakes">{doubt.affects_score ? words.changesScore : words.sameScore}</p>
        <div class="actions">
          {question.choices.map((choice) => (
            <Answer key={JSON.stringify(choice.reply)} entry={entry} choice={choice} />
          ))}
          {doubt.game && <OtherGame entry={entry} game={doubt.game} />}
          {isAboutMissing(doubt) && <Missing entry={entry} />}
          {isSeen(doubt) && <MorePhotos entry={entry} />}
          {question.choices.length === 0 && (
            <button type="button" onClick={settle}>
              {words.looksRight}
            </button>
          )}
        </div>
      </div>
    </li>
  );
}

/** Doubts that another photo of the tiles may settle. */
const SEEN: readonly DoubtKind[] = [
  'tile',
  'tile_count',
  'too_many_copies',
  'not_a_set',
  'flower',
  'cut_tile',
  'not_a_win',
];

const isSeen = ({ kind }: Doubt): boolean => SEEN.includes(kind);

const isAboutMissing = ({ kind, alternatives }: Doubt): boolean =>
  (kind === 'tile_count' || kind === 'cut_tile') && alternatives.length === 0;

/**
 * Offers what to do about a wrong number of tiles: add or remove some, or say which hand is meant.
 */
function Missing({ entry }: { readonly entry: Entry }) {
  const words = t.value;
  return (
    <>
      <button
        type="button"
        onClick={() => {
          adding.value = count(entry.edit.hand.value, handSize.value).off <= 0;
          goTo('tiles');
        }}
      >
        {count(entry.edit.hand.value, handSize.value).off > 0 ? words.removeTiles : words.addTiles}
      </button>
      {entry.photos.pictures.value.length > 0 && (
        <button
          type="button"
          onClick={() => {
            pointing.value = true;
            scrollTo({ top: 0 });
          }}
        >
          {words.pointing.hand}
        </button>
      )}
    </>
  );
}

/** Offers to read the photo again by the rules of the game whose hands have as many tiles. */
function OtherGame({ entry, game }: { readonly entry: Entry; readonly game: string }) {
  const names: Readonly<Record<string, string>> = t.value.games.names;
  const choice = gamesFor(navigator.languages, allRulesets.value).find((one) => one.game === game);
  // In an evening the rules are those of its game.
  if (!choice || entry.photos.pictures.value.length === 0 || isEntering(entry.table.won.value)) return null;
  const readAgain = (): void => {
    chooseRuleset(choice.ruleset);
    lookAt(entry, entry.photos.aim.peek());
  };
  return (
    <button type="button" class="answer" onClick={readAgain}>
      <span>{names[game] ?? shortNameOf(choice.ruleset)}</span>
    </button>
  );
}

/** Returns one tile, in the photo that it was named from. */
function alone(reading: Reading, tile: SeenTile) {
  const { photo, polygon } = namedFrom(reading, tile);
  return { photo, polygons: [polygon] };
}

/** The tile in question, as the camera saw it; tapping opens it. */
function Pictured({ photos, question }: { readonly photos: Photos; readonly question: Question }) {
  const { tiles } = question.doubt;
  const [seen = -1] = tiles;
  const reading = photos.reading.value;
  const pictured = tiles.flatMap((at) => reading?.tiles[at] ?? []);
  const [tile] = pictured;
  if (!reading || !tile || tiles.length > 4) return null;
  const { photo, polygons } = pictured.length > 1 ? showing(reading, pictured) : alone(reading, tile);
  const url = photos.pictures.value[photo]?.photo?.url;
  const [polygon] = polygons;
  if (!url || !polygon) return null;
  const [piece] = question.pieces;
  return (
    <button
      type="button"
      class="pictured"
      aria-label={t.value.seenAs}
      onClick={() => {
        open.value = piece === undefined ? { seen } : { piece };
      }}
      onPointerEnter={() => {
        pointed.value = piece ?? null;
      }}
      onPointerLeave={() => {
        pointed.value = null;
      }}
    >
      {polygons.length > 1 ? <RowCrop url={url} polygons={polygons} /> : <Crop url={url} polygon={polygon} />}
    </button>
  );
}

/** Answers all the doubts that are left with one tap, where a look at the tiles that were read tells. */
export function AsRead({ entry, list }: Props) {
  const { reading } = entry.photos;
  const given = asRead(list);
  // With every doubt answered, the total is that of the hand as it is.
  const total = given[0]?.total ?? null;
  const scoring = entry.verdict.scoring.value;
  if (total === null || !reading.value || (scoring.kind === 'done' && !scoring.fresh)) return null;
  const told = asReadTexts(list, reading.value);
  return (
    <div class="actions as-read">
      <button
        type="button"
        class="answer"
        data-answer="as-read"
        onClick={() => change(entry, withAnswers(entry.edit.hand.value, given))}
      >
        <span>
          {t.value.allAsRead(given.length)}
          <small>{clauses([...told, totalText([total, total])])}</small>
        </span>
      </button>
    </div>
  );
}

/** Returns what each of several doubts was read as, in words. */
export function asReadTexts(list: readonly Question[], reading: Reading): string[] {
  return asRead(list).map(({ reply }, at) => {
    const doubt = list[at]?.doubt;
    return doubt ? readAs(reading, doubt, reply) : replyText(reply);
  });
}

/** Returns an answer to a doubt in words, where other doubts stand beside it. */
export function readAs(reading: Reading, doubt: Doubt, reply: Reply): string {
  const answer = replyText(reply);
  return doubt.kind === 'flower' ? withColon(codeName(codeOf(reading, doubt)) ?? '', answer) : answer;
}

interface AnswerProps {
  readonly entry: Entry;
  readonly choice: Choice;
}

function Answer({ entry, choice }: AnswerProps) {
  const { reply, hand, left } = choice;
  if (!hand) return null;
  const scoring = entry.verdict.scoring.value;
  // Totals of an earlier hand would be wrong.
  const isStale = scoring.kind === 'done' && !scoring.fresh;
  return (
    <button
      type="button"
      class={choice.current ? 'answer current' : 'answer'}
      data-hand={print(hand) ?? ''}
      onClick={() => change(entry, hand)}
    >
      {'face' in reply && <TileFace face={reply.face} />}
      <span>
        {replyText(reply)}
        {!isStale && <small>{left ? totalText(left) : t.value.noWin}</small>}
      </span>
    </button>
  );
}
