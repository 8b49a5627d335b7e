/**
 * The first screen of a hand: the total is a range until the win is known, what is assumed is named
 * with its value, and a hand that is not legal pays nobody.
 */
import { expect, it } from 'vitest';
import { en } from '../src/i18n/en';
import { chooser, open, type Page, total, unfold, useBrowser } from './browser';
import { cutOff } from './fits';
import { samplePath } from './server';

useBrowser();

const verdict = (page: Page) => page.locator('.verdict');

/** Tells whether an element is on the screen before anything is scrolled. */
const onFirstScreen = (page: Page, selector: string): Promise<boolean> =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      const end = document.querySelector('.score-bar')?.getBoundingClientRect().top ?? innerHeight;
      return scrollY === 0 && top >= 0 && bottom <= end;
    });

it.each([
  'demo',
  '900002',
  '900015',
  '900083',
])('shows total and first question of %s on the first screen', async (name) => {
  const page = await open();
  await chooser(page).setInputFiles(samplePath(name));
  await page.locator('[data-total]').waitFor();
  await page.locator('.first-question [data-answer=right] small').first().waitFor();
  for (const part of ['.photo', '.total', '.first-question .answers']) {
    expect(await onFirstScreen(page, part), part).toBe(true);
  }
});

it('keeps the camera in reach of the thumb on a small phone, however far the page is scrolled', async () => {
  const page = await open({ viewport: { width: 320, height: 568 } });
  const camera = page.getByText(en.snap, { exact: true }).filter({ visible: true });
  const reached = async (): Promise<void> => {
    for (const to of [0, 1e6]) {
      await page.evaluate((top) => scrollTo({ top, behavior: 'instant' }), to);
      // The lower half of the screen, and nothing of it cut.
      await expect
        .poll(async () => {
          const box = await camera.locator('xpath=ancestor-or-self::label').boundingBox();
          return box && box.x >= 0 && box.x + box.width <= 320 && box.y > 284 && box.y + box.height <= 568;
        })
        .toBe(true);
    }
  };
  await reached();
  for (const name of ['demo', '900005', '900001']) {
    await page.locator('input[capture=environment]').last().setInputFiles(samplePath(name));
    await page.locator(`.photo img`).waitFor();
    await page.locator('.total-line[aria-busy=false]').waitFor();
  }
  await reached();
});

it.each([
  ['ja-JP', 'Noto Sans CJK JP'],
  ['zh-TW', 'Noto Sans CJK TC'],
  ['zh-CN', 'Noto Sans CJK SC'],
])('draws the shared picture of %s with the shapes of its language', async (locale, family) => {
  const page = await open({ locale, path: '/#hand=123456789m11pFFF' });
  await total(page, 21);
  await page.evaluate(() => {
    const fonts: string[] = [];
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (...given) {
      fonts.push(this.font);
      fillText.apply(this, given);
    };
    Object.assign(globalThis, { fonts });
  });
  const download = page.waitForEvent('download');
  await page.locator('.share button').nth(1).click();
  await download;
  const fonts = await page.evaluate(() => (globalThis as unknown as { fonts: string[] }).fonts);
  expect(fonts.length).toBeGreaterThan(5);
  for (const font of fonts) expect(font).toContain(family);
});

it('has its bar and its table of values on a small phone, at twice the text size in German', async () => {
  const hand = '/#rules=riichi-tenhou&hand=123m406p789s55m34s5s';
  const page = await open({ viewport: { width: 320, height: 844 }, locale: 'de-DE', path: hand });
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%';
  });
  await page.locator('.show-values').waitFor();
  await page.evaluate(() => scrollTo({ top: 1e6, behavior: 'instant' }));
  await page.locator('.score-bar .primary').waitFor();
  expect(await cutOff(page, 320)).toEqual([]);
});

it('fits thirteen different tiles on a small phone', async () => {
  const page = await open({ viewport: { width: 320, height: 568 }, path: '/#hand=19m19p19sESWNCFP%2B1m' });
  await page.locator('.hand-line .face').first().waitFor();
  expect(await cutOff(page, 320)).toEqual([]);
});

it('says no total is final before the win is known, and names what it assumes', async () => {
  const page = await open({ path: '/#hand=123456789m11pFFF' });
  await total(page, 21);
  await expect.poll(() => verdict(page).textContent()).toContain(en.outcome.about.win);
  expect(await verdict(page).textContent()).not.toContain('✓');
  await page.getByText(`${en.fields.prevalent} ${en.winds.E}; ${en.assumptions.from.left}`).first().waitFor();
  await page.getByRole('button', { name: en.outcome.discardBy.across }).click();
  await expect.poll(() => verdict(page).textContent()).toContain('✓');
  await expect.poll(() => verdict(page).textContent()).not.toContain(en.assumptions.from.left);
  await page.getByText(en.pays(en.winds.W, 29, en.winds.E)).waitFor();
});

