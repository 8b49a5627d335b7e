/** Enters the hand of another player with taps: tiles of the hand, and whole sets beside it. */
import { useSignal } from '@preact/signals';
import { t } from '../i18n';
import { EMPTY, type Hand, isEmpty } from '../model/hand';
import { canTap, PAD_KINDS, type PadKind, tap } from '../model/pad';
import { Palette } from './Palette';
import { Segmented } from './Segmented';
import { Sheet } from './Sheet';
import { TileFace } from './Tile';

interface Props {
  readonly title: string;
  readonly hand: Hand | null;
  readonly onChange: (hand: Hand) => void;
  readonly onClose: () => void;
}

export function TilePad({ title, hand: before, onChange, onClose }: Props) {
  const words = t.value.otherPad;
  const kind = useSignal<PadKind>('concealed');
  const steps = useSignal<readonly Hand[]>([]);
  const hand = before ?? EMPTY;
  return (
    <Sheet title={title} onClose={onClose}>
      <div class="tile-pad">
        <div class="pad-top">
          <Tiles hand={hand} />
          <button
            type="button"
            disabled={steps.value.length === 0}
            onClick={() => {
              const last = steps.value.at(-1);
              steps.value = steps.value.slice(0, -1);
              if (last) onChange(last);
            }}
          >
            {t.value.undo}
          </button>
        </div>
        <Segmented
          legend={words.open}
          quiet
          name="pad-kind"
          value={kind.value}
          options={PAD_KINDS.map((value) => ({ value, label: words.kinds[value] }))}
          onChoose={(value) => {
            kind.value = value;
          }}
        />
        <Palette
          isUsedUp={(face) => !canTap(hand, face, kind.value)}
          onChoose={(face) => {
            steps.value = [...steps.value, hand];
            onChange(tap(hand, face, kind.value));
          }}
        />
      </div>
    </Sheet>
  );
}

/** Tiles that were entered so far; their row keeps its height, so that the pad does not move. */
function Tiles({ hand }: { readonly hand: Hand }) {
  const groups = [...hand.melds.map(({ pieces }) => pieces), hand.concealed, hand.flowers];
  return (
    <div class="hand-line pad-hand" aria-hidden="true">
      {!isEmpty(hand) &&
        groups
          .filter((group) => group.length > 0)
          .map((group) => (
            <span key={group[0]?.id} class="mini-set">
              {group.map(({ id, face }) => (
                <TileFace key={id} face={face} />
              ))}
            </span>
          ))}
    </div>
  );
}
