/**
 * Counts what a player does in the page: taps, and how far the page has to be scrolled.
 *
 * A tap is a press on something, the one that takes the photo too; typing a text is one tap more
 * than its field. The figures are printed at the end of a file and, with `TILESIGHT_FIGURES`,
 * appended to that file as lines of JSON.
 */
import { appendFileSync } from 'node:fs';
import type { Locator } from 'playwright-core';
import type { Page } from './browser';

interface Figure {
  readonly what: string;
  readonly photo: string;
  readonly taps: number;
  /** Screens from the top to the end of the lowest of total and first question, less the first. */
  readonly screens: number;
}

/** A player on the way from a photo to the right score. */
export class Player {
  taps = 0;
  /** The most that had to be scrolled for total and first question, in screens. */
  screens = 0;

  constructor(readonly page: Page) {}

  async tap(target: Locator): Promise<void> {
    this.taps += 1;
    await target.click();
  }

  /** Takes a photo: the camera's button is one tap. */
  async snap(input: Locator, file: Parameters<Locator['setInputFiles']>[0]): Promise<void> {
    this.taps += 1;
    await input.setInputFiles(file);
  }

  /** Looks at the first screen: how far total and first question lie below it. */
  async look(): Promise<void> {
    const lowest = await this.page.evaluate(() => {
      const first = document.querySelector('.verdict .asked .answer, .verdict .asked .tile');
      const parts = [document.querySelector('.verdict .total'), first];
      return Math.max(...parts.map((part) => (part ? part.getBoundingClientRect().bottom + scrollY : 0)));
    });
    const bar = await this.page.evaluate(() => document.querySelector('.score-bar')?.clientHeight ?? 0);
    const height = (this.page.viewportSize()?.height ?? 1) - bar;
    this.screens = Math.max(this.screens, Math.max(0, lowest / height - 1));
  }
}

const figures: Figure[] = [];

export function record(what: string, photo: string, { taps, screens }: Player): Figure {
  const figure = { what, photo, taps, screens: Math.round(screens * 10) / 10 };
  figures.push(figure);
  note(figure);
  return figure;
}

/** Writes a figure down, where `TILESIGHT_FIGURES` names a file. */
export function note(figure: object): void {
  const file = process.env.TILESIGHT_FIGURES;
  if (file) appendFileSync(file, `${JSON.stringify(figure)}\n`);
}

/** The figures by what was done: how many photos, the median, the most taps, the most screens. */
export function summary(): string {
  const kinds = [...new Set(figures.map(({ what }) => what))];
  const lines = kinds.map((kind) => {
    const all = figures.filter(({ what }) => what === kind);
    const taps = all.map((one) => one.taps).sort((a, b) => a - b);
    const median = taps[Math.floor(taps.length / 2)];
    const screens = Math.max(...all.map((one) => one.screens));
    return `${kind}: ${all.length} photos, taps ${median} in the median, ${taps.at(-1)} at most; ${screens} screens of scrolling`;
  });
  return lines.join('\n');
}
