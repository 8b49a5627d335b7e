/**
 * The faces that were read, below the photo in its order, so that they are checked in one look. Doubtful
 * ones have the mark that they have in the photo. Keyboards and screen readers have the strip, which lists
 * the same tiles.
 */
import { pieces } from '../model/hand';
import { lyingIn } from '../model/lying';
import type { Entry } from '../state/hand/entry';
import { pointed } from './focus';
import { TileFace } from './Tile';

interface Props {
  readonly entry: Entry;
  readonly doubtful: ReadonlyMap<number, boolean>;
}

export function ReadTiles({ entry, doubtful }: Props) {
  const reading = entry.photos.reading.value;
  const hand = entry.edit.hand.value;
  if (!reading) return null;
  const bySeen = new Map(pieces(hand).flatMap((piece) => (piece.seen === null ? [] : [[piece.seen, piece]])));
  const groups = lyingIn(reading, [...bySeen.keys()], entry.photos.shown.value);
  return (
    <div class="read-tiles" aria-hidden="true">
      {groups.map((group) => (
        <span key={group[0]} class="read-group">
          {group.map((at) => {
            const piece = bySeen.get(at);
            const classes = [
              'read-tile',
              doubtful.has(at) && 'doubtful',
              piece?.id === hand.winning && 'winning',
              piece?.id === pointed.value && 'pointed',
            ].filter(Boolean);
            return (
              piece && (
                <span
                  key={at}
                  class={classes.join(' ')}
                  data-read={at}
                  onPointerEnter={() => {
                    pointed.value = piece.id;
                  }}
                  onPointerLeave={() => {
                    pointed.value = null;
                  }}
                >
                  <TileFace face={piece.face} red={piece.red} />
                  {doubtful.has(at) && <span class="read-mark">?</span>}
                </span>
              )
            );
          })}
        </span>
      ))}
    </div>
  );
}
