/**
 * A pad of all tiles, above which the hand is shown that it enters. A tap adds one tile, or a whole
 * set of the kind that is chosen.
 *
 * The pad stays where it is while the hand grows, so that quick taps do not miss: whatever is above
 * it has the height that it has with the largest hand.
 */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { t } from '../i18n';
import { type Hand, isEmpty } from '../model/hand';
import { canTap, isPlayed, type PadKind, padKinds } from '../model/pad';
import type { Face } from '../model/tiles';
import { players, playsFlowers, playsRedFives } from '../state/prefs';
import { Palette } from './Palette';
import { Segmented } from './Segmented';
import { TileFace } from './Tile';

interface Props {
  readonly hand: Hand;
  /** Takes a tap on a face, which `canTap` allows. */
  readonly onTap: (face: Face, kind: PadKind, red: boolean) => void;
  /** Buttons that stay in view beside the hand. */
  readonly tools: ComponentChildren;
  /** A line about the hand, below its tiles. */
  readonly about?: ComponentChildren;
}

export function Pad({ hand, onTap, tools, about }: Props) {
  const words = t.value.pad;
  const kinds = { ...t.value.kinds, ...words.kinds };
  const kind = useSignal<PadKind>('concealed');
  const name = useId();
  return (
    <div class="tile-pad">
      <div class="pad-top">
        <Tiles hand={hand} />
        {about}
        {tools}
      </div>
      <Segmented
        legend={words.legend}
        quiet
        name={`pad-${name}`}
        value={kind.value}
        options={padKinds(players.value).map((value) => ({ value, label: kinds[value] }))}
        onChoose={(value) => {
          kind.value = value;
        }}
      />
      <Palette
        isInGame={(face) => isPlayed(face, players.value)}
        isUsedUp={(face) => !canTap(hand, face, kind.value)}
        withFlowers={playsFlowers.value}
        withRed={playsRedFives.value}
        onChoose={(face, red) => onTap(face, kind.value, red)}
      />
    </div>
  );
}

/** Tiles of the hand, for the eye only: the strips of an editor and the text name them. */
function Tiles({ hand }: { readonly hand: Hand }) {
  const groups = [...hand.melds.map(({ pieces }) => pieces), hand.concealed, hand.flowers];
  return (
    <div class="hand-line pad-hand" aria-hidden="true">
      {!isEmpty(hand) &&
        groups
          .filter((group) => group.length > 0)
          .map((group) => (
            <span key={group[0]?.id} class="mini-set">
              {group.map(({ id, face, red }) => (
                <TileFace key={id} face={face} red={red} />
              ))}
            </span>
          ))}
    </div>
  );
}