it('lets nobody pay for a hand that is not a legal win', async () => {
  const page = await open({ path: '/#hand=[123m,1][567p,1][789s,1]67s22m8s|EE0000' });
  await page.locator('[data-total]').waitFor();
  await page.getByText(en.outcome.nobodyPays).waitFor();
  expect(await page.getByText(/ pays /).count()).toBe(0);
});

it('scores by one rule set, chosen once for all hands', async () => {
  const page = await open();
  await page.getByRole('combobox', { name: en.rules }).selectOption({ label: 'MMM' });
  await chooser(page).setInputFiles(samplePath('demo'));
  await page.locator('[data-total]').waitFor();
  await expect.poll(() => page.locator('.side-by-side').count()).toBe(0);
  expect(await page.getByRole('combobox', { name: en.rules }).inputValue()).toBe('mmm');
  await page.reload();
  expect(await page.getByRole('combobox', { name: en.rules }).inputValue()).toBe('mmm');
});

it('asks how the next hand was won, whatever was told of the last one', async () => {
  const page = await open();
  await chooser(page).setInputFiles(samplePath('demo'));
  await page.getByRole('button', { name: en.wins.self_drawn }).click();
  await page.locator('.ask-win').waitFor({ state: 'detached' });
  await page.locator('input[type=file]').first().setInputFiles(samplePath('900005'));
  await page.locator('.ask-win').waitFor();
  await unfold(page);
  expect(await page.locator('input[name^=win-]:checked').count()).toBe(0);
});

it('names the round that is kept before there is a score, and lets it be changed there', async () => {
  const page = await open();
  await page.getByRole('button', { name: en.type }).click();
  await unfold(page);
  await page.locator('input[name^=prevalent][value=W]').check({ force: true });
  expect(await page.locator('.kept-round').count()).toBe(0);
  await page.getByRole('button', { name: en.home }).click();
  await page.getByRole('button', { name: en.type }).click();
  const kept = page.locator('.kept-round');
  await kept.getByText(en.keptRound(en.winds.W)).waitFor();
  expect(await page.locator('[data-total]').count()).toBe(0);
  await kept.locator('.segment', { hasText: en.winds.S }).click();
  // It stays where it was tapped, is no longer called kept, and is what the win context has.
  await kept.getByText(en.fields.prevalent, { exact: true }).waitFor();
  expect(await kept.locator('input:checked').getAttribute('value')).toBe('S');
  await unfold(page);
  expect(await page.locator('input[name^=prevalent]:checked').getAttribute('value')).toBe('S');
  await page.getByRole('button', { name: en.takeBackChange }).click();
  await kept.getByText(en.keptRound(en.winds.W)).waitFor();
});

