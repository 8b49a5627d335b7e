/** Links to a game for other phones, for players and for spectators, with a code that a camera reads. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { t } from '../i18n';
import { copyText, handOver } from '../share/file';
import { invitation, linkToLookOn } from '../state/evening';
import { note } from './focus';
import { Segmented } from './Segmented';
import { Sheet } from './Sheet';

type Whom = 'players' | 'spectators';

interface Props {
  /** Id of the game. */
  readonly id: string;
  readonly title: string;
  readonly onClose: () => void;
}

export function Invite({ id, title, onClose }: Props) {
  const words = t.value.evening;
  const whom = useSignal<Whom>('players');
  const link = useSignal<string | null>(null);
  const { value: chosen } = whom;
  useEffect(() => {
    let left = false;
    link.value = null;
    const asked = chosen === 'players' ? Promise.resolve(invitation(id)) : linkToLookOn(id);
    asked.then(
      (url) => {
        if (!left) link.value = url;
      },
      () => {
        note.value = t.value.problems.offline;
      },
    );
    return () => {
      left = true;
    };
  }, [chosen, id]);
  return (
    <Sheet title={words.invite} onClose={onClose}>
      <div class="invite">
        <Segmented
          legend={words.forWhom}
          quiet
          name="invite"
          value={chosen}
          options={[
            { value: 'players', label: words.toPlay },
            { value: 'spectators', label: words.toWatch },
          ]}
          onChoose={(value) => {
            whom.value = value;
          }}
        />
        {link.value && <Code text={link.value} label={words.code} />}
        <p class="help link">{link.value}</p>
        <button
          type="button"
          class="primary"
          disabled={!link.value}
          onClick={() => link.value && void hand(link.value, title)}
        >
          {t.value.shareLink}
        </button>
      </div>
    </Sheet>
  );
}

/** Clear modules around a code, without which cameras do not find it. */
const QUIET = 4;

/** A QR code; the part that draws it is loaded when it is first needed. */
function Code({ text, label }: { readonly text: string; readonly label: string }) {
  const drawn = useSignal<{ readonly path: string; readonly size: number } | null>(null);
  const isMissing = useSignal(false);
  useEffect(() => {
    let left = false;
    Promise.all([import('lean-qr'), import('lean-qr/extras/svg')]).then(
      ([qr, svg]) => {
        const code = qr.generate(text);
        if (!left) drawn.value = { path: svg.toSvgPath(code), size: code.size };
      },
      () => {
        isMissing.value = true;
      },
    );
    return () => {
      left = true;
    };
  }, [text]);
  if (isMissing.value) return <p class="notice">{t.value.evening.noCode}</p>;
  if (!drawn.value) return <div class="code" />;
  const { path, size } = drawn.value;
  const side = size + 2 * QUIET;
  return (
    <svg class="code" role="img" aria-label={label} viewBox={`${-QUIET} ${-QUIET} ${side} ${side}`}>
      <rect x={-QUIET} y={-QUIET} width={side} height={side} fill="#ffffff" />
      <path d={path} fill="#000000" />
    </svg>
  );
}

async function hand(url: string, title: string): Promise<void> {
  if (await handOver({ title, url })) return;
  note.value = (await copyText(url)) ? t.value.copied : t.value.notCopied;
}
