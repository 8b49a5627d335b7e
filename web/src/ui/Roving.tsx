/**
 * Many buttons with one tab stop (roving tabindex): arrows move among them as they lie on the
 * screen, Home and End go to the ends.
 */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface Props {
  readonly label: string;
  readonly class: string;
  readonly children: ComponentChildren;
}

const buttons = (root: HTMLElement): HTMLButtonElement[] =>
  [...root.querySelectorAll('button')].filter((button) => !button.disabled);

export function Roving({ label, class: className, children }: Props) {
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (root.current) keepOneStop(root.current);
  });
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields, these are tiles
    <div
      ref={root}
      role="group"
      aria-label={label}
      class={className}
      onFocusIn={({ target }) => root.current && stopAt(root.current, target)}
      onKeyDown={(event) => root.current && onKey(root.current, event)}
    >
      {children}
    </div>
  );
}

function keepOneStop(root: HTMLElement): void {
  const all = buttons(root);
  const stop = all.find((button) => button.tabIndex === 0 && button.dataset.stop) ?? all[0];
  if (stop) stopAt(root, stop);
}

function stopAt(root: HTMLElement, target: EventTarget | null): void {
  for (const button of buttons(root)) {
    const here = button === target;
    button.tabIndex = here ? 0 : -1;
    if (here) button.dataset.stop = 'true';
    else delete button.dataset.stop;
  }
}

function onKey(root: HTMLElement, event: KeyboardEvent): void {
  const all = buttons(root);
  const at = all.indexOf(document.activeElement as HTMLButtonElement);
  if (at < 0) return;
  const next = {
    ArrowRight: all[at + 1],
    ArrowLeft: all[at - 1],
    ArrowDown: inNextRow(all, at, 1),
    ArrowUp: inNextRow(all, at, -1),
    Home: all[0],
    End: all.at(-1),
  }[event.key];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

/** The button nearest to this one in the row above or below. */
function inNextRow(
  all: readonly HTMLButtonElement[],
  at: number,
  way: 1 | -1,
): HTMLButtonElement | undefined {
  const here = all[at]?.getBoundingClientRect();
  if (!here) return undefined;
  const boxes = all.map((button) => ({ button, box: button.getBoundingClientRect() }));
  const beyond = boxes.filter(({ box }) => (box.top - here.top) * way > here.height / 2);
  const distance = ({ box }: { box: DOMRect }): number =>
    Math.abs(box.top - here.top) * 10 + Math.abs(box.left - here.left);
  return beyond.sort((a, b) => distance(a) - distance(b))[0]?.button;
}
