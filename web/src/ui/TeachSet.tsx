/**
 * Teaches a set: the order in which its tiles are laid out, photos of them, the tiles that are
 * unsure, and the faces that are missing.
 */
import { useSignal } from '@preact/signals';
import { t } from '../i18n';
import { BACK, choicesOf, extraLabel, isSetName, MAX_NAME, type SetFace, SHEET } from '../model/sheet';
import type { OwnSet } from '../state/ownSets';
import {
  addSheets,
  answerTile,
  asksOrder,
  dropSheet,
  endTeaching,
  fault,
  isTeachable,
  learn,
  missingFaces,
  openTiles,
  type Sheet as Photographed,
  sheets,
  tellOrder,
  work,
} from '../state/teaching';
import { Crop } from './Crop';
import { FileButton } from './Home';
import { LabelFace } from './LabelFace';
import { NameField } from './NameField';
import { Palette } from './Palette';
import { Roving } from './Roving';
import { Sheet } from './Sheet';
import { labelName, sayKept, setFault } from './setWords';
import { progressText } from './words';

interface Place {
  readonly sheet: number;
  readonly row: number;
  readonly at: number;
}

export function TeachSet({ more }: { readonly more: OwnSet | null }) {
  const words = t.value.ownSets;
  const corrected = useSignal<Place | null>(null);
  const started = sheets.value.length > 0;
  // One photo at a time: another one would be dropped.
  const isBusy = work.value !== null;
  return (
    <>
      {more && <h2>{more.content.name}</h2>}
      <Guide open={!started} />
      <div class="actions">
        <FileButton
          label={t.value.snap}
          class={started ? '' : 'primary'}
          capture
          disabled={isBusy}
          onFiles={addSheets}
        />
        <FileButton label={t.value.choose} class="" disabled={isBusy} onFiles={addSheets} />
      </div>
      {work.value && (
        <p class="busy" role="status">
          <span class="spinner" aria-hidden="true" />
          {work.value === 'learn' ? words.learning : progressText()}
        </p>
      )}
      {fault.value && (
        <p class="notice" role="alert">
          {setFault(fault.value)}
        </p>
      )}
      {started && (
        <>
          {asksOrder.value ? (
            <OwnOrder {...asksOrder.value} />
          ) : (
            <OpenTiles onOther={(place) => (corrected.value = place)} />
          )}
          <MissingFaces />
          {sheets.value.map((sheet, at) => (
            <Rows
              key={sheet.photo.url}
              sheet={sheet}
              number={at}
              onTile={(place) => (corrected.value = place)}
            />
          ))}
        </>
      )}
      <Keep more={more} />
      {corrected.value && <NameTile place={corrected.value} onClose={() => (corrected.value = null)} />}
    </>
  );
}

/** The order in which the tiles are laid out. */
function Guide({ open }: { readonly open: boolean }) {
  const words = t.value.ownSets;
  return (
    <details class="fold guide" open={open}>
      <summary>
        <b>{words.order}</b>
      </summary>
      <p>{words.guide}</p>
      <ol>
        {SHEET.map((faces) => (
          <li key={faces[0]} class="guide-row" aria-label={rowName(faces)}>
            {faces.map((face, at) => (
              <LabelFace key={at} label={face} />
            ))}
          </li>
        ))}
      </ol>
    </details>
  );
}

/** Names the tiles of a row by its ends, for those who don't see them. */
function rowName(faces: readonly (SetFace | null)[]): string {
  const first = labelName(faces[0] ?? null);
  const last = labelName(faces.at(-1) ?? null);
  return first === last ? `${first}` : `${first} – ${last}`;
}

interface OrderProps {
  readonly sheet: number;
  /** Names of the tiles in the order in which they seem to lie. */
  readonly names: readonly (readonly (SetFace | null)[])[];
}

/** Asks once for the order of a sheet whose tiles lie in another one, instead of for each of them. */
function OwnOrder({ sheet, names }: OrderProps) {
  const words = t.value.ownSets.ownOrder;
  return (
    <section class="hand own-order" aria-labelledby="own-order">
      <h2 id="own-order">{words.ask}</h2>
      <p class="help">{words.help}</p>
      <ol>
        {names.map((row, at) => (
          <li key={at} class="guide-row" aria-label={rowName(row)}>
            {row.map((face, i) => (
              <LabelFace key={i} label={face} />
            ))}
          </li>
        ))}
      </ol>
      <div class="actions">
        <button type="button" class="primary" onClick={() => tellOrder(sheet, names)}>
          {words.yes}
        </button>
        <button type="button" onClick={() => tellOrder(sheet, null)}>
          {words.no}
        </button>
      </div>
    </section>
  );
}

interface OpenProps {
  /** Handles a tile whose face is not among those that are offered. */
  readonly onOther: (place: Place) => void;
}

