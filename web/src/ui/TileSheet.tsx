/**
 * One tile: what the camera saw, the faces it could be, all faces, and where it belongs. The likely
 * faces come first, so that most errors are corrected with a second tap.
 */
import { polygonOf, type SeenTile } from '../api/types';
import { faceName, t } from '../i18n';
import * as edit from '../model/edit';
import { type Hand, pieceOf } from '../model/hand';
import { type Face, faceOf } from '../model/tiles';
import { change, type Entry } from '../state/hands';
import { Crop } from './Crop';
import { type Open, open } from './focus';
import { Palette } from './Palette';
import { Roving } from './Roving';
import { Sheet } from './Sheet';
import { TileButton } from './Tile';

const close = (): void => {
  open.value = null;
};

export function TileSheet({ entry, about }: { readonly entry: Entry; readonly about: Open }) {
  const hand = entry.hand.value;
  const piece = 'piece' in about ? pieceOf(hand, about.piece) : undefined;
  const seen = 'seen' in about ? about.seen : piece?.seen;
  const tile = seen == null ? undefined : entry.reading.value?.tiles[seen];
  if (!piece && !tile) return null;
  const choose = (face: Face): void => {
    change(entry, piece ? edit.setFace(hand, piece.id, face) : edit.add(hand, face, undefined, seen ?? null));
    close();
  };
  return (
    <Sheet title={piece ? t.value.changeTile(faceName(piece.face)) : t.value.addTiles} onClose={close}>
      {tile && <Seen entry={entry} tile={tile} current={piece?.face} choose={choose} />}
      {piece && <Quick entry={entry} hand={hand} id={piece.id} />}
      <h3>{t.value.allTiles}</h3>
      <Palette onChoose={choose} current={piece?.face} />
      {piece && <Belongs entry={entry} hand={hand} id={piece.id} />}
    </Sheet>
  );
}

interface SeenProps {
  readonly entry: Entry;
  readonly tile: SeenTile;
  readonly current: Face | undefined;
  readonly choose: (face: Face) => void;
}

/** The tile in the photo beside the faces that it looks like. */
function Seen({ entry, tile, current, choose }: SeenProps) {
  const likely = tile.candidates.flatMap((one) => {
    const face = faceOf(one.tile);
    return face ? [{ face, p: one.p }] : [];
  });
  const url = entry.photo.value?.url;
  return (
    <div class="seen-tile">
      {url && <Crop url={url} polygon={polygonOf(tile)} />}
      {likely.length > 0 && (
        <div>
          <h3>{t.value.likely}</h3>
          <Roving label={t.value.likely} class="strip">
            {likely.map(({ face, p }) => (
              <TileButton
                key={face}
                face={face}
                label={`${faceName(face)}, ${percent(p)}`}
                current={face === current}
                class="with-note"
                onTap={() => choose(face)}
              >
                <span class="tile-note">{percent(p)}</span>
              </TileButton>
            ))}
          </Roving>
        </div>
      )}
    </div>
  );
}

const percent = (p: number): string => `${p < 0.01 ? '<1' : Math.min(99, Math.round(p * 100))} %`;

interface PieceProps {
  readonly entry: Entry;
  readonly hand: Hand;
  readonly id: number;
}

/** The most frequent actions on a tile, apart from changing its face. */
function Quick({ entry, hand, id }: PieceProps) {
  const words = t.value;
  const inFlowers = hand.flowers.some((piece) => piece.id === id);
  const act = (next: Hand): void => {
    change(entry, next);
    close();
  };
  return (
    <div class="actions quick">
      {hand.winning !== id && !inFlowers && (
        <button type="button" onClick={() => act(edit.markWinning(hand, id))}>
          <span aria-hidden="true">★</span> {words.markWinning}
        </button>
      )}
      <button type="button" class="danger" onClick={() => act(edit.remove(hand, [id]))}>
        {words.remove}
      </button>
    </div>
  );
}

/** The places where the tile can lie. */
function Belongs({ entry, hand, id }: PieceProps) {
  const words = t.value;
  const to = (place: edit.Place) => () => {
    change(entry, edit.move(hand, [id], place));
    close();
  };
  const inHand = hand.concealed.some((piece) => piece.id === id);
  return (
    <>
      <h3>{words.moveTo}</h3>
      <div class="actions">
        {!inHand && (
          <button type="button" onClick={to('concealed')}>
            {words.toHand}
          </button>
        )}
        {hand.melds.map((meld, at) =>
          meld.pieces.some((piece) => piece.id === id) ? null : (
            <button key={meld.id} type="button" onClick={to({ meld: meld.id })}>
              {words.toSet(at + 1)}
            </button>
          ),
        )}
        <button type="button" onClick={to('new meld')}>
          {words.toNewSet}
        </button>
      </div>
    </>
  );
}
