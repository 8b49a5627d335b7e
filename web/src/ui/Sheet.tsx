/**
 * A sheet over the page: at the bottom of a phone, in the middle of a desktop. A native dialog,
 * which keeps the focus inside, closes on Escape and gives the focus back.
 */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../i18n';

interface Props {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

export function Sheet({ title, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    element?.showModal();
    return () => {
      element?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class="sheet"
      aria-labelledby="sheet-title"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={({ target }) => target === dialog.current && onClose()}
      onKeyDown={() => {}}
    >
      <div class="sheet-body">
        <header class="sheet-head">
          <h2 id="sheet-title">{title}</h2>
          <button type="button" class="quiet" onClick={onClose}>
            {t.value.close}
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
