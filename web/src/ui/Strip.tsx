/** Tiles side by side, each with its marks: doubtful, winning, highlighted by a fan. */
import type { Hand, Piece } from '../model/hand';
import { lit, open, pointed, selected, toggleSelected } from './focus';
import { TileButton } from './Tile';
import { tileLabel } from './words';

interface StripProps {
  readonly list: readonly Piece[];
  readonly hand: Hand;
  readonly doubtful: ReadonlySet<number>;
  /** Number of tiles that lie before these. */
  readonly from?: number;
}

/** Tiles side by side; each opens, or is selected while selecting. */
export function Strip({ list, hand, doubtful, from = 0 }: StripProps) {
  const picking = selected.value;
  return (
    <>
      {list.map((piece, at) => {
        const marks = { unsure: doubtful.has(piece.id), winning: piece.id === hand.winning };
        const classes = [
          marks.unsure && 'doubtful',
          marks.winning && 'winning',
          piece.id === pointed.value && 'pointed',
          lit.value && (lit.value.has(piece.id) ? 'lit' : 'unlit'),
        ].filter(Boolean);
        return (
          <TileButton
            key={piece.id}
            face={piece.face}
            red={piece.red}
            label={tileLabel(piece, from + at + 1, marks)}
            class={classes.join(' ')}
            pressed={picking ? picking.has(piece.id) : undefined}
            onTap={() => {
              if (picking) toggleSelected(piece.id);
              else open.value = { piece: piece.id };
            }}
            onPoint={(here) => {
              pointed.value = here ? piece.id : null;
            }}
          >
            {marks.unsure && (
              <span class="doubt-mark" aria-hidden="true">
                ?
              </span>
            )}
            {marks.winning && (
              <span class="winning-mark" aria-hidden="true">
                ★
              </span>
            )}
          </TileButton>
        );
      })}
    </>
  );
}
