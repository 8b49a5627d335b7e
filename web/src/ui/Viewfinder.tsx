/**
 * The viewfinder: the camera's picture with the tiles outlined while the phone moves, the hand's sets
 * and its total below it, and a button that keeps the best frame as the photo of the hand.
 *
 * Where there is no camera, or it is denied, a photo can be taken or chosen instead.
 */
import { useEffect, useRef } from 'preact/hooks';
import type { SeenFrame } from '../../../bindings/npm/index.js';
import { t } from '../i18n';
import { fromDto, type Hand } from '../model/hand';
import { outlinesIn, sureness, totalsIn } from '../model/watching';
import { totalUnit } from '../state/prefs';
import {
  counted,
  frameSize,
  held,
  lamp,
  seen,
  start,
  stop,
  take,
  takeInstead,
  toggleLamp,
  trouble,
  viewing,
} from '../state/viewfinder';
import { FileButton } from './Home';
import { TileFace } from './Tile';
import { failureText, progressText, unitName } from './words';

export function Viewfinder() {
  const words = t.value.live;
  const main = useRef<HTMLElement>(null);
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    main.current?.focus({ preventScroll: true });
    const run = (): void => {
      if (document.hidden || !video.current) stop();
      else void start(video.current);
    };
    run();
    document.addEventListener('visibilitychange', run);
    return () => {
      document.removeEventListener('visibilitychange', run);
      stop();
    };
  }, []);
  const shown = seen.value;
  const { width, height } = frameSize.value;
  return (
    <main
      class="viewfinder"
      ref={main}
      id="start"
      tabIndex={-1}
      data-read={counted.value.read}
      data-left={counted.value.left}
    >
      <h1 class="unseen">{words.title}</h1>
      {trouble.value ? (
        <Instead />
      ) : (
        <>
          <div class="finder">
            <video ref={video} playsInline muted aria-label={words.picture} />
            {shown && (
              <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
                <Outlines shown={shown} />
              </svg>
            )}
            {lamp.value !== null && (
              <button type="button" class="lamp" aria-pressed={lamp.value} onClick={() => void toggleLamp()}>
                {words.light}
              </button>
            )}
          </div>
          <Found newest={shown} />
          <div class="actions">
            <button
              type="button"
              class="primary big"
              onClick={() => video.current && void take(video.current)}
            >
              {held.value || (shown && sureness(shown) !== 'nothing') ? words.keep : words.snap}
            </button>
            <Leave />
          </div>
        </>
      )}
    </main>
  );
}

function Leave() {
  return (
    <button
      type="button"
      class="quiet"
      onClick={() => {
        viewing.value = false;
      }}
    >
      {t.value.live.close}
    </button>
  );
}

/** Says why there is no picture, and offers what else a person can do. */
function Instead() {
  const words = t.value;
  const why = trouble.value;
  if (!why) return null;
  return (
    <>
      <div class="notice" role="alert">
        <p>{'camera' in why ? words.live.noCamera[why.camera] : failureText(why.failure)}</p>
      </div>
      <div class="starts">
        <FileButton label={words.snap} class="primary big" capture onFiles={takeInstead} />
        <FileButton label={words.choose} class="big" onFiles={takeInstead} />
        <Leave />
      </div>
    </>
  );
}

const classOf = (meld: number | null): string => (meld === null ? '' : 'set');

/** The tiles of the hand in the frame that was read last; sets have a colour of their own. */
function Outlines({ shown }: { readonly shown: SeenFrame }) {
  return (
    <>
      {outlinesIn(shown).map(({ polygon, meld, winning }, at) => (
        <polygon
          key={at}
          class={winning ? 'winning' : classOf(meld)}
          points={polygon.map((corner) => corner.join()).join(' ')}
        />
      ))}
    </>
  );
}

/** The hand and its total, as far as they are known: what was steady stays while its hand is seen. */
function Found({ newest }: { readonly newest: SeenFrame | null }) {
  const words = t.value;
  const shown = held.value?.found ?? newest;
  const sure = shown ? sureness(shown) : 'nothing';
  const totals = shown && sure === 'steady' ? totalsIn(shown) : null;
  const status = shown ? words.live[sure] : progressText();
  return (
    <section class={`found ${sure}`} data-sure={sure} aria-label={words.hand}>
      <div role="status">
        <p>{status}</p>
        {totals && <Total totals={totals} />}
      </div>
      {shown && sure !== 'nothing' && <Sets hand={fromDto(shown.answer.reading.hand)} />}
    </section>
  );
}

function Total({ totals: [low, high] }: { readonly totals: readonly [number, number] }) {
  const words = t.value;
  return (
    <p class="total">
      <b data-live-total={`${low}-${high}`} class={low < high ? 'provisional' : ''}>
        {low === high ? low : words.outcome.range(low, high)}
      </b>{' '}
      {unitName(totalUnit.value) ?? words.points(high)}
    </p>
  );
}

/** The tiles of a hand, set by set, the winning tile apart. */
function Sets({ hand }: { readonly hand: Hand }) {
  const rest = hand.concealed.filter(({ id }) => id !== hand.winning);
  const winning = hand.concealed.filter(({ id }) => id === hand.winning);
  const groups = [...hand.melds.map((meld) => meld.pieces), rest, winning, hand.flowers];
  return (
    <div class="sets" aria-hidden="true">
      {groups
        .filter((group) => group.length > 0)
        .map((group) => (
          <span key={group[0]?.id}>
            {group.map(({ id, face }) => (
              <TileFace key={id} face={face} />
            ))}
          </span>
        ))}
    </div>
  );
}
