/** Finds what does not fit on the screen. */
import type { Page } from './browser';

/** Returns the elements that reach beyond the screen, except in parts that scroll. */
export function cutOff(page: Page, width: number): Promise<string[]> {
  // A page that is too wide makes `innerWidth` larger on a phone.
  return page.evaluate((screen) => {
    const scrolls = (element: Element | null): boolean =>
      element !== null &&
      (['auto', 'scroll', 'hidden', 'clip'].includes(getComputedStyle(element).overflowX) ||
        scrolls(element.parentElement));
    const wide = [...document.querySelectorAll('body *')].filter(
      (one) =>
        one.checkVisibility() &&
        one.getBoundingClientRect().right > screen + 1 &&
        !scrolls(one.parentElement),
    );
    const root = document.documentElement.scrollWidth > screen ? ['the page scrolls sideways'] : [];
    return [...root, ...wide.slice(0, 5).map((one) => one.outerHTML.slice(0, 120))];
  }, width);
}