it('opens a link as its result, with what the sender assumed', async () => {
  const sender = await open({
    path: '/#hand=123456789m11pFFF',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await total(sender, 21);
  await sender.getByRole('button', { name: en.shareLink }).click();
  await sender.getByText(en.copied).waitFor();
  const link = await sender.evaluate(() => navigator.clipboard.readText());
  const page = await open({ path: `/${new URL(link).hash}` });
  await total(page, 21);
  expect(await onFirstScreen(page, '.total')).toBe(true);
  expect(await page.locator('.verdict').textContent()).toContain(en.assumptions.from.left);
  expect(await page.locator('.palette').isVisible()).toBe(false);
  expect(await page.locator('#tiles').getAttribute('open')).toBeNull();
  const cut = await open({ path: `/${new URL(link).hash.slice(0, -3)}` });
  await cut.getByText(en.brokenLink).waitFor();
});

it('keeps in a link that the winning tile is only supposed', async () => {
  const page = await open({ path: '/#hand=123456789m11pFFF|EE1000&supposed=1' });
  await page.locator('[data-total]').waitFor();
  await expect.poll(() => verdict(page).textContent()).toContain(en.winningMark);
});

it('counts flowers beside the total, and asks about none that a person counted', async () => {
  const page = await open({ path: '/#hand=[123m,1][567p,1]789s67s22m8s|EE0000' });
  await page.locator('[data-total]').waitFor();
  const before = Number(await page.locator('[data-total]').getAttribute('data-total'));
  await page.getByRole('button', { name: en.flowerCount.more }).click();
  await total(page, before + 1);
  await page.getByRole('button', { name: en.flowerCount.more }).click();
  await total(page, before + 2);
  await page.getByRole('button', { name: en.flowerCount.fewer }).click();
  await total(page, before + 1);
  expect(await page.locator('.flower-count output').textContent()).toBe('1');
});

it('says one range everywhere, and the minimum at once', async () => {
  const page = await open({ path: '/#hand=234m234p678m678s9s9s' });
  const shown = page.locator('[data-range]');
  await shown.waitFor();
  const [low, high] = ((await shown.getAttribute('data-range')) ?? '').split('-').map(Number);
  expect(low).toBeLessThan(high ?? 0);
  await page.locator('.minimum').getByText('minimum').waitFor();
  await page.getByText(en.outcome.paysLater).waitFor();
  expect(await page.getByText(/ pays (East|South|West|North)/).count()).toBe(0);
  await page.getByRole('button', { name: en.outcome.discardBy.left }).click();
  await expect.poll(() => page.getByText(en.outcome.paysLater).count()).toBe(0);
});

it('offers what would make a hand win, and keeps its promise', async () => {
  const page = await open();
  await chooser(page).setInputFiles(samplePath('900001'));
  await page.locator('[data-total]').waitFor();
  const before = await page.locator('[data-total]').getAttribute('data-total');
  await unfold(page);
  await page.locator('.strip .tile[data-tile="5p"]').first().click();
  await page.getByRole('dialog').locator('.palette .tile[data-tile="C"]').click();
  const first = page.locator('.repairs .answer').first();
  await first.waitFor();
  expect(await page.getByText(en.noWin).count()).toBe(0);
  const promised = (await first.locator('small').textContent()) ?? '';
  expect(await first.textContent()).toContain(en.repairs.rename(en.suited(5, 'p'), en.honors.C));
  await first.click();
  await page.locator(`[data-total="${before}"]`).waitFor();
  const [low, high] = ((await page.locator('[data-range]').getAttribute('data-range')) ?? '').split('-');
  expect(promised).toBe(low === high ? en.total(Number(low)) : en.outcome.rangeOf(Number(low), Number(high)));
});

it('answers no question with a second tap that was meant for the one before', async () => {
  const page = await open();
  await chooser(page).setInputFiles(samplePath('900083'));
  await page.locator('.first-question .answer').first().waitFor();
  // In the moment in which the next question appears, what a finger would hit.
  const hit = await page.evaluate(
    () =>
      new Promise<boolean>((resolve) => {
        const before = document.querySelector('.first-question');
        const look = (): void => {
          const now = document.querySelector('.first-question');
          if (!now || now === before) return;
          watching.disconnect();
          const button = now.querySelector('.answer');
          const { left, top, width, height } = (button ?? now).getBoundingClientRect();
          const under = document.elementFromPoint(left + width / 2, top + height / 2);
          resolve(button !== null && (under?.closest('button') ?? null) === button);
        };
        const watching = new MutationObserver(look);
        watching.observe(document.body, { childList: true, subtree: true });
        before?.querySelector<HTMLElement>('.answer')?.click();
      }),
  );
  expect(hit).toBe(false);
  // Half a second later it takes taps.
  await page.locator('.first-question .answer').first().click();
});

it('answers no question further down with a second tap either', async () => {
  const page = await open({ path: '/#hand=123m406p789s55m34s5s&rules=riichi-tenhou' });
  const more = page.locator('.more-questions');
  await more.locator('summary').click();
  const answers = more.locator('.answer');
  await more.locator('div:not(.unsettled) > .asked').first().waitFor();
  const asked = (): Promise<number> => more.locator('.asked').count();
  const before = await asked();
  expect(before).toBeGreaterThan(1);
  // From here on time passes only as this test says.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await answers.first().click();
  await expect.poll(asked).toBeLessThan(before);
  expect(await answers.first().evaluate((one) => getComputedStyle(one).pointerEvents)).toBe('none');
  // The service's answer may bring other questions, which settle anew.
  await expect
    .poll(async () => {
      await page.clock.runFor(1_000);
      return answers.first().evaluate((one) => getComputedStyle(one).pointerEvents);
    })
    .toBe('auto');
});

it('takes back the last answer beside the total', async () => {
  const page = await open({ path: '/#hand=123456789m11pFFF' });
  await total(page, 21);
  const takeBack = page.getByRole('button', { name: en.takeBackChange });
  expect(await takeBack.count()).toBe(0);
  await page.getByRole('button', { name: en.outcome.discardBy.across }).click();
  await expect.poll(() => verdict(page).textContent()).toContain('✓');
  await takeBack.click();
  await page.locator('.ask-win').waitFor();
  await expect.poll(() => verdict(page).textContent()).not.toContain('✓');
  expect(await takeBack.count()).toBe(0);
});

it('tells who pays by winds, or by places beside the winner', async () => {
  const page = await open({ path: '/#hand=123456789m11pFFF' });
  await page.locator('[data-answer=self_drawn]').click();
  const paid = page.locator('.payments');
  await paid.getByText(en.pays('South', 31, 'East')).waitFor();
  await paid.getByRole('button', { name: en.byPlace }).click();
  await paid.getByText(en.paysOne(en.from.right, 31)).waitFor();
  await paid.getByText(en.gains(en.theWinner, 93)).waitFor();
  // It stays so for the next hand.
  await page.reload();
  await page.getByRole('button', { name: en.goOn }).click();
  await paid.getByText(en.paysOne(en.from.left, 31)).waitFor();
});

it('breaks no total, and is no wider than a small phone, at twice the text size', async () => {
  const page = await open({ path: '/#hand=123456789m11pFFF', viewport: { width: 320, height: 844 } });
  await page.locator('[data-answer=self_drawn]').click();
  await total(page, 23);
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%';
  });
  expect(await page.locator('.total b').evaluate((one) => one.getClientRects().length)).toBe(1);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  const over = await page
    .locator('.fan-line')
    .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1).length);
  expect(over).toBe(0);
});
