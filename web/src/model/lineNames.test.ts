import { describe, expect, it } from 'vitest';
import { module } from '../engine/module';
import { chineseName, lineName } from './lineNames';

describe('the name of a line', () => {
  it.each([
    ['Riichi (riichi 立直)', undefined, 'Riichi', '立直'],
    ['One Shot (ippatsu 一発)', undefined, 'One Shot', 'ippatsu'],
    ['Selbst gezogen (menzen tsumo 門前清自摸和)', undefined, 'Selbst gezogen', 'menzen tsumo'],
    ['Dora (dora)', undefined, 'Dora', undefined],
    ['立直（riichi 立直）', undefined, '立直', undefined],
    ['一发（ippatsu 一発）', undefined, '一发', '一発'],
    ['Big Four Winds', '大四喜', 'Big Four Winds', '大四喜'],
    ['大四喜', '大四喜', '大四喜', undefined],
    ['七対子と刻子', '嚦咕嚦咕', '七対子と刻子', undefined],
    ['正花（梅蘭菊竹）', '正花（梅蘭菊竹）', '正花（梅蘭菊竹）', undefined],
    ['Open pung', undefined, 'Open pung', undefined],
  ])('%s', (name, chinese, own, customary) => {
    expect(lineName(name, chinese)).toEqual(customary ? { own, customary } : { own });
  });

  it('has the customary name apart, in every rule set', () => {
    for (const lang of ['en', 'de'] as const) {
      for (const rules of module.value?.rulesets({ lang }).rulesets ?? []) {
        for (const { code, name } of rules.lines) {
          const { own, customary = '' } = lineName(name, chineseName(rules, code));
          expect(own, name).not.toMatch(/\p{Script=Han}/u);
          expect(customary).not.toBe(own);
        }
      }
    }
  });
});
