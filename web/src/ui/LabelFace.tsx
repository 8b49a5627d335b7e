/** A face of an own set: one that every set has, as it is drawn, or a further one by its name. */
import { asFace } from '../model/sheet';
import { labelName } from './setWords';
import { TileFace } from './Tile';

export function LabelFace({ label }: { readonly label: string | null }) {
  const face = label === null ? null : asFace(label);
  return face ? (
    <TileFace face={face} />
  ) : (
    <span class="face further" aria-hidden="true">
      {label === null ? '–' : labelName(label)}
    </span>
  );
}
