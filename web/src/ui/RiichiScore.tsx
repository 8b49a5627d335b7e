/** Parts that only a score of riichi has: its fu with the sets that give them, and the winner's sticks. */
import type { Score } from '../api/types';
import { t } from '../i18n';
import { MiniSets } from './Tile';

/** The fu, part by part; none for a yakuman, and for a hand without a yaku. */
export function FuParts({ score }: { readonly score: Score }) {
  const words = t.value.riichi;
  const parts = score.fu_parts ?? [];
  if (typeof score.fu !== 'number' || parts.length === 0) return null;
  return (
    <details class="more fu-parts">
      <summary>{words.fuParts(score.fu)}</summary>
      <ul>
        {parts.map((part, at) => (
          <li key={at} data-fu={part.fu}>
            <b>{words.fu(part.fu)}</b> {part.name} <MiniSets sets={part.sets} />
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Sticks that the winner takes from the table beside the payments. */
export function Sticks({ score }: { readonly score: Score }) {
  if (!score.legal || !score.sticks) return null;
  return <p class="sticks">{t.value.riichi.takesSticks(score.sticks)}</p>;
}
