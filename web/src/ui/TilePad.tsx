/** Enters the hand of another player with taps: tiles of the hand, and whole sets beside it. */
import { useSignal } from '@preact/signals';
import { t } from '../i18n';
import { EMPTY, type Hand } from '../model/hand';
import { tap } from '../model/pad';
import { Pad } from './Pad';
import { Sheet } from './Sheet';

interface Props {
  readonly title: string;
  readonly hand: Hand | null;
  readonly onChange: (hand: Hand) => void;
  readonly onClose: () => void;
}

export function TilePad({ title, hand: before, onChange, onClose }: Props) {
  const steps = useSignal<readonly Hand[]>([]);
  const hand = before ?? EMPTY;
  const undo = (): void => {
    const last = steps.value.at(-1);
    steps.value = steps.value.slice(0, -1);
    if (last) onChange(last);
  };
  return (
    <Sheet title={title} onClose={onClose}>
      <Pad
        hand={hand}
        tools={
          <button type="button" disabled={steps.value.length === 0} onClick={undo}>
            {t.value.undo}
          </button>
        }
        onTap={(face, kind, red) => {
          steps.value = [...steps.value, hand];
          onChange(tap(hand, face, kind, red));
        }}
      />
    </Sheet>
  );
}
