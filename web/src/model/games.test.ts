import { describe, expect, it } from 'vitest';
import { module } from '../engine/module';
import { gamesFor } from './games';

const all = module.value?.rulesets().rulesets ?? [];
const rulesets = all.filter(({ game }) => (game as string) !== 'taiwan');

const first = (...languages: string[]) => gamesFor(languages, rulesets as never)[0]?.ruleset;

describe('the games', () => {
  it('begin with the one of the region', () => {
    expect(first('ja')).toBe('riichi-tenhou');
    expect(first('en-JP', 'en')).toBe('riichi-tenhou');
    expect(first('zh-HK', 'zh', 'en')).toBe('hk-old');
    expect(first('yue')).toBe('hk-old');
    expect(first('zh-Hant-HK')).toBe('hk-old');
    expect(first('zh-CN')).toBe('mcr-wmo');
    expect(first('de-DE', 'en')).toBe('mcr-wmo');
    expect(first()).toBe('mcr-wmo');
  });

  it('are those of Taiwan where there are such rules, and the nearest ones else', () => {
    expect(first('zh-TW')).toBe('hk-old');
    const own = { ...rulesets[0], id: 'taiwan-16', game: 'taiwan' };
    expect(gamesFor(['zh-TW'], [...rulesets, own] as never)[0]?.ruleset).toBe('taiwan-16');
  });

  it('are each there once', () => {
    const games = gamesFor(['zh-HK'], rulesets as never).map(({ game }) => game);
    expect(games).toEqual(['hongkong', 'mcr', 'riichi', 'classical', 'mmm']);
    expect(gamesFor(['ja'], [])).toEqual([]);
  });
});
