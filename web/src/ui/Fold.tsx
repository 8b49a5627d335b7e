/**
 * A part of the page that is folded until it is wanted; its summary says what is inside.
 *
 * What is folded is rendered a moment after the rest, so that a slow phone does not stand still.
 */

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { breath } from '../browser/breath';

interface Props {
  readonly title: string;
  /** Summary of the content, in a few words. */
  readonly about?: string;
  readonly id?: string;
  /** Whether it is open at first. */
  readonly open?: boolean;
  readonly children: ComponentChildren;
}

export function Fold({ title, about = '', id, open = false, children }: Props) {
  const shown = useSignal(open);
  const rendered = useSignal(open);
  useEffect(() => {
    let left = false;
    void breath().then(() => {
      if (!left) rendered.value = true;
    });
    return () => {
      left = true;
    };
  }, [rendered]);
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
      {(rendered.value || shown.value) && children}
    </details>
  );
}

/** Tells whether parts stand beside each other, so that nothing needs to be folded. */
export const isWide = (): boolean => matchMedia('(min-width: 64rem)').matches;
