/** The own sets of this device: teach one, share it, add one from a file, merge, rename, delete. */
import '../styles/sets.css';
import { useSignal, useSignalEffect } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { asFailure } from '../api/failure';
import { type Lang, lang, listed } from '../browser/lang';
import { missing } from '../engine/place';
import { t } from '../i18n';
import { isSetName } from '../model/sheet';
import { handOver, saveFile } from '../share/file';
import { addFile, addToSet, deleteSet, type OwnSet, ownSets, renameSet } from '../state/ownSets';
import { showingSets, teach, teaching } from '../state/teaching';
import { note } from './focus';
import { NameField } from './NameField';
import { SetPicker } from './SetPicker';
import { Sheet } from './Sheet';
import { faultOf, labelName, sayKept, setFault } from './setWords';
import { TeachSet } from './TeachSet';

export function Sets() {
  const words = t.value.ownSets;
  const main = useRef<HTMLElement>(null);
  useEffect(() => main.current?.focus({ preventScroll: true }), []);
  return (
    <main ref={main} class="sets-page" id="start" tabIndex={-1}>
      <h1>{words.title}</h1>
      <SetsOrLesson />
      <div class="actions">
        <button
          type="button"
          class="quiet"
          onClick={() => {
            showingSets.value = false;
          }}
        >
          {t.value.home}
        </button>
      </div>
    </main>
  );
}

/** The sets, or the one that is being taught, where this device can read photos. */
function SetsOrLesson() {
  if (missing.value) return <p class="notice">{t.value.problems[missing.value]}</p>;
  return teaching.value ? <TeachSet more={teaching.value.more} /> : <SetList />;
}

/** A file that is not the file of a set, with the reason. */
interface Refused {
  readonly file: Blob;
  readonly fault: string;
  /** Language of the reason. */
  readonly lang: Lang;
}

function SetList() {
  const words = t.value.ownSets;
  const refused = useSignal<Refused | null>(null);
  const last = useRef<Blob>(null);
  const add = async (file: Blob): Promise<void> => {
    const foundIn = lang.peek();
    last.current = file;
    refused.value = null;
    try {
      const added = await addFile(file);
      note.value = added === 'added' ? t.value.done : words[added];
    } catch (error) {
      const fault = faultOf(asFailure(error));
      // Another file may have been added in the meantime.
      if (last.current === file) refused.value = { file, fault, lang: foundIn };
    }
  };
  // A fault is worded in the language that the file was checked in. The language may change while it
  // is shown, and while the file is being checked.
  useSignalEffect(() => {
    if (refused.value && refused.value.lang !== lang.value) void add(refused.value.file);
  });
  return (
    <>
      <p>{words.about}</p>
      <div class="starts">
        <button type="button" class="primary big" onClick={() => teach()}>
          {words.teach}
        </button>
        <label class="file">
          <input
            type="file"
            class="unseen"
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? [];
              if (file) void add(file);
              // The same file may be chosen again.
              currentTarget.value = '';
            }}
          />
          {words.fromFile}
        </label>
      </div>
      {refused.value && (
        <p class="notice" role="alert">
          {words.refused(refused.value.fault)}
        </p>
      )}
      <SetPicker />
      <ul class="own-sets">
        {ownSets.value.map((own) => (
          <SetCard key={own.key} own={own} />
        ))}
      </ul>
    </>
  );
}

type Opened = 'rename' | 'merge' | 'remove';

function SetCard({ own }: { readonly own: OwnSet }) {
  const words = t.value.ownSets;
  const opened = useSignal<Opened | null>(null);
  const { name, faces, missing: lacking } = own.content;
  const close = (): void => {
    opened.value = null;
  };
  const button = (part: Opened, label: string, more = '') => (
    <button
      type="button"
      class={more}
      onClick={() => {
        opened.value = part;
      }}
    >
      {label}
    </button>
  );
  return (
    <li class="hand own-set" data-set={name}>
      <h2>{name}</h2>
      <p class="help">
        {words.knows(
          faces.length,
          faces.reduce((sum, { tiles }) => sum + tiles, 0),
        )}
      </p>
      <Faces own={own} />
      {lacking.length > 0 && <p class="help">{words.misses(listed(lacking.map(labelName)))}</p>}
      <div class="actions">
        <button type="button" onClick={() => teach(own)}>
          {words.teachMore}
        </button>
        <button type="button" onClick={() => void share(own)}>
          {words.share}
        </button>
        <button type="button" onClick={() => saveFile(fileOf(own))}>
          {words.saveFile}
        </button>
        {button('rename', words.rename)}
        {ownSets.value.length > 1 && button('merge', words.merge)}
        {button('remove', words.remove, 'danger')}
      </div>
      {opened.value === 'rename' && <RenameSet own={own} onClose={close} />}
      {opened.value === 'merge' && <MergeSet own={own} onClose={close} />}
      {opened.value === 'remove' && <RemoveSet own={own} onClose={close} />}
    </li>
  );
}

