import type { Finding } from './findings.ts';

export interface Expected {
  readonly name: string;
  /** The key of its operation. */
  readonly key: string;
}

/** Compares the expected with the actual entries, one to one by name. */
export function match(
  where: string,
  expected: readonly Expected[],
  seen: readonly string[],
): Finding[] {
  const wanted = Map.groupBy(expected, ({ name }) => name);
  const found = Map.groupBy(seen, (name) => name);
  return [...new Set([...wanted.keys(), ...found.keys()])].flatMap((name): Finding[] => {
    const [should, is] = [wanted.get(name) ?? [], found.get(name)?.length ?? 0];
    if (should.length === is) return [];
    const keys = should.map(({ key }) => key);
    const what = `${name}: ${is} times, not ${should.length}`;
    if (is < should.length) return [{ kind: 'lost', where, what, keys }];
    return [{ kind: should.length === 0 ? 'unasked' : 'doubled', where, what, keys }];
  });
}

/** The same of sums. */
export function equal(where: string, what: string, found: bigint, wanted: bigint): Finding[] {
  if (found === wanted) return [];
  return [{ kind: 'wrong', where, what: `${what} is ${found}, not ${wanted}` }];
}
