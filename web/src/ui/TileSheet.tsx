/**
 * Sheet of one tile: what the camera saw, the faces it could be, all faces, and where it belongs.
 * The likely faces come first, so that most errors are corrected with a second tap. A tile that
 * won, or that was claimed with its neighbours, is marked here too, also one that is only being
 * added.
 */
import { type Signal, useSignal } from '@preact/signals';
import type { Relation, SeenTile } from '../api/types';
import { clauses } from '../browser/lang';
import { faceName, t } from '../i18n';
import { claimable } from '../model/claimed';
import { count } from '../model/count';
import * as edit from '../model/edit';
import { type Hand, pieceOf } from '../model/hand';
import { type Face, faceOf, inOrder, isFlower, isTile } from '../model/tiles';
import { namedFrom } from '../model/together';
import { change } from '../state/hand/edit';
import type { Entry } from '../state/hand/entry';
import type { Photos } from '../state/hand/photos';
import { handSize, playsRedFives } from '../state/prefs';
import { Crop } from './Crop';
import { type Open, open } from './focus';
import { Palette } from './Palette';
import { WhichPhotos } from './Photos';
import { Roving } from './Roving';
import { Segmented } from './Segmented';
import { Sheet } from './Sheet';
import { TileButton, TileFace } from './Tile';
import { pieceName } from './words';

const close = (): void => {
  open.value = null;
};

export function TileSheet({ entry, about }: { readonly entry: Entry; readonly about: Open }) {
  const hand = entry.edit.hand.value;
  const piece = 'piece' in about ? pieceOf(hand, about.piece) : undefined;
  const seen = 'seen' in about ? about.seen : piece?.seen;
  const tile = seen == null ? undefined : entry.photos.reading.value?.tiles[seen];
  // The tile that completes a hand has mostly won it.
  const won = useSignal(hand.winning === null && count(hand, handSize.value).off === -1);
  const choose = (face: Face, red = false): void => {
    const named = piece ? edit.setFace(hand, piece.id, face) : added(hand, face, seen ?? null, won.value);
    change(entry, edit.setRed(named, piece?.id ?? hand.nextId, red));
    close();
  };
  // What is still missing of a hand with all its tiles is a flower.
  const isComplete = count(hand, handSize.value).off === 0;
  if (!piece && !tile) return null;
  return (
    <Sheet title={piece ? t.value.changeTile(pieceName(piece)) : t.value.addTiles} onClose={close}>
      {tile && <Seen photos={entry.photos} tile={tile} current={piece?.face} choose={choose} />}
      {tile && entry.photos.reading.value && <WhichPhotos reading={entry.photos.reading.value} tile={tile} />}
      {piece ? <Quick entry={entry} hand={hand} id={piece.id} /> : <AddAs won={won} />}
      <h3>{t.value.allTiles}</h3>
      <Palette
        onChoose={choose}
        current={piece?.face}
        isCurrentRed={piece?.red}
        withRed={playsRedFives.value || piece?.red === true}
        flowersFirst={isComplete && (!piece || isFlower(piece.face))}
        isUsedUp={(face) => isFlower(face) && hand.flowers.some((one) => one !== piece && one.face === face)}
      />
      {piece && <Belongs entry={entry} hand={hand} id={piece.id} />}
    </Sheet>
  );
}

/** The hand with a tile of the photo that was left out. */
function added(hand: Hand, face: Face, seen: number | null, won: boolean): Hand {
  const grown = edit.add(hand, face, undefined, seen);
  return won && isTile(face) ? edit.markWinning(grown, hand.nextId) : grown;
}

/** Asks what an added tile is: one more, or the one that won. */
function AddAs({ won }: { readonly won: Signal<boolean> }) {
  const words = t.value;
  return (
    <Segmented
      legend={words.pointing.addAs}
      name="add-as"
      value={won.value ? 'won' : 'hand'}
      options={[
        { value: 'hand', label: words.concealed },
        { value: 'won', label: `★ ${words.markWinning}` },
      ]}
      onChoose={(value) => {
        won.value = value === 'won';
      }}
    />
  );
}

interface SeenProps {
  readonly photos: Photos;
  readonly tile: SeenTile;
  readonly current: Face | undefined;
  readonly choose: (face: Face) => void;
}

/** The tile in the photo beside the faces that it looks like. */
function Seen({ photos, tile, current, choose }: SeenProps) {
  const likely = tile.candidates.flatMap((one) => {
    const face = faceOf(one.tile);
    return face ? [{ face, p: one.p }] : [];
  });
  const reading = photos.reading.value;
  const look = reading && namedFrom(reading, tile);
  const url = look && photos.pictures.value[look.photo]?.photo?.url;
  return (
    <div class="seen-tile">
      {look && url && <Crop url={url} polygon={look.polygon} />}
      {likely.length > 0 && (
        <div>
          <h3>{t.value.likely}</h3>
          <Roving label={t.value.likely} class="strip">
            {likely.map(({ face, p }) => (
              <TileButton
                key={face}
                face={face}
                label={clauses([faceName(face), percent(p)])}
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
      <Claimed entry={entry} hand={hand} id={id} act={act} />
    </div>
  );
}

const FROM: readonly Relation[] = ['left', 'across', 'right'];

interface ClaimedProps extends PieceProps {
  readonly act: (next: Hand) => void;
}

/** The set that it was claimed for, with its neighbours: one tap says from whom. */
function Claimed({ entry, hand, id, act }: ClaimedProps) {
  const words = t.value;
  const set = claimable(hand, entry.photos.reading.value, id);
  if (!set) return null;
  const claim = (from: Relation): void => {
    const claimed = edit.move(
      hand,
      set.pieces.map((piece) => piece.id),
      'new meld',
    );
    const meld = claimed.melds.at(-1);
    // A chow is always claimed from the left; which of its tiles is what the rules ask.
    const chow = meld && set.kind === 'chow' ? edit.setClaimed(claimed, meld.id, id) : null;
    act(chow ?? (meld ? edit.setFrom(claimed, meld.id, from) : claimed));
  };
  return (
    <fieldset class="claimed-set">
      <legend>
        {words.claimedFrom}{' '}
        <span class="mini-set" aria-hidden="true">
          {[...set.pieces]
            .sort((a, b) => inOrder(a.face, b.face))
            .map((piece) => (
              <TileFace key={piece.id} face={piece.face} />
            ))}
        </span>
      </legend>
      <div class="actions">
        {(set.kind === 'chow' ? FROM.slice(0, 1) : FROM).map((from) => (
          <button key={from} type="button" data-claimed={from} onClick={() => claim(from)}>
            {words.from[from]}
          </button>
        ))}
      </div>
    </fieldset>
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
