/**
 * The hand: its tiles in strips, its sets in cards, the live count, and the tools that move
 * tiles. The buttons are here; `model/edit` does the work.
 */
import type { ComponentChildren } from 'preact';
import { t } from '../i18n';
import { count } from '../model/count';
import * as edit from '../model/edit';
import { type Hand, isEmpty, laidOut } from '../model/hand';
import { tap } from '../model/pad';
import { change, redoHand, undoHand } from '../state/hand/edit';
import type { Entry } from '../state/hand/entry';
import { handSize } from '../state/prefs';
import { adding, selected } from './focus';
import { MeldCard } from './MeldCard';
import { Pad } from './Pad';
import { Roving } from './Roving';
import { Strip } from './Strip';
import { TextField } from './TextField';
import { countText } from './words';

interface Props {
  readonly entry: Entry;
  /** The pieces in doubt, by id. */
  readonly doubtful: ReadonlySet<number>;
  /**
   * Whether the photo offers a tile that would complete the hand: then no tile is reported missing
   * yet.
   */
  readonly offered?: boolean;
}

export function HandEditor({ entry, doubtful, offered = false }: Props) {
  const hand = entry.edit.hand.value;
  const words = t.value;
  const { rest, winning } = laidOut(hand);
  const typed = entry.photos.reading.value === null;
  const padded = adding.value || typed;
  const state = (
    <p class={count(hand, handSize.value).ready ? 'count ready' : 'count'} role="status">
      {isEmpty(hand) ? words.emptyHand : countText(count(hand, handSize.value), offered)}
    </p>
  );
  return (
    <section class="hand" id="hand" aria-labelledby="hand-title" tabIndex={-1}>
      <div class="section-head">
        <h2 id="hand-title">{words.hand}</h2>
        {!padded && <Tools entry={entry} />}
      </div>
      {!padded && state}
      {!typed && <AddTiles />}
      {padded && <Entering entry={entry} hand={hand} state={state} />}
      {hand.concealed.length > 0 && (
        <>
          <h3>{words.concealed}</h3>
          <Roving label={words.concealed} class="strip">
            <Strip list={rest} hand={hand} doubtful={doubtful} />
            {winning && <span class="gap" />}
            {winning && <Strip list={[winning]} hand={hand} doubtful={doubtful} from={rest.length} />}
          </Roving>
        </>
      )}
      {hand.melds.length > 0 && <h3>{words.melds}</h3>}
      <div class="melds">
        {hand.melds.map((meld, at) => (
          <MeldCard key={meld.id} entry={entry} meld={meld} at={at} doubtful={doubtful} />
        ))}
      </div>
      {hand.flowers.length > 0 && (
        <>
          <h3>{words.flowers}</h3>
          <Roving label={words.flowers} class="strip">
            <Strip list={hand.flowers} hand={hand} doubtful={doubtful} />
          </Roving>
        </>
      )}
      {!isEmpty(hand) && <Selecting entry={entry} />}
    </section>
  );
}

function Tools({ entry }: { readonly entry: Entry }) {
  const words = t.value;
  const { past, future } = entry.edit.history.value;
  const [first] = past;
  const typed = entry.photos.reading.value === null;
  return (
    <div class="tools">
      <button
        type="button"
        class="icon"
        aria-label={words.undo}
        title={words.undo}
        disabled={past.length === 0}
        onClick={() => undoHand(entry.edit)}
      >
        ↶
      </button>
      <button
        type="button"
        class="icon"
        aria-label={words.redo}
        title={words.redo}
        disabled={future.length === 0}
        onClick={() => redoHand(entry.edit)}
      >
        ↷
      </button>
      {!typed && (
        <button type="button" disabled={first === undefined} onClick={() => first && change(entry, first)}>
          {words.original}
        </button>
      )}
    </div>
  );
}

/** Offers the places that the selected tiles can be moved to. */
function SelectBar({ entry, picked }: { readonly entry: Entry; readonly picked: ReadonlySet<number> }) {
  const words = t.value;
  const hand = entry.edit.hand.value;
  const to = (place: edit.Place) => () => {
    change(entry, edit.move(hand, [...picked], place));
    selected.value = null;
  };
  const none = picked.size === 0;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields, these are actions
    <div class="select-bar" role="group" aria-label={words.moveTo}>
      <p role="status">{none ? words.selectHelp : words.selected(picked.size)}</p>
      <div class="actions">
        <button type="button" class="primary" disabled={none} onClick={to('new meld')}>
          {words.toNewSet}
        </button>
        {hand.melds.map((meld, at) => (
          <button key={meld.id} type="button" disabled={none} onClick={to({ meld: meld.id })}>
            {words.toSet(at + 1)}
          </button>
        ))}
        <button type="button" disabled={none} onClick={to('concealed')}>
          {words.toHand}
        </button>
        <button
          type="button"
          class="danger"
          disabled={none}
          onClick={() => {
            change(entry, edit.remove(hand, [...picked]));
            selected.value = null;
          }}
        >
          {words.remove}
        </button>
      </div>
    </div>
  );
}

/** Opens and closes the pad, which lies above the hand: it does not move when tiles are added. */
function AddTiles() {
  const words = t.value;
  return (
    <div class="actions">
      <button
        type="button"
        aria-expanded={adding.value}
        onClick={() => {
          adding.value = !adding.value;
        }}
      >
        {adding.value ? words.done : words.addTiles}
      </button>
    </div>
  );
}

interface EnteringProps {
  readonly entry: Entry;
  readonly hand: Hand;
  /** Number of tiles, and what is missing. */
  readonly state: ComponentChildren;
}

/** The pad that adds tiles and sets, and the hand as text. */
function Entering({ entry, hand, state }: EnteringProps) {
  return (
    <div class="adding">
      <Pad
        hand={hand}
        tools={<Tools entry={entry} />}
        about={state}
        onTap={(face, kind, red) =>
          change(
            entry,
            kind === 'concealed' ? edit.addNext(hand, face, red, handSize.value) : tap(hand, face, kind, red),
          )
        }
      />
      <TextField entry={entry} />
    </div>
  );
}

/** Moves several tiles together. */
function Selecting({ entry }: { readonly entry: Entry }) {
  return (
    <div class="selecting">
      <div class="actions">
        <button
          type="button"
          aria-pressed={selected.value !== null}
          onClick={() => {
            selected.value = selected.value ? null : new Set();
          }}
        >
          {t.value.select}
        </button>
      </div>
      {selected.value && <SelectBar entry={entry} picked={selected.value} />}
    </div>
  );
}
