/** The score sheet: each deal with its points and the totals after it, and the history. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Context, Game, GameRow, Play } from '../api/types';
import { clauses, lang, listed } from '../browser/lang';
import { t } from '../i18n';
import { isRiichi, keysOfRow, seatOf, signed, startPoints, streakOf } from '../model/evening';
import { fromDto as handFromDto, laidOut, pieceOf } from '../model/hand';
import { NotationError, parse, type Written } from '../model/notation';
import { fromRow } from '../model/others';
import { fromDto } from '../model/win';
import { address, enter, isBehind, waits } from '../state/evening';
import { addTyped } from '../state/hand/open';
import { allRulesets, shortNameOf } from '../state/prefs';
import { photoOfRow } from '../state/rowPhotos';
import type { Way } from '../state/way';
import { AlsoWon } from './Dealer';
import { DrawSheet, OnTable } from './RiichiDeal';
import { TileFace } from './Tile';
import { actionText, playText } from './Waiting';
import { WinSheet } from './WinSheet';
import { assumedText, lineText, pieceName } from './words';

export function ScoreSheet({ game }: { readonly game: Game }) {
  const words = t.value.evening;
  if (game.rows.length === 0) return null;
  return (
    <section class="score-sheet card" aria-labelledby="score-sheet-title">
      <h2 id="score-sheet-title">
        {words.sheet} <small>{shortNameOf(game.ruleset)}</small>
      </h2>
      {/* A wide sheet scrolls inside the page; the keyboard must reach it. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls needs the focus to be scrolled */}
      <section class="wide" tabIndex={0} aria-label={words.sheet}>
        <table>
          <thead>
            <tr>
              <th scope="col">#</th>
              <th scope="col">{words.what}</th>
              {game.players.map((name) => (
                <th key={name} scope="col" class="name" title={name}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {game.rows.map((row) => (
              <Row key={row.entry} game={game} row={row} />
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}

function Row({ game, row }: { readonly game: Game; readonly row: GameRow }) {
  const words = t.value.evening;
  const { deal, play, score, liable } = row;
  const start = startPoints(allRulesets.value.find(({ id }) => id === game.ruleset));
  const isOpen = useSignal(false);
  return (
    <tr data-entry={row.entry} class={waits(row.entry) ? 'waits' : undefined}>
      <td>
        {deal && (
          <span title={t.value.winds[deal.round]}>
            {deal.number} <small>{t.value.winds[deal.round].slice(0, 1)}</small>
            {!!(deal.honba ?? streakOf(deal)) && <small>{`+${deal.honba ?? streakOf(deal)}`}</small>}
          </span>
        )}
      </td>
      <td>
        <details
          onToggle={({ currentTarget }) => {
            isOpen.value = currentTarget.open;
          }}
        >
          <summary>
            <span>
              {playText(game, play)} {score && <b>{score.total}</b>}
              {score && <Figures score={score} />}
              {row.corrected && <small> ({words.corrected})</small>}
            </span>
          </summary>
          {deal && <OnTable deal={deal} />}
          {play.kind === 'win' && deal && (
            <>
              <p class="help">{t.value.winds[seatOf(deal, play.winner)]}</p>
              <Laid hand={play.hand} />
              {isOpen.value && <RowPhoto keys={keysOfRow(game, row.entry)} />}
            </>
          )}
          {play.kind === 'win' &&
            deal &&
            play.others?.map(({ player, hand }) => (
              <div key={player}>
                <p class="help">
                  {listed([game.players[player] ?? '', t.value.winds[seatOf(deal, player)]])}
                </p>
                <Laid hand={hand} />
              </div>
            ))}
          {play.kind === 'win' && play.winning_tile_supposed && <Supposed hand={play.hand} />}
          {typeof liable === 'number' && (
            <p class="help">{t.value.evening.liableIs(game.players[liable] ?? '')}</p>
          )}
          {row.riichi_by_stick && <p class="help">{t.value.riichi.byStick}</p>}
          {score && (
            <p class="help">
              {shortNameOf(game.ruleset)}: {listed(score.awards.map(lineText))}
            </p>
          )}
          {play.kind === 'manual' && play.note && <p class="help">{play.note}</p>}
          {address.value?.kind === 'game' && (
            <div class="actions">
              {!waits(row.entry) && <Correction game={game} row={row} />}
              {!isBehind.value && game.rows.at(-1) === row && <AlsoWon game={game} />}
            </div>
          )}
        </details>
      </td>
      {row.payments.map((points, player) => (
        <td key={game.players[player]}>
          <small class="whose">{game.players[player]} </small>
          <b>{points === 0 ? '' : signed(points)}</b>
          <small>{String(start + (row.totals[player] ?? 0)).replace('-', '−')}</small>
        </td>
      ))}
    </tr>
  );
}

/** Han and fu of a hand, or its limit; nothing where the total says it all. */
function Figures({ score: { han, fu, limit, yakuman } }: { readonly score: NonNullable<GameRow['score']> }) {
  if (typeof han !== 'number') return null;
  const words = t.value.riichi;
  const name = limit ? words.limits[limit] : '';
  if (yakuman) return <small class="figures"> {yakuman > 1 ? `${yakuman} × ${name}` : name}</small>;
  const counted = typeof fu === 'number' ? `${t.value.han(han)} ${words.fu(fu)}` : t.value.han(han);
  return <small class="figures"> {clauses([counted, name].filter((part) => part !== ''))}</small>;
}

/** The photo of a row's hand, where this device has it. */
function RowPhoto({ keys }: { readonly keys: readonly string[] }) {
  const url = useSignal<string | null>(null);
  useEffect(() => {
    let left = false;
    void photoOfRow(keys).then((blob) => {
      if (blob && !left) url.value = URL.createObjectURL(blob);
    });
    return () => {
      left = true;
      if (url.peek()) URL.revokeObjectURL(url.peek() ?? '');
      url.value = null;
    };
  }, [keys.join()]);
  return url.value && <img class="row-photo" src={url.value} alt={t.value.evening.rowPhoto} />;
}

/** The winning tile of a hand of which nobody knew which tile won. */
function Supposed({ hand: text }: { readonly hand: Extract<Play, { kind: 'win' }>['hand'] }) {
  const hand = typeof text === 'string' ? written(text)?.hand : undefined;
  const won = hand && hand.winning !== null ? pieceOf(hand, hand.winning) : undefined;
  return won ? <p class="help">{assumedText([{ field: 'winning_tile', value: won.face }])}</p> : null;
}

/** A hand as its tiles lie: set by set, the winning tile apart. Text that can't be read stays text. */
function Laid({ hand: text }: { readonly hand: Extract<Play, { kind: 'win' }>['hand'] }) {
  const hand = typeof text === 'string' ? written(text)?.hand : handFromDto(text);
  if (!hand) return typeof text === 'string' ? <p class="help">{text}</p> : null;
  const { rest, winning } = laidOut(hand);
  const groups = [rest, winning ? [winning] : [], ...hand.melds.map(({ pieces }) => pieces), hand.flowers];
  const names = groups.map((group) => listed(group.map(pieceName)));
  return (
    <div class="hand-line" role="img" aria-label={names.filter((name) => name !== '').join('; ')}>
      {groups
        .filter((group) => group.length > 0)
        .map((group) => (
          <span key={group[0]?.id} class={group[0] === winning ? 'mini-set won' : 'mini-set'}>
            {group.map(({ id, face, red }) => (
              <TileFace key={id} face={face} red={red} />
            ))}
          </span>
        ))}
    </div>
  );
}

/** A hand as text, read; `null` if it can't be read. */
function written(text: string): Written | null {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof NotationError) return null;
    throw error;
  }
}

/** Corrects or removes a wrong row; the history keeps the original. */
function Correction({ game, row }: { readonly game: Game; readonly row: GameRow }) {
  const words = t.value.evening;
  const points = useSignal(false);
  const way = useSignal<Way>('points');
  const drawing = useSignal(false);
  const riichi = isRiichi(game);
  const { play, entry, deal } = row;
  const close = (): void => {
    points.value = false;
  };
  return (
    <>
      {play.kind === 'win' && typeof play.hand === 'string' && (
        <button type="button" onClick={() => correct(row)}>
          {words.correct}
        </button>
      )}
      {play.kind === 'points' && (
        <button
          type="button"
          onClick={() => {
            points.value = true;
          }}
        >
          {words.correct}
        </button>
      )}
      {points.value && deal && (
        <WinSheet
          game={game}
          deal={deal}
          row={row}
          by={play.kind === 'points' ? play.winner : null}
          way={way}
          onClose={close}
        />
      )}
      {(riichi ? inDeal(play) : play.kind === 'draw') || (
        <button
          type="button"
          onClick={() => {
            if (riichi) drawing.value = true;
            else enter({ kind: 'correct', entry, play: { kind: 'draw' } });
          }}
        >
          {words.wasDraw}
        </button>
      )}
      {drawing.value && deal && (
        <DrawSheet
          game={game}
          deal={deal}
          {...(play.kind === 'exhaustive_draw' && { before: play })}
          onEnter={(now) => enter({ kind: 'correct', entry, play: now })}
          onClose={() => {
            drawing.value = false;
          }}
        />
      )}
      <button type="button" onClick={() => enter({ kind: 'remove', entry })}>
        {t.value.remove}
      </button>
    </>
  );
}

/** Tells whether an event of riichi leaves its deal on, so that it was no draw. */
const inDeal = ({ kind }: Play): boolean => kind === 'riichi' || kind === 'dead_hand' || kind === 'chombo';

/** Opens the hand of a row again, to correct it. */
function correct(row: GameRow): void {
  const { play, deal, entry } = row;
  if (play.kind !== 'win' || typeof play.hand !== 'string' || !deal) return;
  const read = written(play.hand);
  if (!read) return;
  const discarder = play.discarder ?? null;
  const win = discarder === null ? 'self_drawn' : 'discard';
  const known: Context = { win, ...read.context, ...fromDto(play.context) };
  const hand = { ...read.hand, supposed: play.winning_tile_supposed ?? false };
  const { winner, same_discard: beside = false, east = null } = play;
  addTyped(hand, known, { entry, winner, discarder, beside, east }, fromRow(row));
}

export function GameHistory({ game }: { readonly game: Game }) {
  const words = t.value.evening;
  if (game.history.length === 0) return null;
  const time = new Intl.DateTimeFormat(lang.value, { hour: '2-digit', minute: '2-digit' });
  return (
    <details class="more">
      <summary>{words.history(game.history.length)}</summary>
      <ol class="history">
        {game.history.map((change) => (
          <li key={change.number}>
            <time>{time.format(change.at)}</time>{' '}
            {change.undone ? <s>{actionText(game, change.action)}</s> : actionText(game, change.action)}
            {change.by && <small> ({change.by})</small>}
          </li>
        ))}
      </ol>
    </details>
  );
}
