import { existsSync, readFileSync } from 'node:fs';
import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { CHAIN_KEYS, CHAINS } from '#chains/evm/port.ts';
import { EMITTED_IN } from '#test/emitted-in.ts';
import { harness } from '#test/harness.ts';
import { breaking, product } from './sources.ts';

const h = await harness();
const types = h.app.features.events;

/** Sent to one endpoint at once and never written to the log; `webhooks/delivery.test.ts` shows it. */
const UNLOGGED = ['test.ping'];

test('every type of event is emitted by the test file listed for it', () => {
  const shown = new Set([...Object.values(EMITTED_IN).flat(), ...UNLOGGED]);
  const names = new Set(types.map(({ name }) => name));
  expect([...names].filter((name) => !shown.has(name))).toEqual([]);
  expect([...shown].filter((name) => !names.has(name))).toEqual([]);
  for (const file of Object.keys(EMITTED_IN)) {
    expect(existsSync(file), file).toBe(true);
    expect(readFileSync(file, 'utf8'), file).toMatch(/harness\(/);
  }
});

test('examples match their schemas', () => {
  const wrong = types.filter(({ schema, example }) => !Value.Check(schema, example));
  expect(
    wrong.map(({ name, schema, example }) => [name, ...Value.Errors(schema, example)]),
  ).toEqual([]);
});

test('examples name existing chains', () => {
  const known = new Set([...CHAIN_KEYS, ...Object.values(CHAINS).map(({ name }) => name)]);
  const named = types.flatMap(({ name, example }) =>
    Object.entries(example as object)
      .filter(([field, value]) => /^(from_|to_|selected_)?chain(_id)?$/.test(field) && value)
      .map(([, value]) => [name, String(value)] as const),
  );
  expect(named.filter(([, chain]) => !known.has(chain))).toEqual([]);
  expect(named.length).toBeGreaterThan(10);
});

test('every declared type is in the catalogue', () => {
  const declared = product.flatMap(({ path, text }) =>
    [...text.matchAll(/(?:\bdefineEvents?|\.events)\(\s*'(\w+)/g)].map(
      ([, object]) => [path, object] as const,
    ),
  );
  const objects = new Set(types.map(({ name }) => name.split('.')[0]));
  expect(declared.filter(([, object]) => !objects.has(object ?? ''))).toEqual([]);
  expect(declared.length).toBeGreaterThan(20);
});

test('transactions begin in one function, which writes their events', () => {
  const beginning = product.filter(
    ({ path }) => !/^src\/kernel\/(transact|db\/replica|ledger\/verify)\.ts$/.test(path),
  );
  expect(breaking(beginning, /\.transaction\(\)/)).toEqual([]);
});
