/** Buttons that a second tap on what stood there before cannot press. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** Milliseconds for which new buttons take no taps: a second tap follows the first sooner. */
const SETTLING = 500;

interface Props {
  readonly class?: string;
  /** Names what is asked: once that is something else, no taps are taken again. */
  readonly about: string;
  readonly children: ComponentChildren;
}

/**
 * A part that takes no taps at first, so that a second tap on the question before answers nothing.
 * Keys and screen readers are not held up.
 */
export function Settling({ class: name = '', about, children }: Props) {
  const [settled, setSettled] = useState<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(about), SETTLING);
    return () => clearTimeout(timer);
  }, [about]);
  return <div class={settled === about ? name : `${name} unsettled`}>{children}</div>;
}
