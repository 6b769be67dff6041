import { beforeEach, expect, test } from 'vitest';
import { testSandbox } from '#test/sandbox.ts';
import { type Entries, spoilStatement } from './statement-faults.ts';

interface Entry {
  readonly id: string;
  readonly ref: string;
  readonly amount: number;
}

const entries: Entries<Entry> = {
  reference: ({ ref }) => ref,
  double: (entry) => ({ ...entry, id: `${entry.id}-twin` }),
  alter: (entry) => ({ ...entry, amount: entry.amount + 1 }),
};
const PAGE: Entry[] = ['a', 'b', 'c'].map((ref, at) => ({ id: `${at}`, ref, amount: 100 }));

const { world, control } = await testSandbox({ provider: 'bank', prefix: '/bank' });
const FAULTS = '/statements/bank/faults';
const arm = (kind: string, reference: string, times?: number) =>
  control(`POST ${FAULTS}`, { kind, reference, ...(times === undefined ? {} : { times }) });
const told = () => spoilStatement(world, 'bank', PAGE, entries);
beforeEach(() => control(`DELETE ${FAULTS}`));

test('a statement nobody spoils is told as it is', async () => {
  expect(await told()).toEqual(PAGE);
});

test('an entry is lost, doubled or altered, and the others stay', async () => {
  expect(await arm('lose', 'a')).toEqual({
    status: 201,
    body: { provider: 'bank', kind: 'lose', reference: 'a', times: null },
  });
  await arm('double', 'b');
  await arm('alter', 'c');
  const spoiled = [
    { id: '1', ref: 'b', amount: 100 },
    { id: '1-twin', ref: 'b', amount: 100 },
    { id: '2', ref: 'c', amount: 101 },
  ];
  expect(await told()).toEqual(spoiled);
  expect(await told()).toEqual(spoiled);
  expect(await spoilStatement(world, 'another', PAGE, entries)).toEqual(PAGE);
});

test('a fault with times ends by itself, and one taken back is over', async () => {
  await arm('lose', 'a', 2);
  await arm('alter', 'b');
  expect((await told()).map(({ ref }) => ref)).toEqual(['b', 'c']);
  expect((await control(`GET ${FAULTS}`)).body).toEqual([
    { kind: 'alter', reference: 'b', times: null },
    { kind: 'lose', reference: 'a', times: 1 },
  ]);
  await told();
  expect((await told()).map(({ ref }) => ref)).toEqual(['a', 'b', 'c']);
  expect((await control(`DELETE ${FAULTS}?reference=b`)).body).toEqual([]);
  expect(await told()).toEqual(PAGE);
});

test('a later fault of the same movement takes the place of the earlier one', async () => {
  await arm('lose', 'a');
  await arm('double', 'a', 1);
  expect(await told()).toHaveLength(4);
  expect(await told()).toEqual(PAGE);
});

test('what is no fault of a statement is refused', async () => {
  for (const [path, body] of [
    [FAULTS, { kind: 'explode', reference: 'a' }],
    [FAULTS, { kind: 'lose' }],
    [FAULTS, { kind: 'lose', reference: 'a', times: 0 }],
    ['/statements/nobody/faults', { kind: 'lose', reference: 'a' }],
  ] as const) {
    expect((await control(`POST ${path}`, body)).status, path).toBe(400);
  }
  expect((await control(`GET ${FAULTS}`)).body).toEqual([]);
});