/** The tiles that are unsure, each answered with one tap. */
function OpenTiles({ onOther }: OpenProps) {
  const words = t.value.ownSets;
  const open = openTiles.value;
  if (open.length === 0) return null;
  return (
    <section class="hand" aria-labelledby="open-tiles">
      <h2 id="open-tiles">{words.open(open.length)}</h2>
      <p class="help">{words.openHelp}</p>
      <ul>
        {open.map((one) => (
          <li key={`${one.photo.url} ${one.row} ${one.at}`} class="question open-tile">
            <Crop url={one.photo.url} polygon={one.tile.polygon} />
            <div class="question-body">
              <p class="ask">{t.value.ask.whichTile}</p>
              <div class="actions">
                {choicesOf(one.tile).map((face) => (
                  <button key={face} type="button" class="answer" onClick={() => answerTile(one, face)}>
                    <LabelFace label={face} />
                    {labelName(face)}
                  </button>
                ))}
                <button type="button" onClick={() => onOther(one)}>
                  {t.value.replies.other}
                </button>
                <button type="button" onClick={() => answerTile(one, null)}>
                  {words.leaveOut}
                </button>
              </div>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function MissingFaces() {
  const words = t.value.ownSets;
  const missing = missingFaces.value;
  return (
    <section class="hand" aria-labelledby="missing-faces" data-missing={missing.join(' ')}>
      <h2 id="missing-faces">{missing.length > 0 ? words.missing(missing.length) : words.nothingMissing}</h2>
      <ul class="missing-faces">
        {missing.map((face) => (
          <li key={face}>
            <LabelFace label={face} />
            <span>{labelName(face)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface RowsProps {
  readonly sheet: Photographed;
  readonly number: number;
  readonly onTile: (place: Place) => void;
}

/** Tiles that were read in a photo; each can be named otherwise. */
function Rows({ sheet: { photo, rows }, number, onTile }: RowsProps) {
  const words = t.value;
  return (
    <section class="hand" aria-label={words.photos.number(number + 1)}>
      <div class="section-head">
        <h2>{words.photos.number(number + 1)}</h2>
        <button
          type="button"
          class="icon"
          aria-label={words.photos.remove(number + 1)}
          onClick={() => dropSheet(number)}
        >
          ×
        </button>
      </div>
      <img class="sheet-photo" src={photo.url} alt="" width={photo.width} height={photo.height} />
      {rows.map((tiles, row) => (
        <Roving key={row} class="strip" label={words.ownSets.row(row + 1)}>
          {tiles.map(({ name, sure }, at) => (
            <button
              key={at}
              type="button"
              class={sure ? 'tile' : 'tile doubtful'}
              data-tile={name ?? ''}
              aria-label={`${labelName(name)}${sure ? '' : `, ${words.unsure}`}`}
              onClick={() => onTile({ sheet: number, row, at })}
            >
              <LabelFace label={name} />
              {!sure && (
                <span class="doubt-mark" aria-hidden="true">
                  ?
                </span>
              )}
            </button>
          ))}
        </Roving>
      ))}
    </section>
  );
}

/** Says what a tile is: any face, a further kind, or nothing to learn. */
function NameTile({ place, onClose }: { readonly place: Place; readonly onClose: () => void }) {
  const words = t.value.ownSets;
  const further = useSignal('');
  const sheet = sheets.value[place.sheet];
  const tile = sheet?.rows[place.row]?.[place.at];
  if (!sheet || !tile) return null;
  const choose = (name: string | null): void => {
    answerTile(place, name);
    onClose();
  };
  return (
    <Sheet title={t.value.ask.whichTile} onClose={onClose}>
      <div class="seen-tile">
        <Crop url={sheet.photo.url} polygon={tile.polygon} />
      </div>
      <Palette onChoose={choose} withUnnamed={false} />
      <div class="actions">
        <button type="button" onClick={() => choose(BACK)}>
          {labelName(BACK)}
        </button>
        <button type="button" onClick={() => choose(null)}>
          {words.leaveOut}
        </button>
      </div>
      <form
        class="text-field further-kind"
        onSubmit={(event) => {
          event.preventDefault();
          const name = further.value.trim();
          if (isSetName(name)) choose(extraLabel(name));
        }}
      >
        <label for="further-kind">{words.further}</label>
        <div class="with-button">
          <input
            id="further-kind"
            type="text"
            autocomplete="off"
            maxLength={MAX_NAME}
            value={further.value}
            aria-describedby="further-help"
            onInput={({ currentTarget }) => {
              further.value = currentTarget.value;
            }}
          />
          <button type="submit" disabled={!isSetName(further.value.trim())}>
            {t.value.save}
          </button>
        </div>
        <p id="further-help" class="help">
          {words.furtherHelp}
        </p>
      </form>
    </Sheet>
  );
}

/** The name of a new set, and the end of teaching. */
function Keep({ more }: { readonly more: OwnSet | null }) {
  const words = t.value.ownSets;
  const name = useSignal(more?.content.name ?? words.usualName);
  const wished = name.value.trim();
  const isReady = isTeachable.value && work.value === null && isSetName(wished);
  return (
    <form
      class="set-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) void learn(wished, (isKept) => sayKept(isKept, wished));
      }}
    >
      {sheets.value.length > 0 && !more && <NameField name={name} />}
      <div class="actions">
        {sheets.value.length > 0 && (
          <button type="submit" class="primary" disabled={!isReady}>
            {words.keep}
          </button>
        )}
        <button type="button" disabled={work.value === 'learn'} onClick={endTeaching}>
          {words.cancel}
        </button>
      </div>
    </form>
  );
}
