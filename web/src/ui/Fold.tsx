/** A part of the page that is folded until it is wanted; its summary says what is inside. */

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

interface Props {
  readonly title: string;
  /** What is inside, in a few words. */
  readonly about?: string;
  readonly id?: string;
  /** Whether it is open at first. */
  readonly open?: boolean;
  readonly children: ComponentChildren;
}

export function Fold({ title, about = '', id, open = false, children }: Props) {
  const shown = useSignal(open);
  return (
    <details
      class="fold"
      id={id}
      open={shown.value}
      onToggle={({ currentTarget }) => {
        shown.value = currentTarget.open;
      }}
    >
      <summary>
        <span>
          <b>{title}</b>
          {about && <small>{about}</small>}
        </span>
      </summary>
      {children}
    </details>
  );
}

/** Whether parts stand beside each other, so that nothing needs to be folded. */
export const isWide = (): boolean => matchMedia('(min-width: 64rem)').matches;
