/** Picture of one tile as the camera saw it, upright and enlarged. */
import { useEffect, useRef } from 'preact/hooks';
import type { Polygon } from '../api/types';
import { t } from '../i18n';
import { type Box, boxOf } from '../model/inView';

const WIDTH = 132;
const HEIGHT = 176;
/** Share of the tile that is shown of its surroundings, so that a wrong corner is visible. */
const MARGIN = 0.12;

export function Crop({ url, polygon }: { readonly url: string; readonly polygon: Polygon }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const image = new Image();
    image.onload = () => canvas.current && draw(canvas.current, image, polygon);
    image.src = url;
    return () => {
      image.onload = null;
    };
  }, [url, polygon]);
  return (
    <canvas ref={canvas} class="crop" width={WIDTH} height={HEIGHT} role="img" aria-label={t.value.seenAs} />
  );
}

/** Height of the picture of several tiles. */
const ROW = 176;

/** Several tiles and the space between them, as the camera saw them. */
export function RowCrop({ url, polygons }: { readonly url: string; readonly polygons: readonly Polygon[] }) {
  const corners = polygons.flat();
  const { height } = boxOf(corners);
  return <BoxCrop url={url} box={boxOf(corners, height * MARGIN)} />;
}

/** An upright part of the photo. */
export function BoxCrop({ url, box }: { readonly url: string; readonly box: Box }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const width = Math.round((ROW * box.width) / box.height);
  const key = JSON.stringify(box);
  useEffect(() => {
    const image = new Image();
    image.onload = () => {
      const pen = canvas.current?.getContext('2d');
      pen?.drawImage(image, box.left, box.top, box.width, box.height, 0, 0, width, ROW);
    };
    image.src = url;
    return () => {
      image.onload = null;
    };
  }, [url, key]);
  return (
    <canvas ref={canvas} class="crop row" width={width} height={ROW} role="img" aria-label={t.value.seenAs} />
  );
}

/**
 * Lays the polygon's first three corners onto the canvas; seen nearly from above that is enough.
 */
function draw(canvas: HTMLCanvasElement, image: HTMLImageElement, [a, b, c, d]: Polygon): void {
  const pen = canvas.getContext('2d');
  if (!pen) return;
  // The longer pair of sides stands upright.
  const width = Math.hypot(b[0] - a[0], b[1] - a[1]);
  const height = Math.hypot(d[0] - a[0], d[1] - a[1]);
  const [origin, right, down] = width <= height ? [a, b, d] : [d, a, c];
  const inner = { width: WIDTH * (1 - 2 * MARGIN), height: HEIGHT * (1 - 2 * MARGIN) };
  const across = [(right[0] - origin[0]) / inner.width, (right[1] - origin[1]) / inner.width] as const;
  const along = [(down[0] - origin[0]) / inner.height, (down[1] - origin[1]) / inner.height] as const;
  const area = across[0] * along[1] - along[0] * across[1];
  if (Math.abs(area) < 1e-9) return;
  const m = {
    a: along[1] / area,
    b: -across[1] / area,
    c: -along[0] / area,
    d: across[0] / area,
  };
  pen.setTransform(
    m.a,
    m.b,
    m.c,
    m.d,
    WIDTH * MARGIN - m.a * origin[0] - m.c * origin[1],
    HEIGHT * MARGIN - m.b * origin[0] - m.d * origin[1],
  );
  pen.imageSmoothingQuality = 'high';
  pen.drawImage(image, 0, 0);
}