/** The thumbnails of all faces. */
function Faces({ own }: { readonly own: OwnSet }) {
  const url = useSignal('');
  const { picture } = own.content;
  useEffect(() => {
    url.value = URL.createObjectURL(picture);
    return () => URL.revokeObjectURL(url.peek());
  }, [picture]);
  return url.value ? <img class="set-faces" src={url.value} alt={t.value.ownSets.picture} /> : null;
}

/** A set as a file; characters that file names can't have are left out. */
function fileOf({ content, file }: OwnSet, ending = '.set', type = 'application/json'): File {
  const name = content.name.replace(/[^\p{L}\p{N} ()._-]/gu, '').trim() || 'tiles';
  return new File([file as Uint8Array<ArrayBuffer>], name + ending, { type });
}

/** Shares a set; browsers let texts pass, and not every ending. */
async function share(own: OwnSet): Promise<void> {
  const title = own.content.name;
  for (const file of [fileOf(own), fileOf(own, '.set.txt', 'text/plain')]) {
    if (await handOver({ title, files: [file] })) return;
  }
  saveFile(fileOf(own));
  note.value = t.value.saved;
}

interface DialogProps {
  readonly own: OwnSet;
  readonly onClose: () => void;
}

interface FormProps {
  readonly title: string;
  readonly onClose: () => void;
  /** Does it, and closes the dialog when it is done. */
  readonly act: () => Promise<void>;
  readonly submit: string;
  readonly disabled?: boolean;
  readonly children: ComponentChildren;
}

/** A dialog with one thing to do. What goes wrong is shown in it. */
function Dialog({ title, onClose, act, submit, disabled = false, children }: FormProps) {
  const fault = useSignal('');
  const busy = useSignal(false);
  const run = async (): Promise<void> => {
    busy.value = true;
    try {
      await act();
      onClose();
    } catch (error) {
      fault.value = setFault(asFailure(error));
      busy.value = false;
    }
  };
  return (
    <Sheet title={title} onClose={onClose}>
      <form
        class="set-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!disabled && !busy.peek()) void run();
        }}
      >
        {children}
        {fault.value && (
          <p class="notice" role="alert">
            {fault.value}
          </p>
        )}
        <button type="submit" class="primary" disabled={disabled || busy.value}>
          {submit}
        </button>
      </form>
    </Sheet>
  );
}

function RenameSet({ own, onClose }: DialogProps) {
  const name = useSignal(own.content.name);
  const wished = name.value.trim();
  return (
    <Dialog
      title={t.value.ownSets.rename}
      submit={t.value.save}
      disabled={!isSetName(wished)}
      act={async () => sayKept(await renameSet(own, wished), wished)}
      onClose={onClose}
    >
      <NameField name={name} />
    </Dialog>
  );
}

function MergeSet({ own, onClose }: DialogProps) {
  const words = t.value.ownSets;
  const others = ownSets.value.filter(({ key }) => key !== own.key);
  const chosen = useSignal(others[0]?.key ?? '');
  const other = others.find(({ key }) => key === chosen.value);
  return (
    <Dialog
      title={words.merge}
      submit={other ? words.mergeWith(other.content.name) : words.merge}
      disabled={!other}
      act={async () => {
        if (other) sayKept(await addToSet(own, [other.file]), own.content.name);
      }}
      onClose={onClose}
    >
      <p>{words.mergeHelp}</p>
      <div class="rules-picker">
        <label>
          <span>{words.use}</span>
          <select
            value={chosen.value}
            onChange={({ currentTarget }) => {
              chosen.value = currentTarget.value;
            }}
          >
            {others.map(({ key, content }) => (
              <option key={key} value={key}>
                {content.name}
              </option>
            ))}
          </select>
        </label>
      </div>
    </Dialog>
  );
}

function RemoveSet({ own, onClose }: DialogProps) {
  const words = t.value.ownSets;
  return (
    <Dialog title={words.remove} submit={words.remove} act={() => deleteSet(own)} onClose={onClose}>
      <p>{words.removeAsk(own.content.name)}</p>
    </Dialog>
  );
}
