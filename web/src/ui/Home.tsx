/** The start view: take a photo, choose photos, type a hand, or try a sample. */
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import sample from '../../../datasets/samples/demo.jpg?url';
import { ON_DEVICE } from '../browser/site';
import { missing, type Place, place } from '../engine/place';
import { t } from '../i18n';
import { hasCamera } from '../photo/camera';
import { installable } from '../pwa/install';
import { game, showing } from '../state/evening';
import { lastDraft } from '../state/hand/draft';
import { addPhotos, addTyped } from '../state/hand/open';
import { staying } from '../state/here';
import { isLinkBroken, take } from '../state/incoming';
import { setsToUse } from '../state/ownSets';
import { allRulesets, isGameOpen, needsServer } from '../state/prefs';
import { showingSeries } from '../state/series';
import { showingSets } from '../state/teaching';
import { view } from '../state/viewfinder';
import { GamePicker } from './GamePicker';
import { PlacePicker } from './PlacePicker';
import { RulesPicker } from './RulesPicker';
import { SetPicker } from './SetPicker';
import { TileFace } from './Tile';

export function Home() {
  const words = t.value;
  const draft = lastDraft();
  const isAsking = isGameOpen.value && allRulesets.value.length > 1;
  useEffect(
    () => () => {
      isLinkBroken.value = false;
    },
    [],
  );
  return (
    <main class="home" id="start" tabIndex={-1}>
      {!isAsking && <Fan />}
      <h1>{words.tagline}</h1>
      {isAsking ? <GamePicker /> : <RulesPicker />}
      {isLinkBroken.value && (
        <p class="notice" role="alert">
          {words.brokenLink}
        </p>
      )}
      <div class="starts">
        <div class="snaps">
          <CameraButton />
          <FileButton label={words.snap} class={canWatch() ? 'big' : 'primary big'} capture />
        </div>
        <FileButton label={words.choose} class="big" />
        <button type="button" class="big" onClick={() => addTyped()}>
          {words.type}
        </button>
        <button
          type="button"
          class="big"
          onClick={() => {
            showing.value = true;
          }}
        >
          {game.value ? words.evening.goOn(game.value.title || words.evening.title) : words.evening.title}
        </button>
        {/* A series is kept by a server. */}
        {!ON_DEVICE && (
          <button
            type="button"
            class="quiet"
            onClick={() => {
              showingSeries.value = true;
            }}
          >
            {words.series.title}
          </button>
        )}
        <button
          type="button"
          class="quiet"
          onClick={() => {
            showingSets.value = true;
          }}
        >
          {words.ownSets.title}
        </button>
        <button type="button" class="quiet" onClick={() => void trySample()}>
          {words.sample}
        </button>
        {draft && (
          <button type="button" class="quiet" onClick={() => addTyped(draft.hand, draft.context)}>
            {words.goOn}
          </button>
        )}
        {installable.value && (
          <button type="button" class="quiet" onClick={() => void installable.value?.prompt()}>
            {words.install}
          </button>
        )}
      </div>
      {isAsking && <RulesPicker />}
      <PlacePicker />
      <SetPicker />
      <p class="tips">{words.tips}</p>
      <p class="privacy">{ON_DEVICE ? words.privacyHere : words.reads.privacy[photoPlace()]}</p>
    </main>
  );
}

function Fan() {
  return (
    <div class="fan-of-tiles" aria-hidden="true">
      <TileFace face="1s" />
      <TileFace face="F" />
      <TileFace face="5p" />
      <TileFace face="C" />
      <TileFace face="9m" />
    </div>
  );
}

/**
 * Returns the place where a photo would be read: with a rule set that only the server has, it is
 * sent there; with own sets of this device, it stays here.
 */
function photoPlace(): Place {
  if (needsServer.value) return 'server';
  return setsToUse.value?.files && missing.value === null ? 'device' : place.value;
}

/** Tells whether there is a viewfinder, whose frames are read on this device. */
export const canWatch = (): boolean => missing.value === null && hasCamera() && !needsServer.value;

/** Opens the viewfinder; nothing where there is none. */
function CameraButton() {
  if (!canWatch()) return null;
  return (
    <button type="button" class="primary big" onClick={() => view()}>
      {t.value.live.title}
    </button>
  );
}

interface FileButtonProps {
  readonly label: string;
  readonly class: string;
  /** Opens the camera at once. */
  readonly capture?: boolean;
  /** Takes one photo at a time, which the camera does anyway. */
  readonly single?: boolean;
  readonly disabled?: boolean;
  /** Sign that is shown instead of the label. */
  readonly sign?: ComponentChildren;
  /** Shows the label beside the sign. */
  readonly withLabel?: boolean;
  /** Handles the photos; by default they are opened as hands. */
  readonly onFiles?: (files: readonly Blob[]) => void;
}

/**
 * A button that is a file input: it keeps the input's own behaviour for keyboards and screen
 * readers.
 */
export function FileButton(props: FileButtonProps) {
  const {
    label,
    class: className,
    capture = false,
    single = capture,
    disabled = false,
    sign,
    withLabel = !sign,
    onFiles,
  } = props;
  return (
    <label class={`file ${className}`} title={withLabel ? undefined : label}>
      <input
        type="file"
        class="unseen"
        disabled={disabled}
        accept="image/*,.heic,.heif,.avif"
        multiple={!single}
        capture={capture ? 'environment' : undefined}
        onChange={({ currentTarget }) => {
          (onFiles ?? take)([...(currentTarget.files ?? [])]);
          // The same photo may be chosen again.
          currentTarget.value = '';
        }}
      />
      {sign}
      {withLabel ? label : <span class="unseen">{label}</span>}
    </label>
  );
}

/** The sign of a camera. */
export const CameraSign = () => (
  <svg class="sign" viewBox="0 0 24 24" aria-hidden="true">
    <path d="M3 8h4l2-3h6l2 3h4v12H3z" />
    <circle cx="12" cy="13.5" r="3.5" />
  </svg>
);

async function trySample(): Promise<void> {
  const isHere = staying();
  const photo = await (await fetch(sample)).blob();
  if (isHere()) addPhotos([[photo]]);
}
