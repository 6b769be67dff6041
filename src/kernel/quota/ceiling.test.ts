import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCeiling, type PlaceHolder } from './ceiling.ts';
import { CEILINGS, SHARES, totalOf } from './ceilings.ts';

const FILES = 65_536;
let serial = 0;
const unique = (what: string) => {
  serial += 1;
  return `${what}:${serial}`;
};
const stranger = (fields: Partial<PlaceHolder> = {}): PlaceHolder => ({
  one: unique('one'),
  client: unique('client'),
  network: unique('network'),
  isApproved: false,
  ...fields,
});
const approved = (fields: Partial<PlaceHolder> = {}) => stranger({ isApproved: true, ...fields });

describe.each(Object.entries(CEILINGS))('of the ceiling of %s', (_name, rule) => {
  const ceiling = () => createCeiling(rule, FILES);
  const total = totalOf(rule, FILES);
  const part = (share: number) => Math.max(1, Math.floor(total * share));
  /** Takes what there is for such holders; answers how many that are, and what the next one is told. */
  const fill = (of: ReturnType<typeof ceiling>, make: () => PlaceHolder) => {
    for (let n = 0; n <= total; n += 1) {
      const taken = of.take(make());
      if (typeof taken !== 'function') return { n, full: taken.full };
    }
    return { n: total + 1, full: undefined };
  };

  test('one credential has no more than its share', () => {
    const one = unique('one');
    const own = Math.min(rule.one, part(SHARES.client.approved));
    expect(fill(ceiling(), () => approved({ one, client: 'client:1' })).n).toBe(own);
  });

  test('one client with any number of credentials and networks leaves room for others', () => {
    const of = ceiling();
    const client = unique('client');
    const taken = fill(of, () => approved({ client }));
    expect(taken).toEqual({ n: part(SHARES.client.approved), full: 'client' });
    expect(of.take(approved())).toBeTypeOf('function');
  });

  test('one network with any number of clients leaves room for others', () => {
    const of = ceiling();
    const network = unique('network');
    const taken = fill(of, () => stranger({ network }));
    expect(taken).toEqual({ n: part(SHARES.network.stranger), full: 'network' });
    expect(of.take(approved({ network }))).toBeTypeOf('function');
    expect(of.take(stranger())).toBeTypeOf('function');
  });

  test('all strangers together have half of it, and the other half is there for approved clients', () => {
    const of = ceiling();
    const half = part(SHARES.strangers);
    expect(fill(of, stranger)).toEqual({ n: half, full: 'strangers' });
    expect(fill(of, approved)).toEqual({ n: total - half, full: 'all' });
  });
});

test('whatever is taken and given back, in any order and twice, the count is of what is held', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 40 }), { maxLength: 80 }), (steps) => {
      const of = createCeiling({ what: 'things', most: 12, one: 3 }, FILES);
      const held: (() => void)[] = [];
      for (const step of steps) {
        const release = step > 20 ? held.splice(step % (held.length || 1), 1)[0] : undefined;
        if (release) {
          release();
          release();
          continue;
        }
        const network = `network:${step % 2}`;
        const taken = of.take({
          one: `one:${step % 3}`,
          client: `client:${step % 4}`,
          network,
          isApproved: step % 5 > 0,
        });
        if (typeof taken === 'function') held.push(taken);
      }
      expect(of.held()).toBe(held.length);
      expect(of.held()).toBeLessThanOrEqual(of.total);
    }),
  );
});
