/** Buttons that a second tap on what stood there before cannot press. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** Milliseconds for which new buttons take no taps: a second tap follows the first sooner. */
const SETTLING = 500;

interface Props {
  readonly class: string;
  readonly children: ComponentChildren;
}

/**
 * A part that takes no taps at first, so that a second tap on the question before answers nothing.
 * Keys and screen readers are not held up. What is asked next needs a `key` of its own.
 */
export function Settling({ class: name, children }: Props) {
  const [settled, setSettled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), SETTLING);
    return () => clearTimeout(timer);
  }, []);
  return <div class={settled ? name : `${name} unsettled`}>{children}</div>;
}
